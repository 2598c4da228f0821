"""Moments: written in UTC, read in the forms that people use."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmem.core.times import (
    in_utc,
    parse_expiry,
    parse_moment,
    parse_since,
    parse_span,
    rfc3339,
    rfc3339_ms,
)
from toolmem.errors import UsageError

NOW = datetime(2026, 4, 20, 12, 0, 30, 999, tzinfo=UTC)
FORMS = "write 2026-05-07, 30d, 12h, friday or end of month"


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-05-07", datetime(2026, 5, 8, tzinfo=UTC)),
        ("2026-04-20", datetime(2026, 4, 21, tzinfo=UTC)),
        (" 2026-05-07T10:00:00Z ", datetime(2026, 5, 7, 10, tzinfo=UTC)),
        ("2026-05-07 10:00", datetime(2026, 5, 7, 10, tzinfo=UTC)),
        ("2026-05-07T10:00:00+02:00", datetime(2026, 5, 7, 8, tzinfo=UTC)),
        ("30s", NOW.replace(microsecond=0) + timedelta(seconds=30)),
        ("5m", NOW.replace(microsecond=0) + timedelta(minutes=5)),
        ("12h", NOW.replace(microsecond=0) + timedelta(hours=12)),
        ("30 D", NOW.replace(microsecond=0) + timedelta(days=30)),
        ("2w", NOW.replace(microsecond=0) + timedelta(weeks=2)),
        ("1y", NOW.replace(microsecond=0) + timedelta(days=365)),
        ("tomorrow", datetime(2026, 4, 22, tzinfo=UTC)),
        ("Friday", datetime(2026, 4, 25, tzinfo=UTC)),
        ("monday", datetime(2026, 4, 28, tzinfo=UTC)),  # it is one: the next
        ("end of month", datetime(2026, 5, 1, tzinfo=UTC)),
        ("end of the week", datetime(2026, 4, 27, tzinfo=UTC)),
        ("end of next year", datetime(2028, 1, 1, tzinfo=UTC)),
        ("end of december", datetime(2027, 1, 1, tzinfo=UTC)),
        ("31 Dec 2026", datetime(2027, 1, 1, tzinfo=UTC)),
        ("tomorrow 5pm", datetime(2026, 4, 21, 17, tzinfo=UTC)),
    ],
)
def test_an_expiry_is_a_date_a_time_or_a_span(text, moment):
    assert parse_expiry(text, NOW) == moment


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is not a date: " + FORMS),
        ("soon", "'soon' is not a date: " + FORMS),
        ("30", "'30' is not a date: " + FORMS),
        ("2026-13-01", "'2026-13-01' is not a date: " + FORMS),
        ("2026-04-19", "'2026-04-19' is already over"),
        ("9999-12-31", "'9999-12-31' ends after the year 9999"),
        ("2026-04-20T12:00:30Z", "'2026-04-20T12:00:30Z' is already over"),
        ("yesterday", "'yesterday' is already over"),
        ("end of december 9999", "'end of december 9999' ends after the year 9999"),
        ("99999y", "'99999y' ends after the year 9999"),
        (
            "9999-12-31T23:59:59-01:00",
            "'9999-12-31T23:59:59-01:00' is not a date: " + FORMS,
        ),
    ],
)
def test_what_is_no_expiry_is_refused(text, message):
    with pytest.raises(UsageError) as caught:
        parse_expiry(text, NOW)
    assert str(caught.value) == message


@given(st.datetimes(timezones=st.just(UTC)))
def test_what_is_written_is_read_back_to_the_second(moment):
    assert parse_moment(rfc3339(moment)) == moment.replace(microsecond=0)


@given(st.datetimes(), st.integers(-23, 23))
def test_any_zone_is_read_as_utc_or_refused(moment, hours):
    zone = timezone(timedelta(hours=hours))
    try:
        read = in_utc(moment.replace(tzinfo=zone))
    except ValueError:
        assert moment.year in (1, 9999)
    else:
        assert read == moment.replace(tzinfo=zone)
        assert read.tzinfo is UTC


@given(st.text(max_size=24))
def test_any_text_is_a_moment_or_none(text):
    moment = parse_moment(text)
    assert moment is None or moment.tzinfo is UTC


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("30m", timedelta(minutes=30)),
        (" 12H ", timedelta(hours=12)),
        ("0", timedelta()),
        ("0s", timedelta()),
        ("-1m", None),
        ("1", None),
        ("", None),
    ],
)
def test_a_span_is_a_number_and_a_unit(text, span):
    assert parse_span(text) == span


def test_something_begins_at_a_date_or_a_span_ago():
    assert parse_since("10m", NOW) == NOW - timedelta(minutes=10)
    assert parse_since("2026-04-01", NOW) == datetime(2026, 4, 1, tzinfo=UTC)
    assert parse_since("yesterday", NOW) == datetime(2026, 4, 19, tzinfo=UTC)
    assert parse_since("friday", NOW) == datetime(2026, 4, 17, tzinfo=UTC)
    for text in ("soon", "99999y"):
        with pytest.raises(UsageError):
            parse_since(text, NOW)


def test_milliseconds_are_told_where_they_are_asked_for():
    moment = datetime(2026, 4, 7, 10, 0, 0, 7_900, tzinfo=UTC)
    assert rfc3339_ms(moment) == "2026-04-07T10:00:00.007Z"
    assert rfc3339_ms(moment.replace(microsecond=0)) == "2026-04-07T10:00:00.000Z"
