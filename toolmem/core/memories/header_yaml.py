"""Read the headers of memories that are not plain lines, with a YAML parser.

YAML converts ``no``, ``0123`` and ``*alias``: what is read here is a small safe subset
of it, without tags, aliases and merges.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import yaml
from frontmatter.default_handlers import YAMLHandler

from toolmem.core import limits
from toolmem.core.memories.header_line import HeaderEntry, Node, PlainScalar, Spot
from toolmem.core.memories.header_values import value_of
from toolmem.core.text.textlines import find_unsafe_line

try:
    from yaml import CSafeLoader as SafeLoader
except ImportError:  # PyYAML was built without libyaml
    from yaml import SafeLoader  # type: ignore[assignment]

_HANDLER = YAMLHandler()


class UnreadableHeaderError(Exception):
    """A header that cannot be read; ``line`` is that in the header, from 0."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line
        self.reason = reason


def read_yaml(header: str) -> dict[str, HeaderEntry]:
    """Return the keys of a header; raises ``UnreadableHeaderError``."""
    try:
        entries: dict[str, HeaderEntry] = _HANDLER.load(header, Loader=_StrictLoader)
    except _RefusedError as error:
        raise UnreadableHeaderError(error.line, error.message) from error
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line if error.problem_mark else 0
        raise UnreadableHeaderError(line, error.problem or "not YAML") from error
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
        raise UnreadableHeaderError(-1, str(error)) from error
    return entries


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
