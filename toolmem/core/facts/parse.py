"""Parse the facts of a ``facts.md`` and their namespaces."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from toolmem.core.facts.blocks import Blocks, read_blocks
from toolmem.core.text.conflict_marks import conflict_line
from toolmem.core.text.normal_form import normal_form
from toolmem.core.text.safetext import find_unsafe, visible
from toolmem.core.text.textlines import BLANKS, BOM, TextProblem, find_unsafe_line

DEFAULT_NAMESPACE = "project"
"""Namespace of facts above the first ``## heading``, and of ``set`` without one."""
PROSE = frozenset({"note", "todo", "warning", "tip", "example", "important", "see"})
"""Words before a colon that begin a remark, not a fact (compared in lower case)."""
_FACT = re.compile(r"([^\s:|#><\[*+`-][^\s:|]*)[ \t]*:(.*)", re.DOTALL)
_KEY = r"[^\s:|*_]{1,200}"
_SEVERAL = r"[\w.-]{1,80}(?: [\w.-]{1,80}){1,2}"
_SIMILAR = (
    re.compile(rf"`({_KEY})`[ \t]*:[ \t]*[^\s:]"),
    re.compile(rf"\|[ \t]*[`*_]*({_KEY})[`*_]*[ \t]*\|[ \t]*[^\s|][^|]*\|?[ \t]*\Z"),
    re.compile(rf"[0-9]{{1,9}}[.)][ \t]+[`*_]*({_KEY})[`*_]*[ \t]*:[ \t]+\S"),
    re.compile(r"[`*_]*([\w.-]{1,80})[`*_]*[ \t]*(?:=|：)[ \t]*[^\s=]"),
    re.compile(rf"(?:>|\[[ xX]\])[ \t]*[`*_]*({_KEY})[`*_]*[ \t]*:[ \t]+\S"),
    re.compile(rf"({_SEVERAL})[ \t]*:[ \t]+[^\s.!?:;]\S{{0,200}}(?<![.!?:;])\Z"),
)
_NESTED = re.compile(r"[`*_]*([\w.-]{1,80})[`*_]*[ \t]*:[ \t]+\S")
_OF_WORDS = re.compile(rf"({_SEVERAL})[ \t]*:[ \t]+\S")
"""In an item of a list: elsewhere a value of several words is prose."""
_MARKED = re.compile(rf"\*\*({_KEY})(?:\*\*:|:\*\*)|__({_KEY})(?:__:|:__)")


class FactLine(NamedTuple):
    """One fact of a text; ``line`` counts from 1, ``column`` is where the key begins.

    Columns count characters from 0, after the byte order mark if there is one.
    """

    namespace: str
    key: str
    value: str
    line: int
    column: int


class ParsedFacts(NamedTuple):
    """Facts of a ``facts.md``, and positions for an editor of it.

    ``facts`` has the last line of each namespace and key, in the order of the file;
    ``lines`` also has those that a later line overrides. ``headings`` are namespace and
    line; ``places`` are the lines before which a new line can be inserted (see
    ``Blocks``).
    """

    facts: tuple[FactLine, ...]
    problems: tuple[TextProblem, ...]
    lines: tuple[FactLine, ...]
    headings: tuple[tuple[str, int], ...]
    places: tuple[int, ...]


def parse_facts(text: str) -> ParsedFacts:
    """Parse any text as facts; problems are reported, never raised."""
    rows = [row.removesuffix("\r") for row in text.removeprefix(BOM).split("\n")]
    if not rows[-1]:
        rows.pop()
    conflict = conflict_line(text)
    blocks = read_blocks(rows, in_conflict=conflict > 0)
    lines, headings = _read_lines(blocks)
    winners = {(fact.namespace, fact.key): fact for fact in lines}
    numbers = [fact.line for fact in lines] + [number for _, number in headings]
    problems = [
        *_block_problems(blocks, rows),
        *_marked_keys(blocks),
        *_similar_lines(blocks, rows),
        *_conflicts(conflict),
        *_overridden(lines, winners),
        *_unsafe_lines(text, rows, numbers),
    ]
    return ParsedFacts(
        facts=tuple(sorted(winners.values(), key=lambda fact: fact.line)),
        problems=tuple(sorted(problems, key=lambda problem: problem.line)),
        lines=tuple(lines),
        headings=tuple(headings),
        places=blocks.places,
    )


def read_fact(content: str) -> tuple[str, str] | None:
    """Return key (NFC) and value of a line without its bullet, if it is a fact."""
    match = _FACT.match(content)
    if not match:
        return None
    key, value = plain_name(match[1]), match[2].strip(BLANKS)
    bold = key.startswith("__") and key.endswith("__")
    if bold or key.casefold() in PROSE or value.startswith("//"):
        return None
    return key, value


def plain_name(name: str) -> str:
    """Return a key or namespace in the form that is compared: NFC."""
    return name if name.isascii() else normal_form("NFC", name)


def _read_lines(blocks: Blocks) -> tuple[list[FactLine], list[tuple[str, int]]]:
    namespace = DEFAULT_NAMESPACE
    lines: list[FactLine] = []
    headings: list[tuple[str, int]] = []
    for top in blocks.tops:
        if top.title:
            level, name = top.title
            if level == 2 and name:
                namespace = plain_name(name)
                headings.append((namespace, top.number))
            continue
        pair = read_fact(top.content)
        if pair:
            lines.append(FactLine(namespace, *pair, top.number, top.column))
    return lines, headings


def _block_problems(blocks: Blocks, rows: Sequence[str]) -> list[TextProblem]:
    problems = []
    if blocks.unclosed:
        message = (
            "the block that begins here has no end: the facts below it are not read"
        )
        problems.append(TextProblem(blocks.unclosed, "unclosed-block", message))
    for number in blocks.split_comments:
        message = "a comment begins inside this line and hides the next ones"
        problems.append(TextProblem(number, "split-comment", message, "warning"))
    for number, row in enumerate(rows[: blocks.first - 1], 1):
        if row.startswith("## "):
            message = "the heading is in front matter: the facts below it are not read"
            problems.append(
                TextProblem(number, "heading-in-header", message, "warning")
            )
    return problems


def _marked_keys(blocks: Blocks) -> Iterator[TextProblem]:
    """Report lines that would be facts if their key were not bold."""
    for top in blocks.tops:
        match = None if top.title else _MARKED.match(top.content)
        key = match and next(filter(None, match.groups()), "")
        if key and key.casefold() not in PROSE:
            message = f"a key in bold is not read as a fact: write {visible(key)}: …"
            yield TextProblem(top.number, "marked-key", message, "warning")


def _similar_lines(blocks: Blocks, rows: Sequence[str]) -> Iterator[TextProblem]:
    """Report lines that look like facts in another form."""
    message = "looks like a fact and is not read: write `key: value`, the key one word"
    for top in blocks.nested:
        match = _NESTED.match(top.content)
        if match and match[1].casefold() not in PROSE:
            below = "looks like a fact and is not read: it is below another item"
            yield TextProblem(top.number, "unread-fact", below, "warning")
    for top in (*blocks.tops, *blocks.others):
        in_list = rows[top.number - 1].lstrip(BLANKS)[:1] in ("-", "*", "+")
        forms = (*_SIMILAR, _OF_WORDS) if in_list else _SIMILAR
        matches = [] if top.title else [form.match(top.content) for form in forms]
        key = next((match[1] for match in matches if match), "")
        is_prose = not key or key.split()[0].casefold() in PROSE
        if not is_prose and not read_fact(top.content):
            yield TextProblem(top.number, "unread-fact", message, "warning")


def _conflicts(line: int) -> list[TextProblem]:
    message = "an unresolved merge conflict: the facts inside it are not read"
    return [TextProblem(line, "conflict-marker", message)] if line else []


def _overridden(
    lines: Sequence[FactLine], winners: dict[tuple[str, str], FactLine]
) -> list[TextProblem]:
    """Report each key that is set twice, at the line that counts."""
    first: dict[tuple[str, str], int] = {}
    for fact in lines:
        first.setdefault((fact.namespace, fact.key), fact.line)
    problems = []
    for name, fact in winners.items():
        if first[name] != fact.line:
            message = f"{visible(fact.key)} is already set in line {first[name]}"
            problems.append(TextProblem(fact.line, "duplicate-key", message, "warning"))
    return problems


def _unsafe_lines(
    text: str, rows: Sequence[str], numbers: Sequence[int]
) -> list[TextProblem]:
    """Report unsafe characters in each line that counts, else the first elsewhere."""
    first = find_unsafe_line(text.removeprefix(BOM))
    if first is None:
        return []
    problems = []
    for number in numbers:
        unsafe = find_unsafe(rows[number - 1].replace("\t", " "))
        if unsafe:
            problems.append(TextProblem(number, "unsafe-text", f"contains {unsafe[1]}"))
    return problems or [first]
