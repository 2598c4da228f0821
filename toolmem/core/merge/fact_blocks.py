"""Split a file of facts into tokens for a merge: one for each fact, line or block.

Code, comments of several lines, front matter and open conflicts are one token each: a
conflict mark inside would end it, or be part of it. The token of a fact names it and
has no value; values are merged separately.
"""

from bisect import bisect_right
from collections.abc import Sequence

from toolmem.core.facts.parse import parse_facts
from toolmem.core.text.conflict_marks import END, OURS
from toolmem.core.text.textlines import closes_fence, fence, split_lines

_FACT = "\n\0"
"""Prefix of a fact's token: no other one continues after a line break at its start."""
_COMMENT, _COMMENT_END = "<!--", "-->"


def fact_token(namespace: str, key: str) -> str:
    """Return the token of a fact."""
    return f"{_FACT}{namespace}\n{key}\n"


def name_of(token: str) -> tuple[str, str] | None:
    """Return namespace and key of a fact's token, else None."""
    if not token.startswith(_FACT):
        return None
    namespace, key = token.removeprefix(_FACT).removesuffix("\n").split("\n")
    return namespace, key


def tokens_of(text: str) -> tuple[list[str], dict[tuple[str, str], str]]:
    """Return the tokens of a file, and the lines of its facts by namespace and key."""
    facts = {fact.line: (fact.namespace, fact.key) for fact in parse_facts(text).facts}
    lines = split_lines(text)
    ends = _Ends(lines)
    tokens: list[str] = []
    rows: dict[tuple[str, str], str] = {}
    at = 0
    while at < len(lines):
        name = facts.get(at + 1)
        end = at + 1 if name else ends.of(at)
        if name:
            tokens.append(fact_token(*name))
            rows[name] = lines[at]
        else:
            tokens.append("".join(lines[at:end]))
        at = end
    return tokens, rows


class _Ends:
    """Ends of blocks; the lines that end one are searched for once."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._comments = [n for n, line in enumerate(lines) if _COMMENT_END in line]
        self._marks = [n for n, line in enumerate(lines) if line.strip() == END]

    def of(self, at: int) -> int:
        """Return the number of the line after the block that begins at a line."""
        line = self._lines[at].strip()
        run = fence(line) if line else ""
        if at == 0 and line == "---":
            rest = range(1, len(self._lines))
            return next((n + 1 for n in rest if self._lines[n].rstrip() == "---"), 1)
        if line == OURS:
            return _after(self._marks, at)
        if run:
            rest = range(at + 1, len(self._lines))
            closing = (n + 1 for n in rest if closes_fence(self._lines[n].strip(), run))
            return next(closing, len(self._lines))
        if _COMMENT in line and _COMMENT_END not in line.rpartition(_COMMENT)[2]:
            return _after(self._comments, at)
        return at + 1


def _after(numbers: Sequence[int], at: int) -> int:
    """Return the line after the first of these numbers below a line, else the next."""
    place = bisect_right(numbers, at)
    return numbers[place] + 1 if place < len(numbers) else at + 1
