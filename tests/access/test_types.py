"""Types of memories are the same in every case, wherever they are written."""

import json
from itertools import product
from typing import Any

import pytest

from tests.access.asking import asked, query, request

MANIFEST = """\
name = "wine_recommender"
[memory_access.episodic]
query_types = ["{}"]
[memory_access.semantic]
query_types = ["fact", "Vintage"]
"""
CASES = ["preference", "Preference", "PREFERENCE"]


@pytest.fixture
def vault(world):
    return world.write("toolmem.toml", "schema = 1\n")


def write(vault, kind):
    document: dict[str, Any] = {"request_id": "req-1", "tool_id": "wine_recommender"}
    document |= {
        "agent_context": {"agent_id": "helper", "task_id": "t", "plan_id": "p"}
    }
    document |= {"memory_writes": [{"type": kind, "content": "# Likes dry red wine"}]}
    done = vault.call(
        "apply", "--json", "--agent", "helper", stdin=json.dumps(document)
    )
    assert done.code == 0, done
    [result] = json.loads(done.stdout)["memory_write_results"]
    return result


@pytest.mark.one_of(3)
@pytest.mark.parametrize(
    ("manifest", "kind", "wanted"),
    [one for one in product(CASES, repeat=3) if len(set(one)) == 2][::2],
)
def test_what_a_tool_writes_it_finds_whatever_the_case(vault, manifest, kind, wanted):
    vault.write("tools/wine_recommender.toml", MANIFEST.format(manifest))
    result = write(vault, kind)
    assert (result["status"], "warnings" in result) == ("created", False)
    for filters in ({"types": [wanted]}, {}):
        more = query("q", "episodic", "dry red wine", filters=filters)
        [answer] = asked(vault, request(more), "--agent", "helper")
        assert ["dry red" in one["content"] for one in answer["results"]] == [True]
    found = vault.call("search", "wine", "--kind", wanted, "--agent", "helper")
    assert result["id"] in found.stdout
    listed = vault.call("memory", "list", "--kind", wanted)
    assert result["id"] in listed.stdout


@pytest.mark.parametrize("kind", CASES)
def test_a_file_s_kind_is_found_in_every_case(vault, kind):
    vault.write("tools/wine_recommender.toml", MANIFEST.format("preference"))
    head = f"---\nkind: {kind}\n---\n"
    vault.write("system/memory/m1.md", f"{head}# Likes dry red wine\n")
    [answer] = asked(vault, request(query("q", "episodic", "dry red wine")))
    assert len(answer["results"]) == 1
    listed = json.loads(
        vault.call("memory", "list", "--kind", "preference", "--json").stdout
    )
    assert [one["id"] for one in listed] == ["m1"]


def test_a_type_that_is_not_known_is_reported(vault):
    vault.write("tools/wine_recommender.toml", MANIFEST.format("preference"))
    [first, *_] = write(vault, "preferense")["warnings"]
    assert first == (
        "type: preferense is not a known type and counts as knowledge; "
        "did you mean 'preference'?"
    )
    assert "warnings" not in write(vault, "vintage")
