"""Split a memory's text into its statements.

Stamps ("updated 2026-04-07") and headings without content ("Note") are not statements.
A text is read once and compared with many others.
"""

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import NamedTuple

from toolmem.core.comparison.grammar import FILLERS
from toolmem.core.comparison.tokens import (
    CODE,
    DASH,
    ComparedToken,
    is_label,
    tokens_of,
)
from toolmem.core.memories.sentences import blocks, is_fence, sentences

HEADING, STEP, FENCE, PROSE = "heading step fence prose".split()
_STAMP = re.compile(
    r"[(\[]?\b(?:last\s)?(?:updated|edited|modified|reviewed|verified|checked|"
    r"as of|noted|saved|recorded)(?:\s(?:on|at))?:?\s"
    r"\d{4}-\d\d-\d\d(?:[T\s]\d\d:\d\d(?::\d\d)?Z?)?[)\]]?",
    re.IGNORECASE,
)
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+\S")
_STEP = re.compile(r"\s*\d{1,3}[.)]\s+\S")
_EMPTY_HEADINGS = frozenset({"note", "summary", "memory", "insight", "original"})
_FENCE_LINE = re.compile(r"\s{0,3}(```|~~~)")


class Statement(NamedTuple):
    """One sentence, heading, step or code fence, and the heading that it is under."""

    tokens: tuple[ComparedToken, ...]
    kind: str = PROSE
    under: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of the tokens, which comparisons use."""
        return tuple(token.key for token in self.tokens)


class Document:
    """Statements of one text."""

    def __init__(self, statements: tuple[Statement, ...]) -> None:
        self.statements = statements

    @cached_property
    def tokens(self) -> tuple[ComparedToken, ...]:
        """All tokens in their order."""
        return tuple(token for one in self.statements for token in one.tokens)

    @cached_property
    def headings(self) -> frozenset[str]:
        """Headings that have statements under them."""
        return frozenset(one.under for one in self.statements if one.under)


@lru_cache(maxsize=256)
def read_document(text: str) -> Document:
    """Read a text; cached, because one text is compared with many."""
    found: list[Statement] = []
    under = ""
    for block in blocks(_STAMP.sub(" ", text)):
        if is_fence(block):
            found.append(Statement(_code_lines(block), FENCE, under))
            continue
        kind = PROSE
        if _HEADING.match(block):
            kind = HEADING
        elif _STEP.match(block):
            kind = STEP
        for sentence in sentences(block):
            for tokens in _parts(tokens_of(sentence)):
                if kind != HEADING:
                    found.append(Statement(tokens, kind, under))
                elif len(tokens) > 1 or tokens[0].key not in _EMPTY_HEADINGS:
                    under = " ".join(token.key for token in tokens)
                    found.append(Statement(tokens, HEADING))
    return Document(tuple(found))


@lru_cache(maxsize=10_000)
def key_of(statement: str) -> tuple[str, ...]:
    """Return the comparison keys of one statement."""
    return tuple(token.key for token in _without_fillers(tokens_of(statement)))


def _parts(tokens: tuple[ComparedToken, ...]) -> Iterator[tuple[ComparedToken, ...]]:
    """Yield the statements of a sentence, separated by semicolons."""
    start = 0
    for at, token in enumerate(tokens, 1):
        if token.ends in (";", "；") or at == len(tokens):
            content = _without_fillers(tokens[start:at])
            if content:
                yield content
            start = at


def _without_fillers(tokens: tuple[ComparedToken, ...]) -> tuple[ComparedToken, ...]:
    content: list[ComparedToken] = []
    for token in tokens:
        if token.key not in FILLERS or is_label(token):
            content.append(token)
        elif token.ends and content:  # the clause still ends here
            content[-1] = content[-1]._replace(ends=token.ends)
    while content and content[0].kind == DASH:
        content.pop(0)
    while content and content[-1].kind == DASH:
        content.pop()
    return tuple(content)


def _code_lines(block: str) -> tuple[ComparedToken, ...]:
    """Return one token a line, without the fence lines and the common indentation."""
    lines = [line.rstrip() for line in block.split("\n") if line.strip()]
    lines = [line for line in lines if not _FENCE_LINE.match(line)]
    margin = min((len(line) - len(line.lstrip()) for line in lines), default=0)
    return tuple(
        ComparedToken(line[margin:], line[margin:].strip().lower(), CODE)
        for line in lines
    )
