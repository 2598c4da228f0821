"""Cases of the specification that ``tests/acceptance/test_si.py`` does not try."""

import json
import sqlite3
from contextlib import closing

import pytest

from tests.access.asking import ask, ids, query, request
from tests.world import World
from toolmem.core.access.scratch_page import read_entry
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


def test_what_a_query_does_not_use_the_next_ones_get(vault):
    first, second = ask(
        vault,
        query("a", "episodic", "nothing that is known", budget_tokens=300),
        query("b", "episodic", "wines", budget_tokens=300),
    )
    assert (first["status"], first["tokens_used"]) == ("ok", 0)
    assert (second["status"], second["returned_results"]) == ("ok", 3)


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


@pytest.mark.parametrize("tool", ["unheard_of", "plain"])
def test_a_tool_that_declares_nothing_gets_nothing(vault, tool):
    answers = ask(vault, query("q", "semantic", "wines"), tool=tool)
    assert [(one["status"], one["results"]) for one in answers] == [("denied", [])]


def test_an_alias_is_the_tool(vault):
    (answer,) = ask(vault, query("q", "episodic", "wines"), tool="Sommelier")
    assert answer["returned_results"] == 3


def test_questions_in_plain_language_find_their_answers(vault):
    questions = {
        "What wines has user liked?": "liked-morgon-aa0001",
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
