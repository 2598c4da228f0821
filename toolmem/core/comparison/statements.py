"""Read a text as statements: sentences, headings, list items, rows and code blocks.

No character is left out but white space, the style of list markers and the full stop
that ends a sentence, so that equal statements prove equal texts.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from toolmem.core.text.normal_form import normal_form
from toolmem.core.text.textlines import CODE_INDENT, closes_fence, fence, heading

_ITEM = re.compile(r"([ \t]*)([-*+•]|\d{1,9}[.)])[ \t]{1,4}(?=\S)")
_NAME_CHARS = 200
_BULLETS = "-*+•"
_TOKEN = re.compile(r"\[ \](?!\S)|(?:`+[^`]*`+|[^\s`]|`+)++")
_DASH = re.compile(r"(?<=[^\W\d_])(—)(?=[^\W\d_])")
_SPACELESS_END = re.compile(r"(?<=[。！？])(?=\w)")
_SENTENCE_END = re.compile(r"""[\w`%)\]"'”’][.!?]+["'”’)\]]*$|[。！？]$""")
_FULL_STOP = re.compile(r"""([\w`%)\]"'”’])\.(["'”’)\]]*)$|(?<=.)。$""")
_COMMA = re.compile(r"""(?<=[\w`%)\]"'”’]),$""")
_AFTER_COMMA = frozenset({"and", "because", "so"})
_ABBREVIATION = re.compile(
    r"(?:[A-Z\d]|(?i:e\.g|i\.e|etc|vs|cf|mrs?|ms|dr|no|st|inc|ltd|corp|approx|fig|prof|dept|jr))\."
)


class Statement(NamedTuple):
    """One statement and its place.

    ``place`` are the headings, the lead-in and the list items above it, case folded,
    and the marker before it. The tokens of ``code`` are lines. ``block`` is the number
    of its paragraph, item, heading, row or code block.
    """

    place: tuple[str, ...]
    tokens: tuple[str, ...]
    code: bool = False
    block: int = 0

    @property
    def key(self) -> str:
        """Return a key that is equal for statements that are the same."""
        return " ".join(_DASHES.get(token, token) for token in self.tokens).casefold()


_DASHES = {"–": "-", "—": "-", "--": "-"}


@lru_cache(maxsize=512)
def read_statements(text: str) -> tuple[Statement, ...]:
    """Read a text; cached, because one text is compared with many."""
    lines = normal_form("NFC", text).replace("\r\n", "\n").split("\n")
    markers = {found[2] for found in map(_ITEM.match, lines) if found}
    reader = _Reader(one_style=len(markers & set(_BULLETS)) == 1)
    for line in lines:
        reader.read(line)
    reader.end_code()
    reader.end_piece()
    return tuple(reader.statements)


class _Reader:
    """Collects statements line by line."""

    def __init__(self, *, one_style: bool) -> None:
        self.statements: list[Statement] = []
        self._one_style = one_style
        self._headings: list[tuple[int, str]] = []
        self._items: list[tuple[int, str]] = []
        self._lead = ""
        self._piece: list[str] = []
        self._marker = ""
        self._fence = ""
        self._code: list[str] = []
        self._indent: int | None = None
        """Indentation of the lines of the paragraph; deeper ones are not its width."""
        self._is_laid_out = False

    def read(self, line: str) -> None:
        bare = line.strip()
        indent = len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())
        if self._fence:
            self._code.append(line)
            if closes_fence(bare, self._fence):
                self.end_code()
            return
        if not bare:
            self.end_piece()
            self._is_laid_out = False
        elif opening := fence(bare):
            self.end_piece()
            self._fence, self._code = opening, [line]
        elif indent < CODE_INDENT and heading(bare) is not None:
            self._read_heading(bare)
        elif self._is_laid_out:
            self._add((line,), code=True)
        elif item := _ITEM.match(line):
            self._begin_item(indent, item[2], line[item.end() :])
        elif bare[0] in "|>":
            self.end_piece()
            self._add(_tokens(bare))
        else:
            self._read_prose(line, bare, indent)

    def _read_prose(self, line: str, bare: str, indent: int) -> None:
        if self._piece and self._is_deeper(indent):
            self.end_piece()
            self._is_laid_out = True
            self._add((line,), code=True)
        elif self._piece:
            self._piece.append(bare)
        elif indent >= CODE_INDENT:
            self._add((line,), code=True)
        else:
            self._items = [item for item in self._items if item[0] < indent]
            self._piece, self._indent = [bare], indent

    def _is_deeper(self, indent: int) -> bool:
        """Return True for a line whose indentation says something: code, or YAML."""
        if self._indent is None:
            self._indent = indent
        return indent > self._indent

    def end_code(self) -> None:
        if self._code:
            self._add(self._code, code=True)
        self._fence, self._code = "", []

    def end_piece(self) -> None:
        if not self._piece:
            return
        tokens = _tokens(" ".join(self._piece))
        first = len(self.statements)
        is_item = bool(self._marker)
        for sentence in _sentences(tokens):
            self._add(sentence, block=first)
            if self._marker:  # the other sentences are below it
                self._items[-1] = (self._items[-1][0], _name(self.statements[first]))
                self._marker = ""
        if not is_item:
            ends = tokens[-1].endswith((":", "："))
            self._lead = _name(self.statements[-1]) if ends else ""
        self._piece = []

    def _read_heading(self, bare: str) -> None:
        self.end_piece()
        self._items, self._lead = [], ""
        level = len(bare) - len(bare.lstrip("#"))
        self._headings = [one for one in self._headings if one[0] < level]
        self._marker = bare[:level]
        self._add(_ended(_tokens(bare[level:])))
        self._marker = ""
        name = bare[:level] + _name(self.statements[-1])
        self._headings.append((level, name))

    def _begin_item(self, indent: int, marker: str, rest: str) -> None:
        self.end_piece()
        if marker not in _BULLETS:
            marker = marker[:-1] + "."
        elif self._one_style and not rest[:1].isdigit():
            marker = "-"
        self._items = [item for item in self._items if item[0] < indent]
        self._items.append((indent, ""))
        self._marker, self._piece = marker, [rest.strip()]
        self._indent = None

    def _place(self) -> tuple[str, ...]:
        above = (name for _, name in (*self._headings, *self._items))
        return (*above, self._lead, self._marker)

    def _add(
        self, tokens: Sequence[str], *, code: bool = False, block: int | None = None
    ) -> None:
        number = len(self.statements) if block is None else block
        self.statements.append(Statement(self._place(), tuple(tokens), code, number))


def _name(above: Statement) -> str:
    """Return the name of what other statements are below, short for a long one."""
    key = above.key
    if len(key) <= _NAME_CHARS:
        return key
    digest = hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{key[:_NAME_CHARS]}{digest}"


def _tokens(line: str) -> list[str]:
    """Return the words and signs of a line; code in backticks is never split."""
    tokens: list[str] = []
    for match in _TOKEN.finditer(line):
        token = match[0]
        if "`" in token or token.isascii():
            tokens.append(token)
        else:
            spaced = _DASH.sub(r" \1 ", _SPACELESS_END.sub(" ", token))
            tokens += spaced.split()
    return [_without_comma(*pair) for pair in pairwise([*tokens, ""])]


def _without_comma(token: str, after: str) -> str:
    return _COMMA.sub("", token) if after.lower() in _AFTER_COMMA else token


def _sentences(tokens: Sequence[str]) -> Iterator[list[str]]:
    start = 0
    for at, token in enumerate(tokens, 1):
        ends = _SENTENCE_END.search(token) and not _ABBREVIATION.fullmatch(token)
        if ends or at == len(tokens):
            yield _ended(tokens[start:at])
            start = at


def _ended(tokens: Sequence[str]) -> list[str]:
    """Return the tokens without the full stop that ends the sentence."""
    if not tokens:
        return []
    return [*tokens[:-1], _FULL_STOP.sub(r"\1\2", tokens[-1])]
