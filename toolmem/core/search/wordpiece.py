"""WordPiece tokenizer of BERT models, uncased.

Text is cleaned, put in lower case without accents and split at spaces, signs and CJK
characters; each word is then cut greedily into the longest known pieces (Devlin et al.,
"BERT", 2019; Schuster and Nakajima, "Japanese and Korean voice search", 2012, for the
pieces).
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

_WORD_CHARS = 100
"""Longer words are unknown, as in BERT's own tokenizer."""
_CHARS_A_PIECE = 16
"""Characters of a text read for each piece: no text of words has more."""
_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
_CJK = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


class BadVocabularyError(ValueError):
    """Invalid vocabulary file."""


class _Apart(dict[int, str]):
    """Character → its replacement before a text is split at spaces."""

    def __missing__(self, code: int) -> str:
        found = self[code] = _spaced(chr(code))
        return found


_APART = _Apart()


def _spaced(char: str) -> str:
    code, category = ord(char), unicodedata.category(char)
    if char in "\t\n\r" or category[0] == "Z":
        return " "
    if category in ("Cc", "Cf", "Co", "Mn") or char == "\ufffd":
        return ""
    is_sign = category[0] == "P" or (code < 128 and category[0] == "S")
    is_cjk = any(first <= code <= last for first, last in _CJK)
    return f" {char} " if is_sign or is_cjk else char.lower()


@dataclass(frozen=True, slots=True)
class WordPiece:
    """A vocabulary: piece → number; pieces inside a word begin with ``##``."""

    numbers: dict[str, int]

    @classmethod
    def of(cls, pieces: Sequence[str]) -> "WordPiece":
        """Return the vocabulary of these pieces, in order.

        Raises ``BadVocabularyError`` if a special piece is missing.
        """
        numbers = {piece: number for number, piece in enumerate(pieces)}
        if missing := [piece for piece in _SPECIAL[:4] if piece not in numbers]:
            raise BadVocabularyError(f"has no {', '.join(missing)}")
        return cls(numbers)

    def encode(self, text: str, most: int) -> list[int]:
        """Return the numbers of a text, at most ``most``, with the special pieces."""
        numbers = [self.numbers["[CLS]"]]
        cleaned = text[: most * _CHARS_A_PIECE]
        if not cleaned.isascii():
            cleaned = unicodedata.normalize("NFD", cleaned)
        for word in cleaned.translate(_APART).split(" "):
            if word:
                numbers += self._pieces(word)
            if len(numbers) >= most:
                break
        return [*numbers[: most - 1], self.numbers["[SEP]"]]

    def _pieces(self, word: str) -> list[int]:
        known = self.numbers.get(word)
        if known is not None:
            return [known]
        unknown = [self.numbers["[UNK]"]]
        if len(word) > _WORD_CHARS:
            return unknown
        found: list[int] = []
        start = 0
        while start < len(word):
            head = "##" if start else ""
            for end in range(len(word), start, -1):
                number = self.numbers.get(head + word[start:end])
                if number is not None:
                    break
            else:
                return unknown
            found.append(number)
            start = end
        return found


def listed_pieces(data: bytes) -> list[str]:
    """Read the pieces of a ``vocab.txt``, one a line. Raises ``BadVocabularyError``."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise BadVocabularyError("is not UTF-8 text") from error
    return text.replace("\r\n", "\n").removesuffix("\n").split("\n")
