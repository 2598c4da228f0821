"""How moments are written and read: RFC 3339 in UTC, dates, and spans like 30d."""

from datetime import UTC, datetime, timedelta

from toolmem.core.lazy_pattern import lazy_pattern
from toolmem.errors import UsageError

_SPAN = lazy_pattern(r"(\d{1,5})\s*([smhdwy])")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800, "y": 31536000}


def rfc3339(moment: datetime) -> str:
    """``2026-04-07T10:00:00Z``: UTC, whole seconds."""
    return moment.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"


def rfc3339_ms(moment: datetime) -> str:
    """``2026-04-07T10:00:00.000Z``: UTC, milliseconds."""
    utc = moment.astimezone(UTC).replace(tzinfo=None)
    return utc.isoformat(timespec="milliseconds") + "Z"


def parse_moment(text: str) -> datetime | None:
    """The moment that an RFC 3339 time or a date (midnight UTC) names, or None."""
    try:
        return in_utc(datetime.fromisoformat(text.strip()))
    except ValueError:
        return None


def in_utc(moment: datetime) -> datetime:
    """The moment in UTC; one without a zone is in UTC already.

    Raises ``ValueError`` for the last hours of the year 9999 in some zones.
    """
    if moment.tzinfo is UTC:
        return moment
    try:
        return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)
    except OverflowError:
        raise ValueError(f"{moment.isoformat()} is no time in UTC") from None


def parse_span(text: str) -> timedelta | None:
    """How long ``30m``, ``12h`` or ``0`` is, or None for what is no span."""
    span = _SPAN.fullmatch(text.strip().lower())
    if span:
        return timedelta(seconds=int(span.group(1)) * _SECONDS[span.group(2)])
    return timedelta() if text.strip() == "0" else None


def parse_expiry(text: str, now: datetime) -> datetime:
    """When something expires: a date, a time, or a span from now such as ``30d``.

    Raises ``UsageError`` naming the forms, and for a moment that is over.
    """
    span = _SPAN.fullmatch(text.strip().lower())
    if span:
        seconds = int(span.group(1)) * _SECONDS[span.group(2)]
        try:
            return (now + timedelta(seconds=seconds)).replace(microsecond=0)
        except OverflowError:
            raise UsageError(f"{text!r} ends after the year 9999") from None
    moment = parse_moment(text)
    if moment is None:
        raise UsageError(f"{text!r} is no date: write 2026-05-07, 30d, 12h or 2w")
    if moment <= now:
        raise UsageError(f"{text!r} is already over")
    return moment


def parse_since(text: str, now: datetime) -> datetime:
    """When something begins: a date, a time, or a span before now such as ``10m``.

    Raises ``UsageError`` naming the forms.
    """
    span = parse_span(text)
    try:
        if span is not None:
            return now - span
    except OverflowError:
        raise UsageError(f"{text!r} begins before the year 1") from None
    moment = parse_moment(text)
    if moment is None:
        raise UsageError(f"{text!r} is no date: write 2026-05-07, 10m, 12h or 2w")
    return moment
