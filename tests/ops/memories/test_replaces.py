"""Similar memories are linked; one that replaces others is above them."""

import json
from typing import Any

import pytest

from tests.world import World

_OLD = "The client writes its log to /var/log/pump at night"
_NEW = "The client wrote its log to /var/log/pump at night"
_BOTH = "The client writes its log to /var/log/pump at night, by a timer of the host"


@pytest.fixture
def vault(world: World) -> World:
    return world.vault("empty")


def _save(world: World, text: str, *args: str) -> dict[str, Any]:
    done = world.call("memory", "save", text, *args, "--json")
    assert done.code == 0, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def test_a_similar_text_is_linked_and_the_answer_says_how_to_unite_both(vault):
    old = _save(vault, _OLD)
    done = vault.call("memory", "save", _NEW)
    [new] = [p for p in vault.files() if "/memory/" in p and p != old["path"]]
    new_id = new.rpartition("/")[2].removesuffix(".md")
    assert done.stdout == f"created {new}\n"
    assert done.stderr == (
        f"toolmem: similar to {old['id']}: if both say the same, unite them with "
        f"`toolmem memory save --replaces {old['id']} --replaces {new_id} TEXT`\n"
    )
    assert f"related_to: [{old['id']}]\n" in vault.read(new)


def test_what_is_superseded_is_below_and_marked_in_a_search_and_in_the_block(vault):
    ids = [_save(vault, text, "--topic", "logs")["id"] for text in (_OLD, _NEW)]
    options = [part for one in ids for part in ("--replaces", one)]
    both = _save(vault, _BOTH, "--topic", "logs", *options)
    assert both["action"] == "created"
    assert f"supersedes: [{ids[0]}, {ids[1]}]\n" in vault.read(both["path"])
    for query in (_OLD, _NEW, "wrote its log", ids[1], "timer", "client log"):
        found = json.loads(vault.call("search", query, "--json").stdout)["results"]
        marks = [(hit["id"], hit["superseded_by"]) for hit in found]
        assert marks[0] == (both["id"], None)
        assert set(marks[1:]) <= {(one, both["id"]) for one in ids}
    shown = vault.call("search", "client log").stdout
    assert shown.count(f", superseded by {both['id']}]") == 2
    block = vault.call("prompt", "--topic", "logs").stdout
    first = block.index("by a timer of the host")
    assert block.count("(superseded by another memory)") == 2
    assert first < block.index("(superseded by another memory)")


def test_a_chain_of_replacements_keeps_its_order_and_a_circle_harms_nothing(vault):
    vault.write("system/memory/c.md", "# Kiln c\n\nThe kiln is hot.\n")
    for name, above in (("a", "b"), ("b", "c"), ("x", "y"), ("y", "x")):
        header = f"---\nsupersedes: [{above}]\n---\n"
        vault.write(f"system/memory/{name}.md", f"{header}# Kiln {name}\n\nThe kiln.\n")
    found = json.loads(vault.call("search", "kiln hot", "--json").stdout)["results"]
    order = [hit["id"] for hit in found if hit["id"] in "abc"]
    assert order == ["a", "b", "c"]
    assert {hit["id"] for hit in found} == set("abcxy")


def test_a_memory_that_is_not_there_cannot_be_replaced(vault):
    done = vault.call("memory", "save", _NEW, "--replaces", "gone")
    assert done.code == 12
    assert "no memory 'gone'" in done.stderr
    assert not [path for path in vault.files() if "/memory/" in path]
