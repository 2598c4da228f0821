"""What expires on a day is there until the local midnight after it."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.world import World
from tests.zones import ZONES, local_zone
from toolmem.core.times import last_day, local_time, parse_expiry, parse_moment, rfc3339

CHANGES = [
    # Zone, day, and the end of it. Clocks go forward in New York, back in London,
    # back over midnight in Havana and Beirut, and forward over midnight in Asuncion.
    ("America/New_York", "2026-03-08", "2026-03-09T04:00:00Z"),
    ("America/New_York", "2026-03-07", "2026-03-08T05:00:00Z"),
    ("Europe/London", "2026-10-25", "2026-10-26T00:00:00Z"),
    ("America/Havana", "2026-10-31", "2026-11-01T04:00:00Z"),
    ("Asia/Beirut", "2026-10-24", "2026-10-24T22:00:00Z"),
    ("America/Asuncion", "2023-09-30", "2023-10-01T04:00:00Z"),
    ("Asia/Tokyo", "2026-11-24", "2026-11-24T15:00:00Z"),
    ("Pacific/Honolulu", "2026-11-24", "2026-11-25T10:00:00Z"),
    ("UTC", "2026-11-24", "2026-11-25T00:00:00Z"),
]


@pytest.mark.parametrize(("zone", "day", "end"), CHANGES)
def test_a_day_ends_at_its_local_midnight(zone, day, end):
    with local_zone(zone):
        found = parse_expiry(day, datetime(2020, 1, 1, tzinfo=UTC))
        assert rfc3339(found) == end
        assert str(last_day(found)) == day


@given(
    st.sampled_from(sorted({*ZONES, *(zone for zone, _, _ in CHANGES)})),
    st.datetimes(datetime(1990, 1, 1), datetime(2037, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001
)
@examples(200)
def test_a_local_time_is_the_same_moment(zone, moment):
    with local_zone(zone):
        assert parse_moment(local_time(moment, ms=True)) == moment.replace(
            microsecond=moment.microsecond // 1000 * 1000
        )


def _day(world: World) -> str:
    """Tomorrow, as the clocks of the local zone show it."""
    return str((world.now.astimezone() + timedelta(days=1)).date())


@pytest.fixture(params=["America/New_York", "Asia/Tokyo"])
def vault(request, world):
    with local_zone(request.param):
        yield world.write("toolmem.toml", "schema = 1\n")


@pytest.mark.parametrize(
    ("add", "edit", "listing"),
    [
        (
            ("rule", "add", "shell", "-p", "high", "never sleep"),
            ("rule", "edit"),
            ("prompt", "--only", "rules"),
        ),
        (
            ("memory", "save", "The kiln is hot."),
            ("memory", "edit"),
            ("search", "kiln"),
        ),
    ],
)
@pytest.mark.parametrize("edits", [False, True])
def test_what_expires_on_a_day_is_there_until_it_ends(vault, add, edit, listing, edits):
    day = _day(vault)
    expires = () if edits else ("--expires", day)
    made = json.loads(vault.call(*add, *expires, "--json").stdout)
    if edits:
        assert vault.call(*edit, made["id"], "--expires", day).code == 0
    text = add[-1]
    end = datetime.fromisoformat(day).astimezone() + timedelta(days=1)
    assert rfc3339(end) in vault.read(made["path"])
    noun = add[0]
    shown = vault.call(noun, "show", made["id"]).stdout
    assert f"expires_at: {end.isoformat()}\n" in shown
    document = json.loads(vault.call(noun, "show", made["id"], "--json").stdout)
    assert document["expires_at"] == rfc3339(end)
    vault.clock(at=(end - timedelta(seconds=1)).isoformat())
    assert text in vault.call(*listing).stdout
    vault.clock(at=end.isoformat())
    assert text not in vault.call(*listing).stdout


def test_what_has_expired_names_its_last_day(vault):
    day = _day(vault)
    rule = ("rule", "add", "shell", "never sleep", "--expires", day, "--json")
    made = json.loads(vault.call(*rule).stdout)
    vault.call("memory", "save", "The kiln is hot.", "--expires", day)
    vault.clock(days=3)
    assert f"expired on {day}" in vault.call("reflect").stdout
    end = datetime.fromisoformat(made["expires_at"]).astimezone()
    assert (
        f"expired at {end.isoformat()}" in vault.call("rule", "why", made["id"]).stdout
    )


def test_times_are_local_in_every_command_that_shows_one(vault):
    rule = ("rule", "add", "shell", "never sleep", "--json")
    made = json.loads(vault.call(*rule).stdout)
    vault.call("scratch", "add", "check the kiln", "--type", "risk_alert")
    vault.commit()
    now = vault.now.astimezone()
    entry = json.loads(vault.call("scratch", "list", "--json").stdout)[0]
    vault.call("rule", "edit", made["id"], "--expires", _day(vault))
    end = datetime.fromisoformat(_day(vault)).astimezone() + timedelta(days=1)
    assert f"{now:%Y-%m-%d %H:%M}" in vault.call("log").stdout
    assert end.isoformat() in vault.call("diff").stdout
    shown = vault.call("scratch", "show", entry["id"]).stdout
    assert f"created_at: {now.isoformat()}" in shown
