"""Read and write YAML as far as JSON can express it, within limits.

No anchors, aliases, tags, merge keys or duplicate keys, and nothing but text, numbers,
true, false and null; a time is text.
"""

import re
from collections.abc import Mapping
from typing import Any

import yaml

from toolmem.core import limits
from toolmem.core.text.safetext import find_unsafe
from toolmem.errors import UsageError

_PLAIN: Mapping[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INT = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,17})")
_FLOAT = re.compile(
    r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][-+]?[0-9]+)?"
)


def dump_yaml(document: Any) -> str:
    """Return a document as YAML in its order; pure ASCII if it has invisible
    characters.
    """

    def dump(plain: bool) -> str:
        return str(
            yaml.safe_dump(document, sort_keys=False, allow_unicode=plain, width=88)
        )

    text = dump(True)
    return dump(False) if find_unsafe(text, multiline=True) else text


def parse_yaml(text: str, what: str) -> Any:
    """Parse one document; raise ``UsageError`` with ``what`` and the line."""
    # PyYAML's pure Python reader ends lines at NEL and the like, which could forge
    # keys.
    if match := re.search("[\x85\u2028\u2029]", text):
        line = text.count("\n", 0, match.start()) + 1
        raise UsageError(f"the {what}, line {line}: an invisible line break")
    loader = getattr(yaml, "CSafeLoader", None) or yaml.SafeLoader
    try:
        return _Builder(yaml.parse(text, loader), what).document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = f", line {mark.line + 1}" if mark else ""
        raise UsageError(f"the {what} is not YAML{place}: {error.problem}") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise UsageError(f"the {what} is not YAML: {error}") from error


class _Builder:
    """Build values from YAML's events; raise for what JSON cannot express."""

    def __init__(self, events: Any, what: str) -> None:
        self._events = events
        self._what = what

    def document(self) -> Any:
        next(self._events)
        first = next(self._events)
        if not isinstance(first, yaml.DocumentStartEvent):
            raise UsageError(f"the {self._what} is empty")
        value = self._value(next(self._events), 0)
        next(self._events)
        after = next(self._events)
        if isinstance(after, yaml.DocumentStartEvent):
            raise self._fault(after, "a second document begins")
        return value

    def _value(self, event: Any, depth: int) -> Any:
        if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
            raise self._fault(event, "anchors and aliases are not read")
        if event.tag is not None:
            raise self._fault(event, f"the tag {event.tag!r:.40} is not read")
        if depth > limits.REQUEST_DEPTH:
            raise self._fault(event, f"nested more than {limits.REQUEST_DEPTH} deep")
        if isinstance(event, yaml.ScalarEvent):
            return _scalar(event.value) if event.implicit[0] else event.value
        if isinstance(event, yaml.SequenceStartEvent):
            items = []
            while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
                items.append(self._value(event, depth + 1))
            return items
        return self._table(depth)

    def _table(self, depth: int) -> dict[str, Any]:
        table: dict[str, Any] = {}
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            if not isinstance(event, yaml.ScalarEvent):
                raise self._fault(event, "a key is text")
            key = event.value
            if key in table or (key == "<<" and event.implicit[0]):
                raise self._fault(event, f"the key {key!r:.60} occurs twice or is <<")
            table[key] = self._value(next(self._events), depth + 1)
        return table

    def _fault(self, event: Any, message: str) -> UsageError:
        line = event.start_mark.line + 1
        return UsageError(f"the {self._what}, line {line}: {message}")


def _scalar(text: str) -> Any:
    if text in _PLAIN:
        return _PLAIN[text]
    if _INT.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text):
        number = float(text)
        return text if number in (float("inf"), float("-inf")) else number
    return text
