"""How a document of another program is taken apart: every fault with its JSON path."""

import math
import re
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from typing import Any

from toolmem.core import limits
from toolmem.core.text.suggest import did_you_mean
from toolmem.core.times import local_day, parse_moment
from toolmem.errors import UsageError

_PLAIN = re.compile(r"[A-Za-z_]\w*", re.ASCII)


class FaultError(UsageError):
    """A value is not what it should be; the message begins with its JSON path."""

    code = "bad_request"


class DocumentPart:
    """A value of a document and the path to it; null counts as absent."""

    def __init__(self, value: Any, path: str = "$") -> None:
        self.value = value
        self.path = path

    def fault(self, message: str) -> FaultError:
        """The error that this value is, with its path."""
        return FaultError(f"{self.path}: {message}")

    def at(self, key: str) -> "DocumentPart":
        """The value of a key, of None where it is absent."""
        step = f".{key}" if _PLAIN.fullmatch(key) else f"[{key!r}]"
        return DocumentPart(self.table().get(key), self.path + step)

    def table(self) -> Mapping[str, Any]:
        """The value as an object; an absent one is empty."""
        if self.value is None:
            return {}
        if not isinstance(self.value, Mapping):
            raise self._type_fault("an object")
        return self.value

    def only(self, keys: Collection[str]) -> "DocumentPart":
        """The same object, if it has no other keys."""
        for key in self.table():
            if key not in keys:
                hint = did_you_mean(str(key), keys)
                raise self.fault(f"no key {str(key)!r:.60}{hint}")
        return self

    def each(self) -> Iterator["DocumentPart"]:
        """The values of a list; an absent one has none."""
        if self.value is None:
            return
        if not isinstance(self.value, list | tuple):
            raise self._type_fault("a list")
        for number, value in enumerate(self.value):
            yield DocumentPart(value, f"{self.path}[{number}]")

    def text(self, default: str = "", most: int = limits.QUERY_NAME_CHARS) -> str:
        """The value as text."""
        if self.value is None:
            return default
        if not isinstance(self.value, str):
            raise self._type_fault("a text")
        if len(self.value) > most:
            raise self.fault(f"{len(self.value)} characters, more than {most}")
        return self.value

    def stated(self) -> str:
        """The value as text that is not blank."""
        if self.value is None:
            raise self.fault("is missing")
        text = self.text()
        if not text.strip():
            raise self.fault("is blank")
        return text

    def texts(self) -> tuple[str, ...]:
        """The values of a list of texts, each once."""
        found = [part.stated() for part in self.each()]
        if len(found) > limits.QUERY_TAGS:
            raise self.fault(f"{len(found)} of them, more than {limits.QUERY_TAGS}")
        return tuple(dict.fromkeys(found))

    def whole(self, default: int) -> int:
        """The value as a whole number above 0."""
        if self.value is None:
            return default
        value = self.value
        if isinstance(value, float) and value.is_integer():
            value = int(value)  # some writers know no whole numbers
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise self._type_fault("a whole number above 0")
        return value

    def share(self) -> float | None:
        """The value as a number from 0 to 1."""
        if self.value is None:
            return None
        is_number = isinstance(self.value, int | float)
        if isinstance(self.value, bool) or not is_number or not 0 <= self.value <= 1:
            raise self._type_fault("a number from 0 to 1")
        return float(self.value)

    def moment(self, *, last: bool = False) -> datetime | None:
        """The value as a moment: of a date its first one, or its ``last``."""
        if self.value is None:
            return None
        day = local_day(self.text())
        found = day[last] if day else parse_moment(self.text())
        if found is None:
            raise self._type_fault("a time such as 2025-01-01T00:00:00Z")
        return found

    def _type_fault(self, what: str) -> FaultError:
        return self.fault(f"want {what}, found {shown(self.value)}")


def shown(value: Any) -> str:
    """A value in an error: short, and of lists and objects only what they are."""
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, float) and not math.isfinite(value):
        return "no number"
    text = repr(value)
    return text if len(text) <= 60 else text[:60] + "…"
