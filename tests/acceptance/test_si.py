"""Demands of Si's tool memory access: queries, access, budgets, writes and the trace.

Sources: its document `tool-memory-access`, by section and case (TC), and the one on the
scratch page.
"""

import json

import pytest

from tests.acceptance.book import differs
from tests.access.asking import AGENT, ask, ids, query, request, trace
from tests.opened import opened_files
from toolmem.core.text.tokens import estimate_tokens
from toolmem.store.index import source

VAULT = "access"
WRITES = {
    "request_id": "req-9",
    "tool_id": "wine_recommender",
    "agent_context": AGENT,
    "status": "ok",
}


def asked(rpc, *queries, **more):
    """The answers to the queries of one request."""
    return rpc.ask("query", request=request(*queries, **more))["memory_context"]


def answer(rpc, memory_type, text, tool="wine_recommender", **more):
    """The answer to one query."""
    (found,) = asked(rpc, query("q", memory_type, text, **more), tool=tool)
    return found


def allow(command, **types):
    """A tool that may ask as the tables say, in the vault of the specification."""
    command.world.vault("access")
    lines = ['name = "taster"\n']
    for name, table in types.items():
        lines.append(f"[memory_access.{name}]\n")
        lines += [f"{key} = {json.dumps(value)}\n" for key, value in table.items()]
    command.write("tools/taster.toml", "".join(lines))
    return command.world


def note(command, text, **header):
    """A memory of the agent that the taster may see."""
    number = len(command.world.files())
    stated = {"kind": "observation", "tags": "[wine]", **header}
    lines = "".join(f"{key}: {value}\n" for key, value in stated.items())
    path = f"agents/helper/memory/note-{number:03}.md"
    command.write(path, f"---\n{lines}---\n{text}\n")
    return f"note-{number:03}"


def taste(command, text="vineyard", **more):
    """The answer to one episodic query of the taster."""
    (found,) = ask(command.world, query("q", "episodic", text, **more), tool="taster")
    return found


def apply(command, **writes):
    """Return the outcome of the writes of a response."""
    command.world.vault("access")
    done = command.world.call("apply", "--json", stdin=json.dumps({**WRITES, **writes}))
    return json.loads(done.stdout)


# The five sources


def test_a_tool_queries_episodic_memory(rpc):
    """Case TC-1.1; query type 1."""
    found = answer(rpc, "episodic", "What wines has user liked?")
    assert found["status"] == "ok"
    assert set(ids(found)) == {
        "liked-morgon-aa0001",
        "liked-chablis-aa0002",
        "no-sweet-aa0003",
    }
    scores = found["search_metadata"]["ranking_scores"]
    assert scores == sorted(scores, reverse=True)
    assert len(scores) == found["returned_results"] == found["total_results"] == 3


def test_a_tool_queries_semantic_memory_and_gets_no_events(rpc):
    """Case TC-1.2; query type 2."""
    found = answer(rpc, "semantic", "What are Burgundy wine characteristics?")
    assert found["status"] == "ok"
    assert ids(found)[0] == "burgundy-bb0001"
    assert set(ids(found)) == {"burgundy-bb0001", "decant-bb0002", "wine.glass@system"}
    assert {result["type"] for result in found["results"]} == {"fact", "skill"}


def test_a_tool_queries_the_scratch_page_and_gets_what_is_active(rpc):
    """Case TC-1.3; query type 3."""
    given = {"type": "risk_alert", "agent": "helper"}
    done = rpc.ask("scratch.add", text="An older alert", **given)
    rpc.ask("scratch.set-status", id=done["id"], status="resolved", agent="helper")
    alert = rpc.ask("scratch.add", text="A payment of 4,000 euros", **given)
    question = "Are there active alerts?"
    found = answer(rpc, "scratch_page", question)
    assert (found["status"], ids(found)) == ("ok", [alert["id"]])
    resolved = answer(rpc, "scratch_page", question, filters={"status": "resolved"})
    assert ids(resolved) == [done["id"]]


def test_a_tool_queries_the_conversation(rpc):
    """Query type 4: recent dialogue."""
    said = "My budget for the wine is 40 euros"
    rpc.ask("conversation.add", text=said, role="user", agent="helper")
    found = answer(rpc, "conversation", "What has the user said about their budget?")
    assert [result["content"] for result in found["results"]] == [said]


def test_a_tool_queries_working_memory(rpc):
    """Query type 5: goals of this turn."""
    goal = {"name": "goal", "text": "Find a red wine", "type": "goal"}
    rpc.ask("working.set", **goal, agent="helper")
    found = answer(rpc, "working", "What are active goals?", tool="travel_planner")
    assert [result["content"] for result in found["results"]] == ["Find a red wine"]


# Access control


def test_another_agents_memories_are_not_accessible(rpc):
    """Section "Access Control": memories from other agents."""
    found = answer(rpc, "episodic", "wines")
    assert "theirs-ee0001" not in ids(found)


def test_private_memories_are_not_accessible(rpc):
    """Section "Access Control": private or restricted."""
    found = answer(rpc, "semantic", "Burgundy wines that he drank alone")
    assert "diary-dd0001" not in ids(found)
    assert found["total_results"] == len(found["results"])


def test_a_declared_memory_type_may_be_asked(rpc):
    """Case TC-2.1."""
    found = answer(rpc, "episodic", "wines")
    assert (found["status"], found["returned_results"] > 0) == ("ok", True)


def test_an_undeclared_memory_type_is_empty_and_no_error(rpc):
    """Case TC-2.2; section "Access Denied"."""
    found = answer(rpc, "semantic", "salary", tool="financial_advisor")
    assert (found["status"], found["results"]) == ("denied", [])
    assert found["reason"] == "the tool's manifest does not declare semantic"


def test_a_memory_type_that_is_turned_off_is_denied(rpc):
    """Section "Tool Manifest Declaration": `enabled: false`."""
    assert answer(rpc, "working", "goals")["status"] == "denied"


def test_only_declared_types_of_memories_are_found(rpc):
    """Section "Tool Manifest Declaration": `query_types`."""
    found = answer(rpc, "episodic", "the user", tool="financial_advisor")
    assert {result["type"] for result in found["results"]} == {"transaction"}


def test_only_memories_with_a_declared_tag_are_found(rpc):
    """Section "Tool Manifest Declaration": `tags`."""
    found = answer(rpc, "semantic", "best times to visit Lisbon or Burgundy")
    assert "paris-bb0003" not in ids(found)


def test_a_tool_asks_no_more_queries_than_declared(command):
    """Section "Tool Manifest Declaration": `max_queries`."""
    world = allow(command, episodic={"max_queries": 1})
    queries = [query(name, "episodic", "wines") for name in "ab"]
    found = ask(world, *queries, tool="taster")
    assert [one["status"] for one in found] == ["ok", "denied"]


def test_a_query_uses_no_more_tokens_than_declared(command):
    """Section "Tool Manifest Declaration": `max_budget_tokens`."""
    allow(command, episodic={"max_budget_tokens": 20})
    found = taste(command, "wines")
    assert found["tokens_used"] <= 20
    assert found["status"] == "partial"


def test_the_server_gives_what_the_agent_of_the_request_may_see(rpc):
    """Section "Access Control": scoped to the current agent_id."""
    found = answer(rpc, "episodic", "wines")
    assert (found["status"], len(found["results"])) == ("ok", 3)
    (other,) = asked(
        rpc, query("q", "episodic", "wines"), agent_context={"agent_id": "nobody"}
    )
    assert not set(ids(other)) & set(ids(found))


def test_a_request_that_names_another_agent_than_the_launch_is_denied(command):
    """Section "Access Control": tools cannot claim another agent."""
    document = request(query("q", "episodic", "wines"))
    command.world.vault("access")
    given = ("query", "--agent", "other")
    (found,) = command.json(*given, stdin=json.dumps(document))["memory_context"]
    assert (found["status"], found["results"]) == ("denied", [])
    assert (
        found["reason"] == "the request names the agent 'helper': this is for 'other'"
    )


# The request and its answer


def test_the_request_comes_back_with_its_memory_context(rpc):
    """Section "Memory Query Response": results in ToolRequest context."""
    given = request(query("q", "episodic", "wines"))
    done = rpc.ask("query", request=given)
    assert {k: v for k, v in done.items() if k != "memory_context"} == given


def test_an_answer_has_the_fields_of_the_specification(rpc):
    """Section "Memory Query Response"."""
    found = answer(rpc, "episodic", "wines")
    assert set(found) >= {
        "query_id",
        "memory_type",
        "results",
        "total_results",
        "returned_results",
        "tokens_used",
        "search_metadata",
    }
    assert set(found["search_metadata"]) >= {"query_time_ms", "ranking_scores"}


def test_a_result_has_the_fields_of_the_specification(rpc):
    """Section "Memory Query Response": results."""
    (first, *_) = answer(rpc, "episodic", "wines")["results"]
    assert set(first) >= {
        "id",
        "type",
        "content",
        "source",
        "timestamp",
        "importance",
        "tags",
        "metadata",
    }


def test_ten_results_are_the_default_limit(command):
    """Section "Memory Query Request": limit."""
    allow(command, episodic={})
    for number in range(14):
        note(command, f"Vineyard {number}")
    found = taste(command, budget_tokens=1000)
    assert (found["returned_results"], found["total_results"]) == (10, 14)


def test_a_limit_bounds_the_results_and_not_the_total(rpc):
    """Section "Memory Query Request": limit; total_results."""
    found = answer(rpc, "episodic", "wines", limit=1)
    assert (found["returned_results"], found["total_results"]) == (1, 3)


def test_all_queries_of_a_batch_are_answered_in_order(rpc):
    """Section "Query Batching"."""
    names = ["c", "a", "b"]
    found = asked(rpc, *(query(name, "episodic", "wines") for name in names))
    assert [one["query_id"] for one in found] == names


def test_a_query_with_filters_alone_is_answered(rpc):
    """Section "Memory Query Request": filters."""
    found = answer(rpc, "episodic", "", filters={"types": ["observation"]})
    assert ids(found) == ["liked-chablis-aa0002"]


# Filters


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({"types": ["user_preference"]}, {"liked-morgon-aa0001", "no-sweet-aa0003"}),
        ({"source": "wine_recommender"}, {"liked-chablis-aa0002"}),
        ({"importance_min": 0.6}, {"liked-morgon-aa0001", "liked-chablis-aa0002"}),
        (
            {"time_range": {"start": "2026-03-01T00:00:00Z"}},
            {"liked-morgon-aa0001", "liked-chablis-aa0002"},
        ),
        ({"time_range": {"end": "2025-12-31T23:59:59Z"}}, {"no-sweet-aa0003"}),
    ],
)
def test_filters_keep_what_fits_them(rpc, filters, found):
    """Section "Memory Query Request": types, source, importance_min, time_range."""
    assert set(ids(answer(rpc, "episodic", "wines", filters=filters))) == found


def test_all_tags_of_a_filter_must_be_there(command):
    """Section "Memory Query Request": tags; scratch page: tags are AND-ed."""
    allow(command, episodic={})
    both = note(command, "Vineyard one", tags="[wine, red]")
    note(command, "Vineyard two", tags="[wine, white]")
    assert ids(taste(command, filters={"tags": ["wine", "red"]})) == [both]


def test_a_status_filters_the_scratch_page(rpc):
    """Query type 3: status."""
    done = rpc.ask("scratch.add", text="Old", type="risk_alert", agent="helper")
    rpc.ask("scratch.set-status", id=done["id"], status="resolved", agent="helper")
    found = answer(rpc, "scratch_page", "Old", filters={"status": "resolved"})
    assert done["id"] in ids(found)


# Ranking


def test_results_are_ranked_and_their_scores_say_so(rpc):
    """Section "Query Ranking"."""
    metadata = answer(rpc, "episodic", "wines that the user liked")["search_metadata"]
    scores = metadata["ranking_scores"]
    assert scores == sorted(scores, reverse=True)
    assert len(scores) == 3


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ({"created": "2026-04-19"}, {"created": "2025-04-19"}),
        ({"importance": 0.9}, {"importance": 0.1}),
        ({"source": "user"}, {"source": "inference"}),
    ],
)
def test_newer_more_important_and_trusted_items_rank_higher(command, better, worse):
    """Section "Query Ranking": recency, importance; re-ranking: source."""
    allow(command, episodic={})
    stated = {"created": "2026-01-01", "importance": 0.5}
    second = note(command, "Vineyard alpha", **{**stated, **worse})
    first = note(command, "Vineyard bravo", **{**stated, **better})
    assert ids(taste(command)) == [first, second]


def test_relevance_counts_most(command):
    """Section "Query Ranking": relevance."""
    allow(command, episodic={})
    note(command, "A cellar, a market, and a vineyard among other things to see")
    best = note(command, "Vineyard of the abbey, the abbey's vineyard")
    assert ids(taste(command, "vineyard of the abbey"))[0] == best


def test_near_duplicates_make_room_for_something_new(command):
    """Section "Query Ranking": novelty."""
    allow(command, episodic={})
    for number in range(4):
        note(command, f"The vineyard of the abbey makes a red wine, bottle {number}")
    other = note(command, "The vineyard closes in August")
    assert other in ids(taste(command, "vineyard", limit=2))


# Budgets


def of_tokens(command, count, each):
    """Notes that cost nearly so many tokens each."""
    for number in range(count):
        text, at = f"Vineyard {number}", 0
        while estimate_tokens(f"{text} row {at}{number}") <= each:
            text, at = f"{text} row {at}{number}", at + 1
        note(command, text)


def test_results_are_packed_into_the_budget(command):
    """Case TC-3.1."""
    allow(command, episodic={})
    of_tokens(command, 5, 100)
    found = taste(command, budget_tokens=300)
    costs = [estimate_tokens(result["content"]) for result in found["results"]]
    assert found["tokens_used"] == sum(costs) <= 300
    assert all(90 <= cost <= 100 for cost in costs)
    assert (found["returned_results"], found["total_results"]) == (3, 5)
    assert found["status"] == "partial"
    assert found["reason"] == "the budget of 300 tokens: 3 of 5 results fit"
    assert found["search_metadata"]["left_out"] == {"limit": 0, "budget": 2}


def test_queries_share_the_budget_of_the_request(command):
    """Case TC-3.2."""
    world = allow(command, episodic={})
    of_tokens(command, 5, 100)
    queries = (query(name, "episodic", "vineyard", budget_tokens=300) for name in "ab")
    found = ask(world, *queries, tool="taster")
    granted = [one["search_metadata"]["tokens_granted"] for one in found]
    assert granted == [300, 200]
    assert [one["returned_results"] for one in found] == [3, 2]
    assert sum(one["tokens_used"] for one in found) <= 500
    assert found[1]["reason"] == (
        "the 200 tokens left of the request's budget: 2 of 5 results fit"
    )


def test_a_query_without_a_budget_has_500_tokens(command):
    """Section "Query Budget": default."""
    allow(command, episodic={})
    of_tokens(command, 7, 100)
    assert taste(command)["returned_results"] == 5


def test_a_budget_over_1000_tokens_is_cut_and_the_answer_says_so(command):
    """Section "Query Budget": max."""
    allow(command, episodic={})
    found = taste(command, "wines", budget_tokens=1500)
    assert (found["status"], found["reason"]) == (
        "ok",
        "budget_tokens: 1500 is cut to 1000",
    )


def test_a_first_query_that_asks_for_much_does_not_starve_the_others(rpc):
    """Section "Query Budget": shared across all queries; patterns 1 to 3."""
    first, second, third = asked(
        rpc,
        query("a", "episodic", "wines"),
        query("b", "semantic", "Burgundy wines"),
        query("c", "episodic", "sweet wines"),
    )
    assert all(one["returned_results"] for one in (first, second, third))
    assert sum(one["tokens_used"] for one in (first, second, third)) <= 500


# Errors


def test_a_query_with_a_fault_does_not_stop_the_others(rpc):
    """Case TC-4.1; section "Query Errors"."""
    bad, good = asked(
        rpc,
        query("bad", "episodic", "wines", filters={"importance_min": 2}),
        query("good", "episodic", "wines"),
    )
    assert (bad["status"], bad["results"]) == ("error", [])
    assert bad["reason"] == (
        "$.memory_queries[0].filters.importance_min: expected a number from 0 to 1, "
        "found 2"
    )
    assert good["returned_results"] == 3


def test_a_memory_type_that_does_not_exist_is_a_fault_of_its_query(rpc):
    """Section "Query Validation": memory type is valid."""
    found = answer(rpc, "episodik", "wines")
    assert (found["status"], found["results"]) == ("error", [])
    assert "did you mean 'episodic'" in found["reason"]


def test_a_query_that_takes_too_long_is_empty_and_the_tool_goes_on(
    command, monkeypatch
):
    """Case TC-4.1: a timeout."""
    allow(command, episodic={})
    command.write("home/toolmem/config.toml", "[access]\nquery_ms = 0\n")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(command.world.root / "home"))
    found = taste(command, "wines")
    assert (found["status"], found["results"]) == ("error", [])
    assert found["reason"] == "it took longer than 0 ms"


def test_a_denied_query_does_not_stop_the_others(rpc):
    """Case TC-4.2."""
    found = asked(rpc, query("a", "working", "x"), query("b", "episodic", "wines"))
    assert [one["status"] for one in found] == ["denied", "ok"]
    assert found[0]["reason"] == "the tool's manifest does not declare working"


def test_nothing_known_and_not_allowed_are_told_apart(rpc):
    """Section "Access Denied": the tool continues without restricted memory."""
    known = answer(rpc, "semantic", "quarks")
    denied = answer(rpc, "semantic", "quarks", tool="financial_advisor")
    assert (known["status"], known["total_results"]) == ("ok", 0)
    assert denied["status"] == "denied"


# The trace


def test_errors_denials_and_cuts_are_in_the_trace(command):
    """Section "Error Handling": log to Turn Trace."""
    world = allow(command, episodic={})
    ask(
        world,
        query("e", "episodic", "wines", filters={"importance_min": 2}),
        query("d", "working", "goals"),
        query("c", "episodic", "wines", budget_tokens=20),
        tool="taster",
    )
    events = [(line["query_id"], line["event"]) for line in trace(world)]
    assert events == [("e", "error"), ("d", "denied"), ("c", "cut")]


def test_the_trace_counts_what_was_written(command):
    """Turn Trace: Observation."""
    content = "The user likes a Gamay from Fleurie"
    apply(command, memory_writes=[{"type": "observation", "content": content}])
    (line,) = trace(command.world)
    counts = (line["event"], line["returned"], line["total"], line["tokens"])
    assert counts == ("write", 1, 1, estimate_tokens(content))


def test_the_trace_has_no_contents(command):
    """Turn Trace: write-only during the turn."""
    world = allow(command, episodic={})
    ask(world, query("q", "episodic", "wines"), tool="taster")
    assert "Morgon" not in world.call("trace", "--json").stdout


# The cache


@differs(
    "the key of the cache is all that an answer follows from: asker, tool, manifest, "
    "type, limit, budget, settings and files; a change is seen at once"
)
def test_answers_are_cached_by_agent_text_and_filters_for_five_minutes(rpc):
    """Section "Query Caching": cache key, TTL."""
    assert answer(rpc, "episodic", "lagoon", tool="travel_planner")["results"] == []
    path = rpc.vault / "agents/helper/memory/lagoon.md"
    path.write_text("---\nkind: event\n---\nThe user saw the lagoon of Venice\n")
    found = answer(rpc, "episodic", "lagoon", tool="travel_planner")
    assert ids(found) == ["lagoon"]
    path.unlink()


TYPES = ("episodic", "semantic", "scratch_page", "conversation", "working")


@pytest.mark.one_of(5)
@pytest.mark.parametrize("kind", TYPES)
def test_the_work_of_a_query_does_not_grow_with_the_memories(
    command, kind, monkeypatch
):
    """Section "Performance": latency of each memory type."""
    monkeypatch.setattr(source, "RACY_NS", 0)  # no file counts as just written
    allow(command, **{kind: {}})
    opened = []
    for text, count in (
        ("Vineyard {} makes wine", 20),
        ("Harbour {} mends boats", 200),
    ):
        for number in range(count):
            note(command, text.format(number))
        line = query("q", kind, "vineyard wine", limit=3)
        ask(command.world, line, tool="taster")  # the index is current now
        with opened_files(".md") as files:
            ask(command.world, line, tool="taster")
        opened.append(len(files))
    assert opened[1] <= 2 * max(opened[0], 3)  # of eleven times the memories


# Writes


def test_a_tool_writes_memories_in_its_response(command):
    """Section "Access Levels": `memory_writes`."""
    content = "The user likes a Gamay from Fleurie"
    write = {"type": "observation", "content": content, "tags": ["wine"]}
    (done,) = apply(command, memory_writes=[write])["memory_write_results"]
    assert done["status"] == "created"
    (found,) = ask(command.world, query("q", "episodic", "Gamay from Fleurie"))
    assert ids(found)[0] == done["id"]


def test_a_tool_writes_scratch_entries_in_its_response(command):
    """Section "Access Levels": `scratch_page_writes`."""
    write = {"type": "contextual_insight", "content": "User will like a Gamay"}
    done = apply(command, scratch_page_writes=[write])["scratch_page_write_results"]
    assert [one["status"] for one in done] == ["created"]
    (found,) = ask(command.world, query("q", "scratch_page", "Gamay"))
    assert ids(found) == [done[0]["id"]]


def test_a_tool_changes_and_deletes_no_memory(command):
    """Section "Access Control": modify or delete existing memories."""
    command.world.vault("access")
    before = command.world.files()
    content = "The user liked the 2020 Morgon at dinner and asked for the producer."
    apply(command, memory_writes=[{"type": "user_preference", "content": content}])
    after = command.world.files()
    assert {path: after[path] for path in before} == before


def test_what_a_tool_wrote_and_may_not_ask_for_is_said(command):
    """Section "Access Levels": `memory_writes` in episodic memory."""
    command.world.vault("access")
    write = {"type": "fact", "content": "Fleurie is a village of the Beaujolais"}
    response = {**WRITES, "tool_id": "financial_advisor", "memory_writes": [write]}
    done = command.json("apply", stdin=json.dumps(response))["memory_write_results"]
    assert done[0]["warnings"] == [
        "type: fact is returned by semantic queries, which the tool's manifest does "
        "not allow"
    ]


def test_a_memory_of_a_tool_expires_after_its_days(command):
    """`memory_writes`: ttl_days."""
    write = {"type": "observation", "content": "A Gamay from Fleurie", "ttl_days": 30}
    apply(command, memory_writes=[{**write, "tags": ["wine"]}])
    command.world.clock(days=31)
    (found,) = ask(command.world, query("q", "episodic", "Fleurie"))
    assert found["total_results"] == 0


def test_confidence_and_importance_of_a_write_are_kept(command):
    """`memory_writes`: confidence."""
    write = {"type": "observation", "content": "A Gamay", "confidence": 0.95}
    (done,) = apply(command, memory_writes=[{**write, "importance": 0.7}])[
        "memory_write_results"
    ]
    text = command.read(f"agents/helper/memory/episodic/{done['id']}.md")
    assert "confidence: 0.95\n" in text
    assert "importance: 0.7\n" in text


# The manifest


def test_a_manifest_of_the_specification_is_imported_with_its_version(command):
    """Section "Tool Manifest Declaration"."""
    manifest = (
        "tool:\n  id: wine_recommender\n  version: 1.0.0\n  memory_access:\n"
        "    episodic:\n      enabled: true\n      query_types: [observation]\n"
        "      max_queries: 3\n      max_budget_tokens: 500\n"
        "    working:\n      enabled: false\n"
    )
    command.call("tool", "import", "-", stdin=manifest)
    shown = command.json("tool", "show", "wine_recommender")
    assert shown["version"] == "1.0.0"
    assert shown["memory_access"] == {
        "working": {"enabled": False},
        "episodic": {
            "enabled": True,
            "query_types": ["observation"],
            "max_queries": 3,
            "max_budget_tokens": 500,
        },
    }


# The scratch page


def scratch(command, *words):
    return command.json("scratch", *words, "--agent", "helper")


def test_an_entry_of_few_fields_gets_defaults(command):
    """Scratch page, TC-1: minimal fields."""
    entry = scratch(command, "add", "A note")
    stated = {key: entry[key] for key in ("type", "status", "owner", "confidence")}
    assert stated == {
        "type": "observation",
        "status": "active",
        "owner": "agent",
        "confidence": 0.5,
    }


def test_a_type_that_is_not_registered_is_refused(command):
    """Scratch page, TC-1: an unregistered type."""
    done = command.world.call("scratch", "add", "x", "--type", "rumour")
    assert (done.code, "rumour" in done.stderr) == (2, True)


def test_an_entry_without_content_is_refused(command):
    """Scratch page, TC-1: empty content."""
    assert command.world.call("scratch", "add", "  ").code == 2


def test_filters_of_the_scratch_page_are_all_applied(command):
    """Scratch page, TC-2: combined AND."""
    both = scratch(command, "add", "A", "--type", "reminder", "--tag", "x")
    scratch(command, "add", "B", "--type", "reminder")
    scratch(command, "add", "C", "--tag", "x")
    listed = scratch(command, "list", "--type", "reminder", "--tag", "x")
    assert [entry["id"] for entry in listed] == [both["id"]]


def test_the_newest_entries_come_first(command):
    """Scratch page, TC-2: order."""
    for text in ("older", "newer"):
        scratch(command, "add", text)
        command.world.clock(days=1)
    listed = scratch(command, "list")
    assert [entry["content"] for entry in listed] == ["newer", "older"]


def test_an_entry_goes_through_its_statuses_and_never_back(command):
    """Scratch page, TC-5: lifecycle; archived to active is rejected."""
    entry = scratch(command, "add", "A")["id"]
    for status in ("pending_review", "resolved", "archived"):
        done = scratch(command, "set-status", entry, status)
        assert done["status"] == status
    back = command.world.call(
        "scratch", "set-status", entry, "active", "--agent", "helper"
    )
    assert back.code != 0


def test_an_entry_expires(command):
    """Scratch page, TC-6: gone at 61 s, there at 30 s."""
    scratch(command, "add", "A", "--ttl", "1m")
    command.world.clock(days=30 / 86400)
    assert len(scratch(command, "list")) == 1
    command.world.clock(days=31 / 86400)
    assert scratch(command, "list") == []


def test_a_confidence_out_of_range_is_clamped_with_a_warning(command):
    """Scratch page: invalid confidence."""
    done = command.world.call("scratch", "add", "A", "--confidence", "7", "--json")
    assert json.loads(done.stdout)["confidence"] == 1
    assert "confidence" in done.stderr


def test_content_of_any_script_and_of_10000_characters_is_kept(command):
    """Scratch page, TC-12: long content, unicode."""
    text = "Grüße 猫 🍷 " * 1000
    entry = scratch(command, "add", text)
    assert scratch(command, "show", entry["id"])["content"].strip() == text.strip()


def test_an_entry_that_is_not_there_is_null(command):
    """Scratch page, TC-3: get of a missing entry."""
    assert scratch(command, "show", "01KPNC60G0800800R001001000") is None
