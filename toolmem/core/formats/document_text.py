"""How a document of another program is read and written: JSON or YAML, bounded.

YAML is read as what JSON can say: no anchors, aliases, tags or merge keys, no key
twice, and nothing but text, numbers, true, false and null; a time is text.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from toolmem.core import limits
from toolmem.core.on_demand import OnDemand
from toolmem.core.text.safetext import find_unsafe
from toolmem.errors import UsageError

yaml: Any = OnDemand("yaml")

_PLAIN: Mapping[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INT = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,17})")
_FLOAT = re.compile(
    r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][-+]?[0-9]+)?"
)


class Document(NamedTuple):
    """A document, and whether it was YAML."""

    value: Any
    is_yaml: bool = False


def read_document(text: str, what: str) -> Document:
    """Read JSON, or YAML where a text does not begin as JSON does.

    Raises ``UsageError``, which calls the document ``what``, with the line.
    """
    text = text.removeprefix("\ufeff")
    if len(text) > limits.REQUEST_BYTES:
        raise UsageError(f"the {what} is larger than {limits.REQUEST_BYTES >> 20} MiB")
    if text.lstrip()[:1] in ("{", "["):
        # A flow mapping of YAML begins so, too; JSON says better what is wrong.
        return Document(_json(text, what))
    return Document(_yaml(text, what), is_yaml=True)


def yaml_text(document: Any) -> str:
    """A document as YAML, in its order; invisible characters make it all ASCII."""

    def dump(plain: bool) -> str:
        return str(
            yaml.safe_dump(document, sort_keys=False, allow_unicode=plain, width=88)
        )

    text = dump(True)
    return dump(False) if find_unsafe(text, multiline=True) else text


def _json(text: str, what: str) -> Any:
    def constant(name: str) -> Any:
        raise UsageError(f"the {what} is not JSON: {name} is no number")

    def number(digits: str) -> float:
        found = float(digits)
        if found in (float("inf"), float("-inf")):
            raise UsageError(f"the {what} is not JSON: {digits:.40} is too large")
        return found

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        table = dict(found)
        if len(table) < len(found):
            keys = [key for key, _ in found]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise UsageError(f"the {what} has the key {twice!r:.60} twice")
        return table

    try:
        value = json.loads(
            text,
            parse_constant=constant,
            parse_float=number,
            object_pairs_hook=pairs,
        )
    except json.JSONDecodeError as error:
        message = f"{error.msg}: line {error.lineno}, column {error.colno}"
        raise UsageError(f"the {what} is not JSON: {message}") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"the {what} is not JSON: {error}") from error
    if _is_deep(value, limits.REQUEST_DEPTH):
        raise UsageError(f"the {what} is nested more than {limits.REQUEST_DEPTH} deep")
    return value


def _is_deep(value: Any, left: int) -> bool:
    if not isinstance(value, dict | list):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return left == 0 or any(_is_deep(each, left - 1) for each in inner)


def _yaml(text: str, what: str) -> Any:
    # Python's own reader ends lines at NEL and the like, which could forge keys.
    if found := re.search("[\x85\u2028\u2029]", text):
        line = text.count("\n", 0, found.start()) + 1
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
    """Makes values of YAML's events; what JSON cannot say is an error."""

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
            found = []
            while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
                found.append(self._value(event, depth + 1))
            return found
        return self._table(depth)

    def _table(self, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            if not isinstance(event, yaml.ScalarEvent):
                raise self._fault(event, "a key is text")
            key = event.value
            if key in found or (key == "<<" and event.implicit[0]):
                raise self._fault(
                    event, f"the key {key!r:.60} is there twice or merges"
                )
            found[key] = self._value(next(self._events), depth + 1)
        return found

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
