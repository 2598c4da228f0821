"""Read documents of other programs; every error has the JSON path of its value."""

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
    """An invalid value in a document; the message begins with its JSON path."""

    code = "bad_request"


class DocumentPart:
    """A value of a document and the path to it; null counts as absent."""

    def __init__(self, value: Any, path: str = "$") -> None:
        self.value = value
        self.path = path

    def fault(self, message: str) -> FaultError:
        """Return an error for this value, with its path."""
        return FaultError(f"{self.path}: {message}")

    def at(self, key: str) -> "DocumentPart":
        """Return the part of a key, with the value None if it is absent."""
        step = f".{key}" if _PLAIN.fullmatch(key) else f"[{key!r}]"
        return DocumentPart(self.table().get(key), self.path + step)

    def table(self) -> Mapping[str, Any]:
        """Return the value as an object; an absent one is empty."""
        if self.value is None:
            return {}
        if not isinstance(self.value, Mapping):
            raise self._type_fault("an object")
        return self.value

    def only(self, keys: Collection[str]) -> "DocumentPart":
        """Return the part itself; other keys are a fault."""
        for key in self.table():
            if key not in keys:
                hint = did_you_mean(str(key), keys)
                raise self.fault(f"no key {str(key)!r:.60}{hint}")
        return self

    def each(self) -> Iterator["DocumentPart"]:
        """Yield the values of a list; an absent list is empty."""
        if self.value is None:
            return
        if not isinstance(self.value, list | tuple):
            raise self._type_fault("a list")
        for number, value in enumerate(self.value):
            yield DocumentPart(value, f"{self.path}[{number}]")

    def text(self, default: str = "", most: int = limits.QUERY_NAME_CHARS) -> str:
        """Return the value as text of at most ``most`` characters."""
        if self.value is None:
            return default
        if not isinstance(self.value, str):
            raise self._type_fault("a string")
        if len(self.value) > most:
            raise self.fault(f"{len(self.value)} characters, more than {most}")
        return self.value

    def stated(self) -> str:
        """Return the value as text that is not blank."""
        if self.value is None:
            raise self.fault("is missing")
        text = self.text()
        if not text.strip():
            raise self.fault("is blank")
        return text

    def texts(self) -> tuple[str, ...]:
        """Return the values of a list of texts, without duplicates."""
        stated = [part.stated() for part in self.each()]
        if len(stated) > limits.QUERY_TAGS:
            raise self.fault(f"{len(stated)} of them, more than {limits.QUERY_TAGS}")
        return tuple(dict.fromkeys(stated))

    def whole(self, default: int) -> int:
        """Return the value as an integer above 0."""
        if self.value is None:
            return default
        value = self.value
        if isinstance(value, float) and value.is_integer():
            value = int(value)  # some writers have no integers
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise self._type_fault("a whole number above 0")
        return value

    def share(self) -> float | None:
        """Return the value as a number from 0 to 1."""
        if self.value is None:
            return None
        is_number = isinstance(self.value, int | float)
        if isinstance(self.value, bool) or not is_number or not 0 <= self.value <= 1:
            raise self._type_fault("a number from 0 to 1")
        return float(self.value)

    def moment(self, *, last: bool = False) -> datetime | None:
        """Return the value as a time: of a date its first moment, or its ``last``."""
        if self.value is None:
            return None
        day = local_day(self.text())
        instant = day[last] if day else parse_moment(self.text())
        if instant is None:
            raise self._type_fault("a time such as 2025-01-01T00:00:00Z")
        return instant

    def _type_fault(self, what: str) -> FaultError:
        return self.fault(f"expected {what}, found {shown(self.value)}")


def shown(value: Any) -> str:
    """Return a short form for an error; lists and objects are only named."""
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
