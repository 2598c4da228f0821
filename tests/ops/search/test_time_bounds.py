"""Times that bound what is found: whole local days, both included, and exact times."""

import json
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.access.asking import asked, query, request
from tests.examples import examples
from tests.world import World
from tests.zones import ZONES, local_zone
from toolmem.core.times import local_day, parse_since, parse_until
from toolmem.store.state import trace
from toolmem.store.state.trace import TraceLine
from toolmem.store.vault.discover import find_vault
from toolmem.store.vault.vault import Vault

SPRING = date(2026, 3, 8)
"""The clocks of New York go forward: this day has 23 hours."""
MANIFEST = """\
name = "wine_recommender"
aliases = ["sommelier"]
[memory_access.semantic]
query_types = ["fact"]
"""
MOMENTS = [
    datetime(2026, 3, 6, 9, 30, tzinfo=UTC) + timedelta(hours=hours)
    for hours in (0, 5, 11, 17, 29, 40, 55, 70)
]


@pytest.fixture(params=ZONES)
def zone(request):
    with local_zone(request.param) as zone:
        yield zone


@pytest.fixture
def vault(world, zone):
    world.write("toolmem.toml", "schema = 1\n")
    world.write("tools/wine_recommender.toml", MANIFEST)
    for number, moment in enumerate(MOMENTS):
        head = f"---\nkind: fact\ncreated: {moment:%Y-%m-%dT%H:%M:%SZ}\n---\n"
        world.write(f"system/memory/m{number}.md", f"{head}# red wine {number}\n")
    return world.clock(at=MOMENTS[-1].isoformat()).clock(days=0.1)


def found(world: World, *bounds: str) -> list[int]:
    words = ("search", "wine", "--json", "--limit", "20", *bounds)
    hits = json.loads(world.call(*words).stdout)["results"]
    return sorted(int(hit["id"][1:]) for hit in hits)


def queried(world: World, **bounds: str) -> list[int]:
    more = {"filters": {"time_range": bounds}, "limit": 20}
    [answer] = asked(world, request(query("q", "semantic", "wine", **more)))
    return sorted(int(one["content"].split()[-1]) for one in answer["results"])


def test_a_day_is_whole_and_local_in_every_command(vault, zone):
    days = [moment.astimezone(zone).date() for moment in MOMENTS]
    for first in (SPRING - timedelta(days=2), SPRING - timedelta(days=1), SPRING):
        for last in (first, first + timedelta(days=1)):
            wanted = [n for n, day in enumerate(days) if first <= day <= last]
            since, until = first.isoformat(), last.isoformat()
            assert found(vault, "--since", since, "--until", until) == wanted
            assert queried(vault, start=since, end=until) == wanted
        after = [n for n, day in enumerate(days) if day >= first]
        assert found(vault, "--since", first.isoformat()) == after
        assert queried(vault, start=first.isoformat()) == after


@pytest.mark.one_of(4)
def test_a_time_is_exact_and_included(vault):
    for number, moment in enumerate(MOMENTS):
        at = f"{moment:%Y-%m-%dT%H:%M:%SZ}"
        assert found(vault, "--since", at) == list(range(number, len(MOMENTS)))
        assert found(vault, "--until", at) == list(range(number + 1))
        assert queried(vault, start=at, end=at) == [number]


def test_what_was_saved_just_now_changed_in_the_last_hour_and_today(vault, zone):
    vault.call("memory", "save", "# new wine")
    vault.write("system/memory/dated.md", _dated(vault.now.astimezone(zone).date()))
    today = vault.now.astimezone(zone).date().isoformat()
    for bounds in (("--since", "1h"), ("--since", today), ("--until", today)):
        words = ("search", "new wine", "--json", "--limit", "20", *bounds)
        titles = [h["title"] for h in json.loads(vault.call(*words).stdout)["results"]]
        assert {"new wine", "new dated wine"} <= set(titles), bounds


def _dated(day: date) -> str:
    return f"---\ncreated: {day.isoformat()}\n---\n# new dated wine\n"


def test_the_trace_is_bound_by_days_and_aliases(vault, zone):
    opened = Vault.open(find_vault({}, vault.root), vault.now)
    lines = [TraceLine(moment, tool="wine_recommender") for moment in MOMENTS]
    trace.add(opened, *lines, TraceLine(MOMENTS[-1], tool="other"))
    for first in (SPRING - timedelta(days=2), SPRING):
        late = [m for m in MOMENTS if m.astimezone(zone).date() >= first]
        for name in ("wine_recommender", "Sommelier"):
            words = ("trace", "--tool", name, "--since", first.isoformat(), "--json")
            assert len(json.loads(vault.call(*words).stdout)) == len(late)


_days = st.dates(date(1950, 1, 1), date(2090, 1, 1))


@given(_days, st.sampled_from(ZONES), st.integers(-40, 40))
@examples(200)
def test_a_moment_is_within_the_day_that_clocks_show(day, name, hours):
    with local_zone(name):
        moment = datetime(day.year, day.month, day.day, tzinfo=UTC)
        moment += timedelta(hours=hours)
        bounds = local_day(day.isoformat())
        since, until = (
            parse(day.isoformat(), moment) for parse in (parse_since, parse_until)
        )
        assert bounds == (since, until)
        assert (since <= moment <= until) == (moment.astimezone().date() == day)
