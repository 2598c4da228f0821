"""Split a file of facts into tokens for a merge: one for each fact, line or block.

Code, comments of several lines, front matter and open conflicts are one token each: a
conflict mark inside would end it, or be part of it. The token of a fact names it and
has no value; values are merged separately.
"""

from collections.abc import Iterator, Sequence

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
    tokens: list[str] = []
    rows: dict[tuple[str, str], str] = {}
    at = 0
    while at < len(lines):
        name = facts.get(at + 1)
        end = at + 1 if name else _end_of(lines, at)
        if name:
            tokens.append(fact_token(*name))
            rows[name] = lines[at]
        else:
            tokens.append("".join(lines[at:end]))
        at = end
    return tokens, rows


def _end_of(lines: Sequence[str], at: int) -> int:
    """Return the number of the line after the block that begins at a line."""
    line = lines[at].strip()
    if not line:
        return at + 1
    rest = range(at + 1, len(lines))
    if at == 0 and line == "---":
        return _after(n for n in rest if lines[n].rstrip() == "---") or at + 1
    if line == OURS:
        return _after(n for n in rest if lines[n].strip() == END) or at + 1
    run = fence(line)
    if run:
        closing = (n for n in rest if closes_fence(lines[n].strip(), run))
        return _after(closing) or len(lines)
    if _COMMENT in line and _COMMENT_END not in line.rpartition(_COMMENT)[2]:
        return _after(n for n in rest if _COMMENT_END in lines[n]) or at + 1
    return at + 1


def _after(numbers: Iterator[int]) -> int:
    found = next(numbers, None)
    return 0 if found is None else found + 1
