"""Cut texts into the pieces of an uncased BERT model with ``tokenizers``."""

from pathlib import Path
from typing import Any

from tokenizers import BertWordPieceTokenizer

from toolmem.errors import InvalidFileError

_CHARS_A_PIECE = 16
"""Characters of a text read for each piece: no text of words has more."""
_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")


class Pieces:
    """A vocabulary: ``listed`` are its pieces in the order of their numbers."""

    def __init__(self, listed: list[str], most: int) -> None:
        """Take the pieces; a text becomes at most ``most`` numbers."""
        self.listed = listed
        self._most = most
        numbers = {piece: number for number, piece in enumerate(listed)}
        self._tokenizer: Any = BertWordPieceTokenizer(vocab=numbers, lowercase=True)
        self._tokenizer.enable_truncation(most)

    def encode(self, text: str) -> list[int]:
        """Return the numbers of a text, with those of the special pieces."""
        cut = text[: self._most * _CHARS_A_PIECE]
        plain = cut.encode("utf-8", "replace").decode()
        numbers: list[int] = self._tokenizer.encode(plain).ids
        return numbers


def read_pieces(path: Path, most: int) -> Pieces:
    """Return the vocabulary of a ``vocab.txt``, one piece a line.

    Raises ``InvalidFileError`` and ``OSError``.
    """
    try:
        text = path.read_bytes().decode()
    except UnicodeDecodeError as error:
        raise InvalidFileError(str(path), 0, "is not UTF-8 text") from error
    listed = text.replace("\r\n", "\n").removesuffix("\n").split("\n")
    if missing := [piece for piece in _SPECIAL if piece not in listed]:
        raise InvalidFileError(str(path), 0, f"has no {', '.join(missing)}")
    return Pieces(listed, most)
