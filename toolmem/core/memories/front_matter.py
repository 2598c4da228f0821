"""Find and read the header of a memory, strictly.

python-frontmatter treats a file that it cannot split as one without a header, and YAML
converts ``no``, ``0123`` and ``*alias``. Therefore the fence is exact, the YAML is a
small safe subset, and any violation makes the memory private, so that none becomes
public by accident.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import yaml
from frontmatter.default_handlers import YAMLHandler

from toolmem.core import limits
from toolmem.core.memories.header_values import Node, PlainScalar, value_of
from toolmem.core.text.conflict_marks import conflict_line
from toolmem.core.text.safetext import visible
from toolmem.core.text.textlines import BOM, TextProblem, find_unsafe_line

try:
    from yaml import CSafeLoader as SafeLoader
except ImportError:  # PyYAML was built without libyaml
    from yaml import SafeLoader  # type: ignore[assignment]

_FENCE = re.compile(r"^---(?:\r?\n|\Z)", re.MULTILINE)
"""A line of exactly ``---``; the library also accepts more dashes and blanks."""
_HANDLER = YAMLHandler(fm_boundary=_FENCE)
_PRIVATE = re.compile(r"^[^\w\n]*private[^\w\n]*:", re.IGNORECASE | re.MULTILINE)


_ONE_LINE = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*: +[^\s|>&*!?%@`#-].{0,200}")
"""Key and value on a line that cannot continue on the next."""
_WORD_LINE = re.compile(r"([A-Za-z_][A-Za-z0-9_-]*: +)([A-Za-z0-9][A-Za-z0-9_.-]*)")
"""A line with a one-word value: YAML reads any word of the same length alike."""


class MemoryParts(NamedTuple):
    """Parts of a memory's text; joined in this order they are the text.

    ``opening`` and ``closing`` are the fence lines, empty without a header. A text with
    a problem is ``private``.
    """

    opening: str
    header: str
    closing: str
    body: str
    problems: tuple[TextProblem, ...] = ()

    @property
    def private(self) -> bool:
        """True if the header may contain something that was not understood."""
        return bool(self.problems)


Spot = tuple[int, int]
"""Line and column in the header, both from 0."""


class HeaderEntry(NamedTuple):
    """One key of a header and its position; ``end`` is after its last value.

    A block scalar (``|`` or ``>``) ends in column 0 of the line below it.
    """

    node: Node
    key_start: Spot
    key_end: Spot
    start: Spot
    end: Spot


class MemoryHeader(NamedTuple):
    """Keys of a header in order; none if there is a problem."""

    entries: Mapping[str, HeaderEntry]
    problems: tuple[TextProblem, ...] = ()


def split_header(text: str) -> MemoryParts:
    """Find the header: line 1 is exactly ``---``, and a later line closes it."""
    problems = []
    conflict = conflict_line(text)
    if conflict:
        message = "an unresolved merge conflict"
        problems.append(TextProblem(conflict, "conflict-marker", message))
    opening = _FENCE.match(text)
    found = _header_and_body(text) if opening else None
    if opening and found:
        header, body = found
        closing = text[opening.end() + len(header) : len(text) - len(body)]
        return MemoryParts(opening[0], header, closing, body, tuple(problems))
    line = 1 if opening else _header_like_line(text)
    if line:
        mark = "save it without a byte order mark, " if text.startswith(BOM) else ""
        message = (
            f"looks like a header but is not valid: {mark}begin and end it"
            " with lines that are exactly ---, the first one on top"
        )
        problems.append(TextProblem(line, "invalid-header", message))
    return MemoryParts("", "", "", text, tuple(problems))


def _header_and_body(text: str) -> tuple[str, str] | None:
    try:
        return _HANDLER.split(text)
    except ValueError:  # no line closes the header
        return None


def read_header(split: MemoryParts) -> MemoryHeader:
    """Return the keys of a header, or the one problem that prevents reading it.

    Line numbers are those of the file.
    """
    size = len(split.header.encode("utf-8", "surrogatepass"))
    if size > limits.FRONT_MATTER_BYTES:
        return _unread(1, f"longer than {limits.FRONT_MATTER_BYTES} bytes")
    unsafe = find_unsafe_line(split.header)
    if unsafe:
        problem = TextProblem(unsafe.line + 1, unsafe.code, unsafe.message)
        return MemoryHeader({}, (problem,))
    try:
        entries = _by_line(split.header) or _parse(split.header)
    except _RefusedError as error:
        return _unread(error.line + 2, error.message)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line if error.problem_mark else 0
        return _unread(line + 2, error.problem or "not YAML")
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
        return _unread(1, str(error))
    return MemoryHeader(entries)


def _parse(header: str) -> dict[str, HeaderEntry]:
    """Read a header; raises the errors of YAML and `_StrictLoader`."""
    return _HANDLER.load(header, Loader=_StrictLoader)  # type: ignore[no-any-return]


def _by_line(header: str) -> dict[str, HeaderEntry]:
    """Read a header whose lines are all independent; return {} for any other.

    Lines are cached, because most of them occur in many headers.
    """
    lines = header.split("\n")
    if lines.pop():
        return {}
    entries: dict[str, HeaderEntry] = {}
    for number, line in enumerate(lines):
        word = _WORD_LINE.fullmatch(line)
        alone = _read_line(word[1] + "x" * len(word[2]) if word else line)
        if alone is None or alone[0] in entries:
            return {}
        key, (node, key_start, key_end, start, end) = alone
        entries[key] = HeaderEntry(
            PlainScalar(word[2]) if word else node,
            (number, key_start[1]),
            (number, key_end[1]),
            (number, start[1]),
            (number, end[1]),
        )
    return entries


@lru_cache(maxsize=4096)
def _read_line(line: str) -> tuple[str, HeaderEntry] | None:
    """Return the key and value of a line that is complete by itself."""
    if not _ONE_LINE.fullmatch(line):
        return None
    try:
        entries = _parse(line + "\n")
    except (yaml.YAMLError, ValueError, TypeError, RecursionError):
        return None
    ((key, entry),) = entries.items()
    return (key, entry) if entry.end[0] == 0 else None


def _unread(line: int, reason: str) -> MemoryHeader:
    message = f"the header cannot be read: {visible(reason)}"
    return MemoryHeader({}, (TextProblem(line, "invalid-header", message),))


def _header_like_line(text: str) -> int:
    """Return the line that suggests that a text was meant to have a header, or 0.

    That is a first line that is a fence except for a blank, an invisible character, a
    fourth dash or an autocorrected dash, or a line ``private:`` in the beginning.
    """
    top = text[: limits.HEADER_SEARCH_CHARS]
    for number, line in enumerate(top.split("\n"), 1):
        core = "".join(c for c in line if c.isprintable() and not c.isspace())
        if core and not (core.strip("-–—") and core.strip("+")):
            return number
        if core:
            break
    private = _PRIVATE.search(top)
    return top.count("\n", 0, private.end()) + 1 if private else 0


class _RefusedError(yaml.YAMLError):
    """Valid YAML that is not allowed in a header."""

    def __init__(self, message: str, event: Any) -> None:
        super().__init__(message)
        self.message = message
        self.line = event.start_mark.line


class _StrictLoader(SafeLoader):
    """Builds the keys of a header from YAML events: no tags, aliases or merges."""

    _next: Any = SafeLoader.get_event

    def get_single_data(self) -> dict[str, HeaderEntry]:
        """Return the one mapping of the stream; called by ``yaml.load``."""
        self._next()  # stream start
        first = self._next()
        if isinstance(first, yaml.StreamEndEvent):
            return {}
        if first.explicit or first.version or first.tags:
            raise _RefusedError("it contains a document marker or a directive", first)
        root = self._next()
        if not isinstance(root, yaml.MappingStartEvent):
            raise _RefusedError("it does not consist of `key: value` lines", root)
        self._check(root, 1)
        entries: dict[str, HeaderEntry] = {}
        while not isinstance(event := self._next(), yaml.MappingEndEvent):
            key = self._key(event, entries)
            value = self._next()
            node, end = self._node(value, 2)
            entries[key] = HeaderEntry(
                node,
                _spot(event.start_mark),
                _spot(event.end_mark),
                _spot(value.start_mark),
                end,
            )
        last = self._next()
        if last.explicit or not isinstance(self._next(), yaml.StreamEndEvent):
            raise _RefusedError("it contains more than one document", last)
        return entries

    def _node(self, event: Any, depth: int) -> tuple[Node, Spot]:
        """Return a value and its end."""
        self._check(event, depth)
        end = _spot(event.end_mark)
        if isinstance(event, yaml.ScalarEvent):
            return (event.value if event.style else PlainScalar(event.value)), end
        items: list[Any] = []
        table: dict[str, Any] = {}
        is_list = isinstance(event, yaml.SequenceStartEvent)
        while not isinstance(item := self._next(), yaml.CollectionEndEvent):
            if is_list:
                node, end = self._node(item, depth + 1)
                items.append(node)
            else:
                key = self._key(item, table)
                table[key], end = self._node(self._next(), depth + 1)
        if event.flow_style:
            end = _spot(item.end_mark)
        return (items if is_list else table), end

    def _key(self, event: Any, known: Mapping[str, Any]) -> str:
        self._check(event, 0)
        if not isinstance(event, yaml.ScalarEvent):
            raise _RefusedError("a key is not a string", event)
        key = event.value
        if not event.style and not _is_text(key):
            raise _RefusedError(f"the key {key!r} is not text: quote it", event)
        if key in known:
            raise _RefusedError(f"the key {key!r} occurs twice", event)
        return str(key)

    def _check(self, event: Any, depth: int) -> None:
        if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
            raise _RefusedError("it uses an anchor or an alias", event)
        if event.tag is not None:
            raise _RefusedError("it uses a tag", event)
        if depth > limits.FRONT_MATTER_DEPTH:
            raise _RefusedError("it is nested too deeply", event)
        # Only text in double quotes has escapes; other text is taken as it is.
        if isinstance(event, yaml.ScalarEvent) and event.style == '"':
            unsafe = find_unsafe_line(event.value)
            if unsafe:
                raise _RefusedError(f"a value {unsafe.message}", event)


def _spot(mark: Any) -> Spot:
    return mark.line, mark.column


@lru_cache(maxsize=1024)
def _is_text(key: str) -> bool:
    """Return True if every YAML reader takes an unquoted key for text."""
    return key != "<<" and isinstance(value_of(PlainScalar(key)), str)
