"""Memories and scratch entries that tools write, each by itself."""

import pytest

from tests.access.asking import AGENT, applied, ask, ids, query, trace
from tests.world import World

LIKED = "The user liked a Brouilly, a light red wine, at lunch on Sunday."
EPISODIC = "agents/helper/memory/episodic"
TOKEN = "ghp_" + "a1B2c3D4e5F6" * 3


@pytest.fixture
def vault(world: World) -> World:
    return world.vault("access")


def response(*writes, scratch=(), tool="wine_recommender", **more):
    return {
        "request_id": "req-9",
        "tool_id": tool,
        "agent_context": AGENT,
        "status": "ok",
        "outputs": {"wine": "Brouilly"},
        "memory_writes": list(writes),
        "scratch_page_writes": list(scratch),
        **more,
    }


def write(content=LIKED, **more):
    return {"type": "observation", "content": content, "tags": ["wine"], **more}


def written(vault, *writes, **more):
    document = response(*writes, **more)
    told = applied(vault, document)
    results = told.pop("memory_write_results")
    assert told.pop("scratch_page_write_results") == []
    assert told == document
    return results


def test_a_memory_is_kept_in_the_agents_own_scope(vault):
    more = {"importance": 0.7, "confidence": 0.9, "ttl_days": 30}
    (result,) = written(vault, write(**more))
    assert result["status"] == "created"
    assert vault.read(f"{EPISODIC}/{result['id']}.md") == (
        "---\n"
        "tags: [wine]\n"
        "kind: observation\n"
        "importance: 0.7\n"
        "confidence: 0.9\n"
        "source: wine_recommender\n"
        "agent: helper\n"
        "created: 2026-04-20T12:00:00Z\n"
        "expires_at: 2026-05-20T12:00:00Z\n"
        "---\n"
        "# The user liked a Brouilly, a light red wine, at lunch on Sunday\n"
        "\n"
        f"{LIKED}\n"
    )
    (answer,) = ask(vault, query("q", "episodic", "light red at lunch"))
    assert ids(answer)[0] == result["id"]


def test_the_same_again_is_not_written(vault):
    first, again = written(vault, write(), write(confidence=0.1))
    assert again == {"status": "deduplicated", "id": first["id"]}
    assert written(vault, write()) == [again]
    assert len(list((vault.root / EPISODIC).glob("*brouilly*"))) == 1


def test_what_is_near_is_linked_and_never_merged(vault):
    (first,) = written(vault, write())
    before = vault.read(f"{EPISODIC}/{first['id']}.md")
    (second,) = written(vault, write(LIKED.replace("liked", "never liked")))
    assert second["status"] == "created"
    assert second["related_to"] == [first["id"]]
    assert vault.read(f"{EPISODIC}/{first['id']}.md") == before
    assert f"related_to: [{first['id']}]\n" in vault.read(
        f"{EPISODIC}/{second['id']}.md"
    )


def test_what_the_tool_cannot_read_is_not_compared_with(vault):
    vault.write(f"{EPISODIC}/secret.md", f"---\nprivate: true\n---\n# A\n\n{LIKED}\n")
    vault.write("agents/other/memory/b.md", f"# B\n\n{LIKED}\n")
    vault.write(f"{EPISODIC}/bank.md", f"---\nkind: transaction\n---\n# C\n\n{LIKED}\n")
    (result,) = written(vault, write())
    assert (result["status"], "related_to" in result) == ("created", False)


def test_an_id_does_not_tell_that_a_private_memory_says_the_same(vault):
    (first,) = written(vault, write())
    path = vault.root / EPISODIC / f"{first['id']}.md"
    path.write_text(path.read_text().replace("---\n", "---\nprivate: true\n", 1))
    (second,) = written(vault, write())
    assert second["status"] == "created"
    assert second["id"] != first["id"]
    assert len(second["id"]) == len(first["id"])


@pytest.mark.one_of(3)
@pytest.mark.parametrize(
    ("more", "warning"),
    [
        ({"confidence": 3}, "confidence: 3 was clamped to 1"),
        ({"importance": -1}, "importance: -1 was clamped to 0"),
        ({"ttl_days": 0}, "ttl_days: 0 was clamped to 1"),
        ({"ttl_days": -5}, "ttl_days: -5 was clamped to 1"),
        ({"ttl_days": 99999}, "ttl_days: 99999 was clamped to 3650"),
        (
            {"ttl_days": "soon"},
            "ttl_days: 'soon' is not a number: it does not expire",
        ),
        ({"private": False}, "private: not a key of a memory; ignored"),
    ],
)
def test_what_is_out_of_range_is_clamped_with_a_warning(vault, more, warning):
    (result,) = written(vault, write(**more))
    assert (result["status"], result["warnings"]) == ("created", [warning])


@pytest.mark.parametrize(
    ("bad", "code", "reason"),
    [
        (3, "bad_request", "$.memory_writes[1]: expected an object, found 3"),
        (None, "bad_request", "$.memory_writes[1]: a write is an object"),
        (
            {"content": " "},
            "bad_request",
            "$.memory_writes[1].content: the content of a memory must not be blank",
        ),
        (
            {"content": "a\u202eb"},
            "bad_request",
            "$.memory_writes[1].content: contains U+202E RIGHT-TO-LEFT OVERRIDE",
        ),
        (
            {"content": f"token {TOKEN}"},
            "secret",
            "the memory contains a secret (GitHub token) at character 7: do not "
            "store secrets in a vault; write where the secret is stored instead",
        ),
        (
            {"content": "a", "type": TOKEN},
            "secret",
            "the type contains a secret (GitHub token) at character 1: do not store "
            "secrets in a vault; write where the secret is stored instead",
        ),
    ],
)
def test_a_write_that_cannot_be_kept_stops_no_other(vault, bad, code, reason):
    before = sorted((vault.root / EPISODIC).iterdir())
    first, middle, last = written(vault, write(), bad, write("Rain on the way home."))
    assert (first["status"], last["status"]) == ("created", "created")
    assert (middle["status"], middle["code"]) == ("error", code)
    assert middle["reason"] == reason
    assert len(sorted((vault.root / EPISODIC).iterdir())) == len(before) + 2


def test_scratch_entries_are_written_in_the_tools_own_name(vault):
    entry = {"type": "contextual_insight", "content": "Will like it", "tags": ["wine"]}
    scratch = [{**entry, "source": "user"}, {"type": "gossip", "content": "x"}]
    told = applied(vault, response(scratch=scratch))
    good, bad = told["scratch_page_write_results"]
    assert good["status"] == "created"
    assert good["warnings"] == [
        "source: wine_recommender replaces the source of the entry"
    ]
    assert (bad["status"], bad["code"]) == ("error", "usage")
    (answer,) = ask(vault, query("q", "scratch_page", "what will he like"))
    assert ids(answer) == [good["id"]]
    assert answer["results"][0]["source"] == "wine_recommender"


def test_a_full_scratch_page_refuses_the_next_entry(vault):
    entries = [{"content": f"note {number}"} for number in range(100)]
    applied(vault, response(scratch=entries))
    told = applied(vault, response(scratch=[{"content": "one more"}]))
    (refused,) = told["scratch_page_write_results"]
    assert (refused["status"], refused["code"]) == ("error", "scratch_full")


def test_a_tool_without_a_manifest_writes_nothing(vault):
    (result,) = written(vault, write(), tool="unheard_of")
    assert result == {
        "status": "denied",
        "reason": "the tool has no manifest, so it may not query anything",
    }


def test_another_agent_cannot_be_written_to(vault):
    told = applied(vault, response(write()), "--agent", "other")
    (result,) = told["memory_write_results"]
    assert result["status"] == "denied"
    assert not (vault.root / "agents/other/memory/episodic").exists()


def test_the_trace_of_its_request_tells_which_tool_and_agent_answered(vault):
    ask(vault, query("q", "episodic", "wines"), request_id="req-9")
    document = response(write())
    del document["tool_id"], document["agent_context"]
    (result,) = applied(vault, document)["memory_write_results"]
    assert f"{EPISODIC}/{result['id']}.md"
    assert (vault.root / EPISODIC / f"{result['id']}.md").exists()


def test_nothing_says_which_tool_it_is(vault):
    vault.run("apply", stdin='{"memory_writes": []}').exits(2).stderr(
        "toolmem: $.tool_id: is missing, and no request with this id is known\n"
    )


def test_queries_and_writes_have_a_line_each_in_the_trace(vault):
    ask(
        vault,
        query("a", "episodic", "wines", budget_tokens=10),
        query("b", "working", "goals"),
        query("c", "episodic", "wines", limit="many"),
        query("d", "episodic", "wines"),
    )
    written(vault, write(), write(), {"content": ""})
    lines = [
        (line["query_id"], line["event"], line["memory_type"], line["status"])
        for line in trace(vault, tool="wine_recommender")
    ]
    assert lines == [
        ("a", "cut", "episodic", "partial"),
        ("b", "denied", "working", "denied"),
        ("c", "error", "episodic", "error"),
        ("d", "query", "episodic", "ok"),
        ("", "write", "episodic", "created"),
        ("", "write", "episodic", "deduplicated"),
        ("", "error", "episodic", "error"),
    ]
    assert "Brouilly" not in vault.call("trace", "--json").stdout


@pytest.mark.parametrize(
    ("kind", "tags", "found_by"),
    [
        ("observation", ["wine"], ""),
        ("fact", ["wine"], ""),
        ("insight", ["wine"], "semantic"),
        ("decision", ["wine"], "episodic"),
        ("observation", ["tax"], "episodic"),
    ],
)
def test_a_write_that_its_tool_cannot_query_says_where_it_went(
    vault, kind, tags, found_by
):
    (result,) = written(vault, write(type=kind, tags=tags))
    warning = (
        f"type: {kind} is returned by {found_by} queries, which the tool's manifest "
        "does not allow"
    )
    assert result.get("warnings", []) == ([warning] if found_by else [])
