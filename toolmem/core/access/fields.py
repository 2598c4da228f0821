"""Read values that a tool wrote: check, clamp and warn.

Absent and null values take the default. A value that can be corrected is, with a
warning; others raise ``UsageError`` with the name of the key.
"""

import json
import math
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from toolmem.core import limits
from toolmem.core.secrets import detect
from toolmem.core.times import parse_moment, parse_span
from toolmem.core.transcript.fields import clean
from toolmem.errors import UsageError

_MOST = timedelta(days=limits.ENTRY_MOST_DAYS)
_MINUTES = {"ttl_minutes": 1, "ttl_days": 24 * 60}


class Fields:
    """Keys of one document; ``warnings`` lists the values that were adjusted."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document
        self.warnings: list[str] = []

    def text(self, key: str, default: str = "", most: int = limits.ENTRY_CHARS) -> str:
        """Return a text without credentials, of at most ``most`` characters."""
        value = self._document.get(key)
        if value is None:
            return default
        if not isinstance(value, str):
            raise UsageError(f"{key}: expected a string, found {value!r:.40}")
        if len(value) > most:
            raise UsageError(f"{key}: {len(value)} characters, more than {most}")
        return self._redacted(key, value)

    def name(self, key: str, default: str = "") -> str:
        """Return a short text, stripped."""
        return self.text(key, default, limits.ENTRY_NAME_CHARS).strip() or default

    def confidence(self, key: str = "confidence") -> float:
        """Return a number from 0 to 1; values outside are clamped."""
        value = self._document.get(key)
        if value is None:
            return limits.CONFIDENCE
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or (isinstance(value, float) and math.isnan(value)):
            self.warnings.append(
                f"{key}: {value!r:.40} is not a number: using {limits.CONFIDENCE}"
            )
            return limits.CONFIDENCE
        clamped = float(min(1.0, max(0.0, value)))
        if clamped != value:
            self.warnings.append(f"{key}: {value!r:.40} was clamped to {clamped:g}")
        return clamped

    def tags(self, key: str = "tags") -> tuple[str, ...]:
        """Return a list of texts in order, without duplicates."""
        value = self._document.get(key)
        if value is None:
            return ()
        if not _is_words(value):
            raise UsageError(f"{key}: expected a list of strings, found {value!r:.40}")
        if len(value) > limits.ENTRY_TAGS:
            raise UsageError(
                f"{key}: {len(value)} of them, more than the "
                f"{limits.ENTRY_TAGS} that are allowed"
            )
        cleaned = (self._short(key, tag) for tag in value)
        return tuple(dict.fromkeys(tag for tag in cleaned if tag))

    def table(self, key: str) -> dict[str, Any]:
        """Return a table of plain values without credentials."""
        value = self._document.get(key)
        if value is None:
            return {}
        if isinstance(value, str):
            value = {"text": value}
        if not isinstance(value, Mapping):
            raise UsageError(f"{key}: expected a table, found {value!r:.40}")
        try:
            data = json.dumps(value, ensure_ascii=False, default=str)
            table = self._table(key, json.loads(data))
        except (ValueError, RecursionError, TypeError) as error:
            raise UsageError(f"{key}: cannot be stored: {error}") from error
        if len(data) > limits.ENTRY_TABLE_CHARS:
            raise UsageError(
                f"{key}: {len(data)} characters as JSON, more than "
                f"{limits.ENTRY_TABLE_CHARS}"
            )
        return table

    def expiry(self, now: datetime, default: timedelta) -> datetime:
        """Return the expiry by ``ttl`` (such as ``30m``), ``expires_at``,
        ``ttl_minutes`` or ``ttl_days``.

        An invalid value is replaced by the default, with a warning.
        """
        usual = (now + default).replace(microsecond=0)
        for key in ("ttl", "expires_at", *_MINUTES):
            value = self._document.get(key)
            if value is None:
                continue
            end = _moment_of(key, value, now)
            if end is not None:
                return end
            self.warnings.append(
                f"{key}: {value!r:.40} is not a time to live; using {_span(default)}"
            )
            return usual
        return usual

    def _redacted(self, key: str, value: str) -> str:
        value = clean(value)
        redacted = detect.redact(value)
        if redacted != value:
            self.warnings.append(f"{key}: contains a secret, which was redacted")
        return redacted

    def _short(self, key: str, value: str) -> str:
        if len(value) > limits.ENTRY_NAME_CHARS:
            raise UsageError(
                f"{key}: {value[:40]!r}… is longer than {limits.ENTRY_NAME_CHARS}"
            )
        return self._redacted(key, value).strip()

    def _plain(self, key: str, value: Any) -> Any:
        if isinstance(value, str):
            return self._redacted(key, value)
        if isinstance(value, list):
            return [self._plain(key, each) for each in value]
        return self._table(key, value) if isinstance(value, dict) else value

    def _table(self, key: str, value: Mapping[str, Any]) -> dict[str, Any]:
        return {
            self._redacted(key, name): self._named_value(key, name, inner)
            for name, inner in value.items()
        }

    def _named_value(self, key: str, name: str, value: Any) -> Any:
        """Value of a table, checked for a secret together with its name."""
        if not isinstance(value, str):
            return self._plain(key, value)
        before = f"{name}: "
        both = detect.redact(f"{before}{value}")
        if both != f"{before}{value}" and both.startswith(before):
            self.warnings.append(f"{key}: contains a secret, which was redacted")
            return clean(both[len(before) :])
        return self._plain(key, value)


def _is_words(value: object) -> bool:
    return (
        isinstance(value, Sequence)
        and not isinstance(value, str | bytes)
        and all(isinstance(each, str) for each in value)
    )


def _moment_of(key: str, value: Any, now: datetime) -> datetime | None:
    """Return the moment, or None for one that is invalid or out of bounds."""
    if key == "expires_at":
        given = value.isoformat() if isinstance(value, datetime) else value
        moment = parse_moment(given) if isinstance(given, str) else None
        left = moment - now if moment else None
    elif key == "ttl":
        left = parse_span(value) if isinstance(value, str) else None
    else:
        left = _minutes(value, _MINUTES[key])
    if left is None or not timedelta() <= left <= _MOST:
        return None
    return (now + left).replace(microsecond=0)


def _minutes(value: Any, factor: int) -> timedelta | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    # Compared before it is multiplied: a number may be larger than a span can be.
    if not 0 <= value <= _MOST / timedelta(minutes=1):
        return None
    return timedelta(minutes=value * factor)


def _span(span: timedelta) -> str:
    days = span / timedelta(days=1)
    return f"{days:g} day{'' if days == 1 else 's'}"
