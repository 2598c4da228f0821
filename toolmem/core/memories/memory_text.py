"""Parse a memory: title, body, summary and typed fields.

Nothing here raises: a field of the wrong type is a problem with its line and counts as
absent, and a memory that cannot be read as a whole is private.
"""

from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any, NamedTuple

from toolmem.core import limits
from toolmem.core.memories import header_values, naming
from toolmem.core.memories.front_matter import MemoryParts, read_header, split_header
from toolmem.core.memories.header_line import (
    HeaderEntry,
    Node,
    PlainScalar,
)
from toolmem.core.memories.original import split_original
from toolmem.core.text.safetext import one_line
from toolmem.core.text.textlines import (
    BLANKS,
    BOM,
    CODE_INDENT,
    TextProblem,
    closes_fence,
    fence,
    find_non_text,
    find_unsafe_line,
    heading,
    split_lines,
)

_HEAD_CHARS = 100
"""Characters in which a text may begin with its title, besides twice the title."""


class ParsedMemory(NamedTuple):
    """A parsed memory.

    ``id`` is the file stem. ``body`` is everything below the header, unchanged.
    ``summary`` is the field, else the text between the title and the marker of the
    original; ``original`` is the text below that marker. Both may be empty.
    ``original_path`` is the field ``original``. ``settled`` are ids and facts about
    which a person has decided, so that ``reflect`` proposes nothing. Times are UTC.
    ``extra`` are the unknown keys in order. ``private`` is also true for a text that
    could not be understood.
    """

    path: str
    id: str
    title: str
    body: str
    summary: str
    original: str
    private: bool
    problems: tuple[TextProblem, ...]
    extra: Mapping[str, Any]
    tags: tuple[str, ...] = ()
    topic: str | None = None
    kind: str | None = None
    importance: float = limits.IMPORTANCE
    created: date | datetime | None = None
    updated: date | datetime | None = None
    expires_at: date | datetime | None = None
    supersedes: tuple[str, ...] = ()
    contested_with: tuple[str, ...] = ()
    related_to: tuple[str, ...] = ()
    settled: tuple[str, ...] = ()
    source: str | None = None
    source_task: str | None = None
    source_tasks_additional: tuple[str, ...] = ()
    agent: str | None = None
    confidence: float | None = None
    original_path: str | None = None


def parse_memory(text: str, *, path: str) -> ParsedMemory:
    """Parse any text as a memory; problems are reported, never raised."""
    split = split_header(text)
    known, extra, illegible, wrong = _read_header(split)
    body = split.body if split.opening else split.body.removeprefix(BOM)
    title, summary, original = _outline(body)
    if non_text := find_non_text(text):
        illegible.append(non_text)
    problems = [*illegible, *wrong, *_unsafe_body(body, split)]
    private = known.pop("private", False) or bool(illegible) or _contested(extra)
    return ParsedMemory(
        path=path,
        id=path.rpartition("/")[2].removesuffix(".md"),
        title=title,
        body=body,
        summary=known.pop("summary", None) or summary,
        original=original,
        private=private,
        problems=tuple(sorted(problems, key=lambda problem: problem.line)),
        extra=extra,
        **known,
    )


def compared_text(parsed: ParsedMemory) -> str:
    """Return title and text; a title repeated in the text counts once."""
    text = parsed.original or parsed.body
    body = naming.without_title(text)
    cut = parsed.title.rstrip("…. ")
    opening = one_line(body[: 2 * len(cut) + _HEAD_CHARS].lstrip("#-*> \t"))
    repeats = opening.startswith(cut) or naming.title_of(body) == parsed.title
    return body if repeats else f"# {parsed.title}\n\n{body}"


class _WrongTypeError(Exception):
    """A field of the wrong type; the message names the expected one."""


def _text(node: Node) -> str | None:
    """Return text as written: ``topic: no`` and ``source_task: 0123`` are text."""
    if isinstance(node, (list, dict)):
        raise _WrongTypeError("text")
    if isinstance(node, PlainScalar) and node.text in header_values.NULLS:
        return None
    written = node.text if isinstance(node, PlainScalar) else node
    return written.strip() or None


def _line(node: Node) -> str | None:
    text = _text(node)
    return one_line(text) if text else None


def _lines(node: Node) -> tuple[str, ...]:
    """Return a list of texts, or a single one as a list, without duplicates."""
    items = node if isinstance(node, list) else [node]
    try:
        lines = [_line(item) for item in items]
    except _WrongTypeError:
        raise _WrongTypeError("a list of texts") from None
    return tuple(dict.fromkeys(filter(None, lines)))


def _share(node: Node) -> float | None:
    value = header_values.value_of(node)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise _WrongTypeError("a number from 0 to 1")
    if not 0 <= value <= 1:
        raise _WrongTypeError("a number from 0 to 1")
    return float(value)


def _time(node: Node) -> date | datetime | None:
    text = _text(node)
    moment = header_values.parse_time(text) if text else None
    if text and moment is None:
        raise _WrongTypeError("a date such as 2026-04-07")
    return moment


def _flag(node: Node) -> bool | None:
    value = header_values.value_of(node)
    return value if isinstance(value, bool) else None


_FIELDS: Mapping[str, Callable[[Node], Any]] = {
    "tags": _lines,
    "topic": _line,
    "kind": _line,
    "importance": _share,
    "created": _time,
    "updated": _time,
    "expires_at": _time,
    "supersedes": _lines,
    "contested_with": _lines,
    "related_to": _lines,
    "settled": _lines,
    "private": _flag,
    "summary": _text,
    "source": _line,
    "source_task": _line,
    "source_tasks_additional": _lines,
    "agent": _line,
    "confidence": _share,
    "original": _line,
}
"""Reader of each known field; ``None`` is an absent field."""


def _read_header(
    split: MemoryParts,
) -> tuple[dict[str, Any], dict[str, Any], list[TextProblem], list[TextProblem]]:
    """Return the known fields, the unknown ones, the problems that make the memory
    private, and the others."""
    header = read_header(split)
    known, extra, wrong = _read_fields(header.entries)
    unclear = _unclear_privacy(header.entries)
    return known, extra, [*split.problems, *header.problems, *unclear], wrong


def _read_fields(
    entries: Mapping[str, HeaderEntry],
) -> tuple[dict[str, Any], dict[str, Any], list[TextProblem]]:
    """Return the known fields, the unknown ones, and the problems."""
    known: dict[str, Any] = {}
    extra: dict[str, Any] = {}
    wrong = []
    for key, entry in entries.items():
        if key not in _FIELDS:
            extra[key] = header_values.value_of(entry.node)
            continue
        try:
            value = _FIELDS[key](entry.node)
        except _WrongTypeError as error:
            message = f"{key} is not {error}: it is ignored"
            wrong.append(TextProblem(entry.key_start[0] + 2, "wrong-type", message))
            continue
        if value is not None:
            known["original_path" if key == "original" else key] = value
    return known, extra, wrong


def _unclear_privacy(entries: Mapping[str, HeaderEntry]) -> list[TextProblem]:
    """Report keys about privacy that are not ``private: true`` or ``false``."""
    return [
        TextProblem(
            entry.key_start[0] + 2,
            "wrong-type",
            "write `private: true` or `private: false`: the memory is treated as "
            "private",
        )
        for key, entry in entries.items()
        if (_flag(entry.node) is None if key == "private" else _is_about_privacy(key))
    ]


def _is_about_privacy(key: str) -> bool:
    """Return True for the key ``private`` in any spelling."""
    return "".join(filter(str.isalnum, key)).casefold() == "private"


def _contested(extra: Mapping[str, Any]) -> bool:
    """Return True if one side of an unresolved merge is private."""
    conflict = extra.get("conflict")
    return isinstance(conflict, dict) and "private" in conflict


def _unsafe_body(body: str, split: MemoryParts) -> list[TextProblem]:
    unsafe = find_unsafe_line(body)
    if unsafe is None:
        return []
    above = (split.opening + split.header + split.closing).count("\n")
    return [TextProblem(above + unsafe.line, unsafe.code, unsafe.message)]


def _outline(body: str) -> tuple[str, str, str]:
    """Return title, summary and original; the last two may be empty."""
    parts = split_original(body)
    title, end = _title(body if parts is None else parts[0])
    if parts is None:
        return title, "", ""
    original = parts[1].strip("\r\n")
    top = one_line(original.lstrip("# \t\r\n").split("\n", 1)[0])
    return title or top, parts[0][end:].strip(), original


def _title(text: str) -> tuple[str, int]:
    """Return the first ``# heading`` and its end, else the first line with text."""
    first = opening = ""
    at = 0
    for line in split_lines(text):
        at += len(line)
        bare = line.strip()
        if opening:
            opening = "" if closes_fence(bare, opening) else opening
            continue
        indented = not line[:CODE_INDENT].strip(BLANKS)
        opening = "" if indented else fence(bare)
        if opening or not bare:
            continue
        title = None if indented else heading(bare)
        if title and title[0] == 1 and title[1]:
            return one_line(title[1]), at
        first = first or one_line(title[1] if title else bare)
    return first, 0
