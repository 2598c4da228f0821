"""Filters are exact and all hold, whichever memory type is asked."""

import json

import pytest

from tests.access.asking import ask, ids, query
from tests.access.test_specification import note
from tests.world import World

EPISODES = {
    "liked-morgon-aa0001",
    "liked-chablis-aa0002",
    "no-sweet-aa0003",
    "paid-rent-aa0004",
    "lisbon-aa0005",
}


@pytest.fixture
def vault(world: World) -> World:
    return world.vault("access")


def episodes(vault, text="user", **filters):
    asked = query("q", "episodic", text, filters=filters)
    return set(ids(ask(vault, asked, tool="travel_planner")[0]))


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({}, EPISODES),
        ({"tags": ["wine", "preference"]}, {"a1", "a2", "a3"}),
        ({"tags": ["wine", "bank"]}, set()),
        ({"tags": ["Wine"]}, {"a1", "a2", "a3"}),
        ({"types": ["event", "transaction"]}, {"a4", "a5"}),
        ({"types": ["fact"]}, set()),
        ({"importance_min": 0.6}, {"a1", "a2"}),
        ({"importance_min": 0.61}, {"a1"}),
        ({"source": "user"}, {"a1", "a3", "a5"}),
        ({"source": "use"}, set()),
        ({"time_range": {"start": "2026-04-02"}}, {"a1", "a4"}),
        ({"time_range": {"end": "2026-02-02T00:00:00Z"}}, {"a3", "a5"}),
        ({"time_range": {"start": "2026-04-03", "end": "2026-04-09"}}, set()),
        ({"tags": ["wine"], "source": "user", "importance_min": 0.6}, {"a1"}),
    ],
)
def test_of_the_library(vault, filters, found):
    short = {f"a{key[-1]}": key for key in EPISODES}
    assert episodes(vault, **filters) == {short.get(key, key) for key in found}


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({"types": ["event", "transaction"]}, ["a4", "a5"]),
        ({"importance_min": 0.6}, ["a1", "a2"]),
        ({"time_range": {"start": "2026-04-02"}}, ["a1", "a4"]),
        ({"source": "nobody"}, []),
        ({"types": ["fact"]}, []),
    ],
)
def test_without_words_filters_alone_say_what_fits_newest_first(vault, filters, found):
    for more in ({}, {"limit": 1}):
        asked = query("q", "episodic", "", filters=filters, **more)
        answer = ask(vault, asked, tool="travel_planner")[0]
        listed = [f"a{key.rpartition('-aa000')[2]}" for key in ids(answer)]
        assert listed == found[: more.get("limit", 10)]
        assert (answer["status"], answer["total_results"]) == ("ok", len(found))
        assert all(p["relevance"] == 0 for p in parts(answer))


def test_without_words_facts_and_guidance_are_found_too(vault):
    asked = query("q", "semantic", "", filters={"importance_min": 0})
    answer = ask(vault, asked, tool="travel_planner")[0]
    found = {key.partition("-")[0] for key in ids(answer)}
    facts = {"wine.glass@system", "pay.salary@system"}
    assert found == {*facts, "tone@system", "burgundy", "paris", "decant"}
    assert answer["total_results"] == 6


def parts(answer):
    return answer["search_metadata"]["score_parts"]


def test_tags_count_as_words_of_the_question(vault):
    assert episodes(vault, text="", tags=["bank"]) == {"paid-rent-aa0004"}
    assert episodes(vault, text="zebra", tags=["travel"]) == {"lisbon-aa0005"}


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({}, "ab"),
        ({"types": ["risk_alert"]}, "a"),
        ({"tags": ["x", "y"]}, "b"),
        ({"importance_min": 0.9}, "a"),
        ({"source": "bank_feed"}, "ab"),
        ({"source": "somebody"}, ""),
        ({"status": "resolved"}, ""),
        ({"time_range": {"start": "2026-04-20T12:00:01Z"}}, ""),
        ({"time_range": {"end": "2026-04-20T12:00:00Z"}}, "ab"),
    ],
)
def test_of_what_is_going_on(vault, filters, found):
    keys = {
        note(vault, "risk_alert", "Fraud?", tags=["x"], confidence=0.9): "a",
        note(vault, "pending_confirmation", "Confirm", tags=["x", "y"]): "b",
    }
    asked = query("q", "scratch_page", "anything", filters=filters)
    answer = ask(vault, asked, tool="financial_advisor")[0]
    assert {keys[key] for key in ids(answer)} == set(found)
    assert answer["total_results"] == len(found)


def test_of_what_fits_so_many_are_returned_and_the_rest_is_counted(vault):
    asked = query("q", "episodic", "user", limit=2)
    (answer,) = ask(vault, asked, tool="travel_planner")
    assert (answer["status"], answer["total_results"]) == ("ok", 5)
    assert answer["returned_results"] == 2
    assert answer["search_metadata"]["left_out"] == {"limit": 3, "budget": 0}


def test_what_is_counted_is_counted_beyond_what_is_ranked(vault):
    for number in range(60):
        text = f"---\nkind: fact\n---\n# Thing {number}\n\nAbout zebras.\n"
        vault.write(f"system/memory/z{number}.md", text)
    asked = query("q", "semantic", "zebras", limit=3)
    (answer,) = ask(vault, asked, tool="travel_planner")
    assert (answer["total_results"], answer["returned_results"]) == (60, 3)


def test_a_manifest_is_imported_and_counts(vault):
    manifest = (
        "tool:\n  id: Cellar\n  version: 1.0.0\n  memory_access:\n"
        "    semantic:\n      enabled: true\n      query_types: [fact]\n"
        "      tags: [wine]\n    working:\n      enabled: false\n"
    )
    vault.run("tool", "import", "-", stdin=manifest).stdout(
        "Cellar  created  tools/cellar.toml\n"
    )
    vault.run("tool", "import", "-", stdin=manifest).stdout(
        "Cellar  unchanged  tools/cellar.toml\n"
    )
    shown = json.loads(vault.call("tool", "show", "cellar", "--json").stdout)
    assert shown["memory_access"] == {
        "working": {"enabled": False},
        "semantic": {"enabled": True, "query_types": ["fact"], "tags": ["wine"]},
    }
    wider = manifest.replace("[wine]", "[wine, pay]")
    vault.run("tool", "import", "-", stdin=wider).stdout(
        "Cellar  refused  tools/cellar.toml declares other access: change it by hand\n"
    )
    queries = query("a", "semantic", "Burgundy wines"), query("b", "working", "x")
    semantic, working = ask(vault, *queries, tool="cellar")
    assert set(ids(semantic)) == {"burgundy-bb0001", "wine.glass@system"}
    assert working["status"] == "denied"


def test_access_that_cannot_be_understood_is_none_and_check_tells(vault):
    bad = 'name = "wine_recommender"\n[memory_access.epic]\n'
    vault.write("tools/wine_recommender.toml", bad)
    (answer,) = ask(vault, query("q", "episodic", "wines"))
    assert answer["status"] == "denied"
    assert "memory_access.epic: no memory type 'epic'" in answer["reason"]
    done = vault.call("check")
    assert done.code == 1
    assert "tools/wine_recommender.toml" in done.stdout
    assert "memory_access.epic: no memory type 'epic'" in done.stdout
