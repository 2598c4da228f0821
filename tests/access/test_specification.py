"""The specification's own cases, TC-1.1 to TC-4.2, with its numbers."""

import json
import sqlite3
from contextlib import closing

import pytest

from tests.access.asking import ask, asked, ids, query, request
from tests.world import World
from toolmem.core.access.scratch_page import read_entry
from toolmem.core.text.tokens import estimate_tokens
from toolmem.store.state import scratch
from toolmem.store.vault.discover import find_vault
from toolmem.store.vault.vault import Vault


@pytest.fixture
def vault(world: World) -> World:
    return world.vault("access")


def opened(world: World) -> Vault:
    return Vault.open(find_vault({}, world.root), world.now)


def note(world: World, kind: str, content: str, **more: object) -> str:
    """Put an entry on the agent's scratch page; its id."""
    document = {"type": kind, "content": content, **more}
    entry, _ = read_entry(document, world.now, source="bank_feed")
    return scratch.add(opened(world), entry, agent="helper").id


def test_tc_1_1_an_episodic_query_finds_what_the_user_liked(vault):
    (answer,) = ask(vault, query("q", "episodic", "What wines has user liked?"))
    assert answer["status"] == "ok"
    assert ids(answer)[0] == "liked-morgon-aa0001"
    assert set(ids(answer)) == {
        "liked-morgon-aa0001",
        "liked-chablis-aa0002",
        "no-sweet-aa0003",
    }
    scores = answer["search_metadata"]["ranking_scores"]
    assert scores == sorted(scores, reverse=True)
    assert len(scores) == answer["returned_results"] == answer["total_results"] == 3


def test_tc_1_2_a_semantic_query_finds_facts_and_skills_not_events(vault):
    question = "What are Burgundy wine characteristics?"
    (answer,) = ask(vault, query("q", "semantic", question))
    assert answer["status"] == "ok"
    assert ids(answer)[0] == "burgundy-bb0001"
    assert set(ids(answer)) == {"burgundy-bb0001", "decant-bb0002", "wine.glass@system"}
    assert {result["type"] for result in answer["results"]} == {"fact", "skill"}


def test_tc_1_3_a_scratch_page_query_finds_active_alerts_only(vault):
    alert = note(vault, "risk_alert", "A payment of 4,000 euros from abroad")
    done = note(vault, "risk_alert", "An older one")
    scratch.change(opened(vault), done, lambda entry: entry._replace(status="resolved"))
    question = "Are there active alerts?"
    (answer,) = ask(vault, query("q", "scratch_page", question))
    assert (answer["status"], ids(answer)) == ("ok", [alert])
    resolved = query("q", "scratch_page", question, filters={"status": "resolved"})
    assert ids(ask(vault, resolved)[0]) == [done]


def test_tc_2_1_a_tool_may_ask_what_its_manifest_declares(vault):
    (answer,) = ask(vault, query("q", "episodic", "wines"))
    assert (answer["status"], answer["returned_results"] > 0) == ("ok", True)


def test_tc_2_2_an_undeclared_memory_type_is_denied_without_an_error(vault):
    queries = query("q", "semantic", "salary"), query("r", "episodic", "transactions")
    denied, answer = ask(vault, *queries, tool="financial_advisor")
    assert denied == {
        "query_id": "q",
        "memory_type": "semantic",
        "status": "denied",
        "reason": "the tool's manifest does not declare semantic",
        "results": [],
        "total_results": 0,
        "returned_results": 0,
        "tokens_used": 0,
        "search_metadata": {
            "query_time_ms": 0,
            "ranking_scores": [],
            "score_parts": [],
            "tokens_granted": 0,
            "left_out": {"limit": 0, "budget": 0},
        },
    }
    assert ids(answer) == ["paid-rent-aa0004"]


def of_tokens(world: World, count: int, each: int) -> None:
    """Preferences that cost so many tokens each."""
    words = "likes the wine of vineyard number".split()
    for number in range(count):
        text = f"Vineyard {number}"
        at = 0
        while estimate_tokens(f"{text} {words[at % 6]} {at}{number}") <= each:
            text += f" {words[at % 6]} {at}{number}"
            at += 1
        header = "---\ntags: [wine]\nkind: observation\n---\n"
        world.write(f"agents/helper/memory/v{number}.md", f"{header}{text}\n")


def test_tc_3_1_500_tokens_of_results_are_packed_into_300(world):
    world.vault("access")
    of_tokens(world, 5, 100)
    question = query("q", "episodic", "vineyard", budget_tokens=300)
    (answer,) = ask(world, question)
    costs = [estimate_tokens(result["content"]) for result in answer["results"]]
    assert answer["tokens_used"] == sum(costs) <= 300
    assert all(90 <= cost <= 100 for cost in costs)
    assert answer["returned_results"] == 3
    assert answer["total_results"] == 5
    assert answer["status"] == "partial"
    assert answer["reason"] == "the budget of 300 tokens: 3 of 5 results fit"
    assert answer["search_metadata"]["left_out"] == {"limit": 0, "budget": 2}


def test_tc_3_2_two_queries_of_300_share_500_as_300_and_200(world):
    world.vault("access")
    of_tokens(world, 5, 100)
    first, second = ask(
        world,
        query("a", "episodic", "vineyard", budget_tokens=300),
        query("b", "episodic", "vineyard", budget_tokens=300),
    )
    granted = [one["search_metadata"]["tokens_granted"] for one in (first, second)]
    assert granted == [300, 200]
    assert (first["returned_results"], second["returned_results"]) == (3, 2)
    assert first["tokens_used"] + second["tokens_used"] <= 500
    assert second["reason"] == (
        "the 200 tokens left of the request's budget: 2 of 5 results fit"
    )


def test_what_a_query_does_not_use_the_next_ones_get(vault):
    first, second = ask(
        vault,
        query("a", "episodic", "nothing that is known", budget_tokens=300),
        query("b", "episodic", "wines", budget_tokens=300),
    )
    assert (first["status"], first["tokens_used"]) == ("ok", 0)
    assert (second["status"], second["returned_results"]) == ("ok", 3)


def test_tc_4_1_a_query_that_fails_stops_neither_the_others_nor_the_tool(vault):
    bad, good = ask(
        vault,
        query("bad", "episodic", "wines", filters={"importance_min": 2}),
        query("good", "episodic", "wines"),
    )
    assert (bad["status"], bad["results"]) == ("error", [])
    assert bad["reason"] == (
        "$.memory_queries[0].filters.importance_min: expected a number from 0 to 1, "
        "found 2"
    )
    assert good["returned_results"] == 3


def test_tc_4_1_a_timeout_is_an_error_of_that_query(vault, monkeypatch):
    vault.write("home/toolmem/config.toml", "[access]\nquery_ms = 0\n")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(vault.root / "home"))
    (answer,) = ask(vault, query("q", "episodic", "wines"))
    assert (answer["status"], answer["results"]) == ("error", [])
    assert answer["reason"] == "it took longer than 0 ms"


def test_tc_4_1_a_broken_index_is_mended_or_told(vault):
    ask(vault, query("q", "episodic", "wines"))
    for path in (vault.root / ".toolmem/index").rglob("*"):
        if path.is_file() and path.name != "lock":
            path.write_bytes(path.read_bytes()[:7])
    done = vault.call("query", stdin=json.dumps(request(query("q", "episodic", "a"))))
    assert done.code == 0
    assert json.loads(done.stdout)["memory_context"][0]["status"] == "ok"


def test_tc_4_1_local_state_that_cannot_be_used_is_an_error_of_that_query(vault):
    note(vault, "risk_alert", "something")
    with closing(sqlite3.connect(vault.root / ".toolmem/state.db")) as state:
        state.execute("PRAGMA user_version = 999")
    document = request(
        query("s", "scratch_page", "alerts"), query("e", "episodic", "wines")
    )
    done = vault.call("query", "--json", stdin=json.dumps(document))
    assert done.code == 0
    assert "the trace was not written" in done.stderr
    state_answer, answer = json.loads(done.stdout)["memory_context"]
    assert (state_answer["status"], answer["status"]) == ("error", "ok")
    assert "newer" in state_answer["reason"]


def test_tc_4_2_a_denied_query_stops_neither_the_others_nor_the_tool(vault):
    first, second = ask(
        vault,
        query("a", "working", "goals"),
        query("b", "episodic", "wines"),
    )
    assert (first["status"], second["status"]) == ("denied", "ok")
    assert first["reason"] == "the tool's manifest does not declare working"


def test_nothing_known_and_not_allowed_are_told_apart(vault):
    known, denied = (
        ask(vault, query("q", "semantic", "quarks"), tool=tool)[0]
        for tool in ("wine_recommender", "financial_advisor")
    )
    assert (known["status"], known["total_results"]) == ("ok", 0)
    assert denied["status"] == "denied"


@pytest.mark.parametrize("tool", ["unheard_of", "plain"])
def test_a_tool_that_declares_nothing_gets_nothing(vault, tool):
    answers = ask(vault, query("q", "semantic", "wines"), tool=tool)
    assert [(one["status"], one["results"]) for one in answers] == [("denied", [])]


def test_an_alias_is_the_tool(vault):
    (answer,) = ask(vault, query("q", "episodic", "wines"), tool="Sommelier")
    assert answer["returned_results"] == 3


def test_questions_in_plain_language_find_their_answers(vault):
    questions = {
        "Which of the wines did the user like at dinner?": "liked-morgon-aa0001",
        "Which wines give headaches?": "no-sweet-aa0003",
        "What did the user drink with oysters?": "liked-chablis-aa0002",
    }
    for question, found in questions.items():
        (answer,) = ask(vault, query("q", "episodic", question))
        assert (question, ids(answer)[0]) == (question, found)
    question = "What wine preferences has the user expressed?"
    assert len(ids(ask(vault, query("q", "episodic", question))[0])) == 3


def test_yaml_comes_back_as_yaml(vault):
    text = (
        "request_id: r\ntool_id: wine_recommender\n"
        "agent_context:\n  agent_id: helper\nmemory_queries: []\n"
    )
    done = vault.call("query", stdin=text)
    assert (done.code, done.stdout) == (0, text + "memory_context: []\n")
    assert json.loads(vault.call("query", "--json", stdin=text).stdout) == {
        "request_id": "r",
        "tool_id": "wine_recommender",
        "agent_context": {"agent_id": "helper"},
        "memory_queries": [],
        "memory_context": [],
    }


def test_another_agent_than_ours_cannot_be_claimed(vault):
    document = request(query("q", "episodic", "wines"))
    assert asked(vault, document, "--agent", "helper")[0]["status"] == "ok"
    (answer,) = asked(vault, document, "--agent", "other")
    assert (answer["status"], answer["results"]) == ("denied", [])
    assert (
        answer["reason"] == "the request names the agent 'helper': this is for 'other'"
    )
