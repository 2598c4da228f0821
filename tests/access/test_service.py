"""Answers of a long-lived process: remembered, and never longer than they are true."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.access.asking import AGENT, ids, query, request
from tests.world import World
from toolmem.core.access.answer import QueryAnswer
from toolmem.core.access.request import MemoryQuery
from toolmem.core.access.scratch_page import read_entry
from toolmem.ops.access.query import QueryService
from toolmem.ops.access.sources import AnswerCache
from toolmem.store.index.warm import WarmIndexes
from toolmem.store.state import scratch, trace
from toolmem.store.vault.discover import find_vault
from toolmem.store.vault.vault import Vault

WINES = query("q", "episodic", "wines")
NOW = datetime(2026, 4, 20, tzinfo=UTC)


@pytest.fixture
def vault(world: World) -> World:
    return world.vault("access")


def opened(world: World, **flags: str) -> Vault:
    return Vault.open(find_vault(flags, world.root), world.now)


def serve(world: World, warm: WarmIndexes | None = None, **more: Any) -> QueryService:
    flags = {"agent": "helper"} | {k: str(v) for k, v in more.items()}
    vault = opened(world, **flags)._replace(warm=warm)
    return QueryService(vault, clock=lambda: world.now)


def answer(service: QueryService, *queries: Any, **more: Any):
    return service.answer(request(*queries, **more)).document["memory_context"]


def found(service: QueryService, *queries: Any, **more: Any) -> list[str]:
    return ids(answer(service, *queries, **more)[0])


def test_a_write_is_seen_at_once(vault):
    service = serve(vault)
    before = found(service, WINES)
    assert found(service, WINES) == before
    header = "---\ntags: [wine]\nkind: observation\n---\n"
    vault.write("agents/helper/memory/new.md", f"{header}# New wines\n\nwines wines\n")
    assert "new" in found(service, WINES)
    (vault.root / "agents/helper/memory/new.md").unlink()
    assert found(service, WINES) == before


def test_a_note_on_the_scratch_page_is_seen_at_once_and_gone_when_it_expires(vault):
    service = serve(vault)
    asked = query("q", "scratch_page", "alerts")
    assert found(service, asked) == []
    document = {"type": "risk_alert", "content": "x", "ttl_minutes": 1}
    entry, _ = read_entry(document, vault.now, source="bank")
    alert = scratch.add(opened(vault), entry, agent="helper").id
    assert found(service, asked) == [alert]
    vault.now += timedelta(seconds=30)
    assert found(service, asked) == [alert]
    vault.now += timedelta(seconds=31)
    assert found(service, asked) == []


@pytest.mark.parametrize("warm", [None, WarmIndexes()])
def test_a_memory_that_expires_is_in_no_remembered_answer(vault, warm):
    service = serve(vault, warm=warm)
    before = found(service, WINES)
    for number, seconds in enumerate((60, 120)):
        at = (vault.now + timedelta(seconds=seconds)).isoformat()
        header = f"---\ntags: [wine]\nkind: observation\nexpires_at: {at}\n---\n"
        path = f"agents/helper/memory/new-{number}.md"
        vault.write(path, f"{header}# New wines\n\nwines wines {number}\n")

    def asked() -> tuple[set[str], int]:
        document = service.answer(request(WINES)).document
        found = document["memory_context"][0]
        return set(ids(found)) - set(before), found["total_results"]

    service.answer(request(WINES))
    assert asked() == ({"new-0", "new-1"}, 5)
    vault.now += timedelta(seconds=59)
    assert asked() == ({"new-0", "new-1"}, 5)
    vault.now += timedelta(seconds=1)
    assert asked() == ({"new-1"}, 4)
    vault.now += timedelta(seconds=60)
    assert asked() == (set(), 3)


def test_a_changed_manifest_counts_at_once(vault):
    service = serve(vault)
    assert len(found(service, WINES)) == 3
    vault.write("tools/wine_recommender.toml", "[memory_access.semantic]\n")
    assert answer(service, WINES)[0]["status"] == "denied"


def test_what_one_tool_was_told_another_is_not(vault):
    service = serve(vault)
    asked = query("q", "episodic", "user")
    rich = found(service, asked, tool="travel_planner")
    poor = found(service, asked, tool="wine_recommender")
    assert set(poor) < set(rich)
    assert found(service, asked, tool="financial_advisor") == ["paid-rent-aa0004"]


def test_another_limit_or_budget_is_another_question(vault):
    service = serve(vault)
    assert len(found(service, WINES)) == 3
    assert len(found(service, WINES | {"limit": 2})) == 2
    assert found(service, WINES | {"budget_tokens": 1}) == []


def test_a_new_file_is_found_though_the_index_is_kept_open(vault):
    service = serve(vault, warm=WarmIndexes())
    assert len(found(service, WINES)) == 3
    vault.write(
        "agents/helper/memory/new.md",
        "---\ntags: [wine]\nkind: observation\n---\nwines\n",
    )
    assert len(found(service, WINES | {"limit": 9})) == 4


def test_a_request_names_its_agent_where_none_is_set(vault):
    anyone = QueryService(opened(vault), clock=lambda: vault.now)
    assert found(anyone, WINES) == found(serve(vault), WINES) != []
    unnamed = dict(AGENT, agent_id="")
    assert found(anyone, WINES, agent_context=unnamed) == []
    other = serve(vault, agent="other")
    (refused,) = answer(other, WINES)
    assert refused["status"] == "denied"
    unclaimed = dict(AGENT, agent_id="")
    assert found(other, WINES, agent_context=unclaimed) == ["theirs-ee0001"]


def test_a_project_that_is_not_ours_is_refused_as_well(vault):
    context = dict(AGENT, project="secret")
    (refused,) = answer(serve(vault, project="shop"), WINES, agent_context=context)
    assert refused["reason"] == (
        "the request names the project 'secret': this is for 'shop'"
    )


def test_an_episode_of_another_agent_in_a_shared_folder_is_its_own(vault):
    header = "---\ntags: [wine]\nkind: observation\n"
    for agent in ("helper", "other"):
        text = f"{header}agent: {agent}\n---\n# By {agent}\n\nwines\n"
        vault.write(f"system/memory/by-{agent}.md", text)
    assert "by-helper" in found(serve(vault), WINES)
    assert "by-other" not in found(serve(vault), WINES)


def test_each_answer_is_traced_even_if_it_is_remembered(vault):
    service = serve(vault)
    for _ in range(2):
        answer(service, WINES)
    lines = [each.line for each in trace.read(opened(vault))]
    assert [(one.event, one.returned, one.agent) for one in lines] == [
        ("query", 3, "helper")
    ] * 2


def test_an_answer_is_kept_for_five_minutes_and_of_many_the_last():
    now = [0.0]
    cache = AnswerCache(clock=lambda: now[0])
    kept = QueryAnswer(MemoryQuery("q", "semantic"), "ok")
    cache.put("key", kept)
    now[0] = 299.9
    assert cache.get("key", NOW) == kept
    now[0] = 300.0
    assert cache.get("key", NOW) is None
    for number in range(1025):
        cache.put(number, kept)
    assert (cache.get(0, NOW), cache.get(1, NOW)) == (None, kept)
