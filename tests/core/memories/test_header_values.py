from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from toolmem.core.memories.header_line import PlainScalar
from toolmem.core.memories.header_values import (
    in_utc,
    parse_time,
    value_of,
    write_value,
)
from toolmem.errors import UsageError

NOON = datetime(2026, 4, 7, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("~", None),
        ("null", None),
        ("true", True),
        ("False", False),
        ("0", 0),
        ("-12", -12),
        ("0.5", 0.5),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("2026-04-07", date(2026, 4, 7)),
        ("2026-04-07T12:00:00Z", NOON),
        ("2026-04-07 14:00 +02:00", NOON),
        ("2026-04-07T14:00:00+02", NOON),
        ("2026-04-07t12:00", NOON),
    ],
)
def test_an_unquoted_scalar_is_only_what_nobody_can_mistake(text, value):
    found = value_of(PlainScalar(text))
    assert (type(found), found) == (type(value), value)


@pytest.mark.parametrize(
    "text",
    [
        *("yes", "no", "on", "off", "y", "n", "Yes", "NO", "tRUE", "nUll"),
        *("0123", "0x1f", "1_000", "190:20:30", ".inf", ".nan", "1e999", "1.2.3"),
        *("+1-2", "1234567890123456789", "２０２６-01-01", "=", "<<", "!x"),
        *("2026-13-45", "2026-4-7", "2026-02-29", "0001-01-01T00:00+23:59"),
    ],
)
def test_what_yaml_could_surprise_with_is_text(text):
    assert value_of(PlainScalar(text)) == text


def test_text_in_quotes_stays_text_in_lists_and_tables_too():
    node = ["1", PlainScalar("1"), {"a": PlainScalar("true"), "b": "true"}]
    assert value_of(node) == ["1", 1, {"a": True, "b": "true"}]


def test_a_time_without_an_offset_is_utc():
    assert parse_time("2026-04-07T12:00:00") == NOON
    assert in_utc(datetime(2026, 4, 7, 12, 0)) == NOON  # noqa: DTZ001
    east = timezone(timedelta(hours=2))
    assert in_utc(datetime(2026, 4, 7, 14, 0, tzinfo=east)) == NOON
    assert parse_time("soon") is None


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("authentication", "authentication"),
        ("auto-generated", "auto-generated"),
        ("two words", "two words"),
        ("größe", "größe"),
        ("", '""'),
        ("no", '"no"'),
        ("NULL", '"NULL"'),
        ("0123", '"0123"'),
        ("2026-04-07", '"2026-04-07"'),
        ("a: b", '"a: b"'),
        ("a #b", '"a #b"'),
        ("a, b", '"a, b"'),
        (" a", '" a"'),
        ("a\nb\t\\", r'"a\nb\t\\"'),
        ('say "x"', r'"say \"x\""'),
        ("👍", '"👍"'),
        (True, "true"),
        (7, "7"),
        (0.5, "0.5"),
        (1e-07, "1.0e-07"),
        (1e16, "1.0e+16"),
        (date(2026, 4, 7), "2026-04-07"),
        (NOON, "2026-04-07T12:00:00Z"),
        (("a", "no", 1), '[a, "no", 1]'),
        ([], "[]"),
    ],
)
def test_a_value_is_written_so_that_every_yaml_reader_agrees(value, written):
    assert write_value(value) == written


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, "a header cannot contain None"),
        (float("inf"), "a header cannot contain inf"),
        ({1: 2}, "a header cannot contain {1: 2}"),
        (b"x", "a header cannot contain b'x'"),
        ("a\u202eb", "a text for the header contains U+202E RIGHT-TO-LEFT OVERRIDE"),
        (["\udcff"], "a text for the header contains U+DCFF SURROGATE"),
    ],
)
def test_what_a_header_cannot_hold_is_refused(value, message):
    with pytest.raises(UsageError) as caught:
        write_value(value)
    assert str(caught.value) == message
