"""Format and parse moments: RFC 3339 in UTC, dates, spans like 30d, and English words.

In a bound (since, until) and an expiry a date is a whole local day, and words such as
"friday" or "next month" are the whole period; a time without a zone is in UTC.
"""

import re
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta

from toolmem.errors import UsageError

_INSTANT = timedelta(microseconds=1)
_DATE = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_SPAN = r"(\d{1,5})\s*([smhdwy])"
_WORDS = r"(?i)(?=.*[a-z]{3})[a-z0-9:,. ]{3,40}"
"""Text that may be a date in words; what ``dateparser`` reads in shorter ones is not
what a person means."""
_END_OF = r"(?i)end of (?:the |this )?((?:week|month|year)?)"
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800, "y": 31536000}


def rfc3339(moment: datetime) -> str:
    """Return ``2026-04-07T10:00:00Z``: UTC, whole seconds."""
    return moment.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"


def rfc3339_ms(moment: datetime) -> str:
    """Return ``2026-04-07T10:00:00.000Z``: UTC, milliseconds."""
    utc = moment.astimezone(UTC).replace(tzinfo=None)
    return utc.isoformat(timespec="milliseconds") + "Z"


def local_time(moment: datetime, *, ms: bool = False) -> str:
    """Return ``2026-04-07T12:00:00+02:00``: the local time, with ``Z`` in UTC."""
    try:
        local = moment.astimezone()
    except (ValueError, OverflowError):  # the first year, and the last
        local = moment
    if not local.utcoffset():
        return rfc3339_ms(moment) if ms else rfc3339(moment)
    return local.isoformat(timespec="milliseconds" if ms else "seconds")


def local_text(text: str) -> str:
    """Return a stored RFC 3339 time as ``local_time`` does, other text as it is."""
    moment = parse_moment(text)
    return local_time(moment) if moment else text


def local_date(moment: datetime) -> date:
    """Return the local day of a moment."""
    try:
        return moment.astimezone().date()
    except (ValueError, OverflowError):  # the first year, and the last
        return moment.date()


def last_day(end: date) -> date:
    """Return the last local day of something that ends at a moment; a date as it is."""
    if not isinstance(end, datetime):
        return end
    return local_date(end - _INSTANT)


def parse_moment(text: str) -> datetime | None:
    """Parse an RFC 3339 time or a date (midnight UTC); None for anything else."""
    try:
        return in_utc(datetime.fromisoformat(text.strip()))
    except ValueError:
        return None


def in_utc(moment: datetime) -> datetime:
    """Return the moment in UTC; the default zone is UTC.

    Raises ``ValueError`` for the last hours of the year 9999 in some zones.
    """
    if moment.tzinfo is UTC:
        return moment
    try:
        return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)
    except OverflowError:
        raise ValueError(f"{moment.isoformat()} is not a time in UTC") from None


def as_moment(value: date | datetime | None) -> datetime | None:
    """Return a date or time as a moment (a date is its midnight, UTC)."""
    if value is None or isinstance(value, datetime):
        return value
    return datetime.combine(value, time(), UTC)


def parse_span(text: str) -> timedelta | None:
    """Parse a span such as ``30m``, ``12h`` or ``0``; None for anything else."""
    span = re.fullmatch(_SPAN, text.strip().lower())
    if span:
        return timedelta(seconds=int(span.group(1)) * _SECONDS[span.group(2)])
    return timedelta() if text.strip() == "0" else None


def checked_ttl(text: str) -> str:
    """Return a time to live; raise ``UsageError`` for one of length zero."""
    if parse_span(text) == timedelta():
        raise UsageError(f"ttl: {text!r} is already over: write 30m, 12h or 7d")
    return text


def parse_expiry(text: str, now: datetime) -> datetime:
    """Parse an expiry: the end of a local day, a time, or a span such as ``30d``.

    Raises ``UsageError`` with the forms, and for a moment in the past.
    """
    span = re.fullmatch(_SPAN, text.strip().lower())
    if span:
        seconds = int(span.group(1)) * _SECONDS[span.group(2)]
        if not seconds:
            raise UsageError(f"{text!r} is already over")
        try:
            return (now + timedelta(seconds=seconds)).replace(microsecond=0)
        except OverflowError:
            raise UsageError(f"{text!r} ends after the year 9999") from None
    try:
        day = local_day(text) or _in_words(text, now, "future")
        moment = day[1] + _INSTANT if day else parse_moment(text)
    except (OverflowError, ValueError):
        raise UsageError(f"{text!r} ends after the year 9999") from None
    if moment is None:
        raise UsageError(
            f"{text!r} is not a date: write 2026-05-07, 30d, 12h, friday or end of "
            "month"
        )
    if moment <= now:
        raise UsageError(f"{text!r} is already over")
    return moment


def expiry_of(text: str, now: datetime) -> datetime | None:
    """Return an expiry; None for ``never`` and for an empty text.

    Raises ``UsageError`` as ``parse_expiry`` does.
    """
    return None if text in ("", "never") else parse_expiry(text, now)


def parse_since(text: str, now: datetime) -> datetime:
    """Parse a lower bound: a day, a time, or a span before now such as ``10m``.

    A day begins at its local midnight. Raises ``UsageError`` with the forms.
    """
    return _bound(text, now, 0)


def parse_until(text: str, now: datetime) -> datetime:
    """Parse an upper bound: the last moment of a local day, a time, or a span ago.

    Raises ``UsageError`` with the forms.
    """
    return _bound(text, now, 1)


def local_day(text: str) -> tuple[datetime, datetime] | None:
    """Return first and last moment of a local day; None for text that is not a date."""
    if not re.fullmatch(_DATE, text.strip()):
        return None
    try:
        day = date.fromisoformat(text.strip())
    except ValueError:
        return None
    try:
        return _midnight(day), _midnight(day + timedelta(days=1)) - _INSTANT
    except (ValueError, OverflowError):  # the first year, and the last
        first, last = datetime.combine(day, time()), datetime.combine(day, time.max)
        return first.replace(tzinfo=UTC), last.replace(tzinfo=UTC)


def _in_words(text: str, now: datetime, side: str) -> tuple[datetime, datetime] | None:
    """Return first and last moment of a period in English words, or None.

    ``side`` is ``past`` or ``future``: which friday is meant. A time of day is a period
    without length.
    """
    words = re.sub(
        _END_OF, lambda end: f"this {end[1]}" if end[1] else "", text.strip()
    )
    if parse_moment(text) or not re.fullmatch(_WORDS, words):
        return None
    from dateparser.date import DateDataParser  # half a second, and few dates need it

    base = now.astimezone().replace(tzinfo=None)
    settings = {"RELATIVE_BASE": base, "PREFER_DATES_FROM": side}
    settings["RETURN_TIME_AS_PERIOD"] = True
    parsed = DateDataParser(languages=["en"], settings=settings).get_date_data(words)
    if parsed.date_obj is None:
        return None
    if parsed.period == "time":
        moment = parsed.date_obj.astimezone(UTC)
        return moment, moment - _INSTANT
    first, after = _period(parsed.date_obj.date(), parsed.period)
    return _midnight(first), _midnight(after) - _INSTANT


def _period(day: date, name: str) -> tuple[date, date]:
    """Return the first day of the day, week, month or year of a date, and the next."""
    if name == "year":
        return day.replace(month=1, day=1), date(day.year + 1, 1, 1)
    if name == "month":
        first = day.replace(day=1)
        return first, (first + timedelta(days=31)).replace(day=1)
    if name == "week":
        first = day - timedelta(days=day.weekday())
        return first, first + timedelta(days=7)
    return day, day + timedelta(days=1)


def _midnight(day: date) -> datetime:
    """Return the first moment of a local day, where clocks change at midnight, too."""
    # `astimezone` returns a moment of the day before where midnight is skipped.
    return datetime.fromtimestamp(datetime.combine(day, time()).timestamp(), UTC)


def is_today(text: str, now: datetime) -> bool:
    """Return True for the date of the local day that ``now`` is in."""
    day = local_day(text)
    return day is not None and day[0] <= now <= day[1]


def stored_days(*moments: datetime | None) -> frozenset[datetime]:
    """Return the local days of moments in the form of dates in files: midnight UTC.

    A bound within a day includes items dated only by that day.
    """
    days = set()
    for moment in filter(None, moments):
        with suppress(ValueError, OverflowError):  # the first year, and the last
            day = moment.astimezone().date()
            days.add(datetime.combine(day, time(), UTC))
    return frozenset(days)


def _bound(text: str, now: datetime, side: int) -> datetime:
    span = parse_span(text)
    try:
        if span is not None:
            return now - span
        day = local_day(text) or _in_words(text, now, "past")
    except (OverflowError, ValueError):
        raise UsageError(f"{text!r} is not in the years 1 to 9999") from None
    moment = day[side] if day else parse_moment(text)
    if moment is None:
        raise UsageError(
            f"{text!r} is not a date: write 2026-05-07, 10m, 12h or yesterday"
        )
    return moment
