"""An agent changes the memories that it saved itself, and no others."""

from collections.abc import Callable
from typing import Any

import pytest

from toolmem.api.launch import Launch, launched
from toolmem.errors import NotAllowedError, NotFoundError
from toolmem.servers.tool_calls import run_tool
from toolmem.servers.tool_table import BY_NAME

Use = Callable[..., dict[str, Any]]


@pytest.fixture
def place(world):
    return world.vault("template")


@pytest.fixture
def by(place) -> Callable[[str], Use]:
    """The tools of MCP as an agent of that name calls them; "" has no name."""

    def of(agent: str) -> Use:
        vault = launched(Launch(place.root, agent=agent), by_agent=True)
        return lambda name, **given: run_tool(vault, BY_NAME[name], given)

    return of


def saved(use: Use, content: str, **more: str) -> str:
    return str(use("memory_idea_save", content=content, **more)["id"])


def changes(use: Use, id: str) -> list[Callable[[], Any]]:
    return [
        lambda: use("memory_idea_edit", id=id, content="other"),
        lambda: use("memory_idea_archive", id=id, reason="old"),
        lambda: use("memory_idea_delete", id=id),
    ]


def files(place) -> dict[str, bytes]:
    return {
        str(path.relative_to(place.root)): path.read_bytes()
        for path in place.root.rglob("*.md")
    }


@pytest.mark.parametrize("agent", ["helper", ""])
def test_an_agent_edits_archives_and_deletes_its_own(by, place, agent):
    use = by(agent)
    first = saved(use, "The build needs ten minutes", source_task="task-1")
    second = saved(use, "Colours of the map are fixed in a table")
    edited = use("memory_idea_edit", id=first, content="It needs twelve minutes")
    assert edited["action"] == "updated"
    text = place.call("memory", "show", first, "--full").stdout
    assert "It needs twelve minutes" in text
    archived = use("memory_idea_archive", id=first, reason="faster now")
    assert archived["action"] == "archived"
    assert use("memory_idea_delete", id=second) == {
        "found": True,
        "deleted": True,
        "id": second,
    }


@pytest.mark.parametrize("length", [None, 12])
def test_it_changes_no_memory_of_another_agent_or_of_a_person(by, place, length):
    other = saved(by("other"), "The deploy needs a ticket", scope="system")[:length]
    place.call("memory", "save", "Lunch is at noon", "--scope", "system")
    before = files(place)
    for use in (by("helper"), by("")):
        for change in changes(use, other):
            with pytest.raises(NotAllowedError, match="saved by the agent other: an"):
                change()
        for change in changes(use, "lunch-is-at-noon"):
            with pytest.raises(NotAllowedError, match="was saved by a person: an"):
                change()
    assert files(place) == before


def test_a_private_memory_is_not_there(by, place):
    use = by("helper")
    id = saved(use, "Salaries are paid on the first day")
    place.call("memory", "edit", id, "--private")
    before = files(place)
    *edits, delete = changes(use, id)
    for change in edits:
        with pytest.raises(NotFoundError, match="no memory"):
            change()
    assert delete() == {"found": False, "deleted": False, "id": id}
    assert files(place) == before


def test_the_beginning_of_an_id_tells_nothing_of_another_agents_scope(by):
    saved(by("other"), "Plan of the week one", scope="agent:other")
    use = by("helper")
    mine = saved(use, "Plan of the week two")
    assert use("memory_get", id="plan-of-the-week")["id"] == mine
    assert use("memory_idea_delete", id="plan-of-the-week")["id"] == mine
    assert use("memory_idea_delete", id="plan-of-the-week")["found"] is False


def test_the_command_line_of_an_agent_is_refused_as_well(place, monkeypatch):
    place.call("memory", "save", "Lunch is at noon", "--scope", "system")
    monkeypatch.setenv("TOOLMEM_AGENT", "helper")
    done = place.call("memory", "delete", "lunch-is-at-noon")
    assert (done.code, "was saved by a person" in done.stderr) == (2, True)


def test_a_star_lists_a_namespace(by):
    use = by("helper")
    for key in ("editor", "shell"):
        use("memory_fact_store", key=key, value="x", namespace="tools")
    found = use("memory_recall", query="*", namespace="tools")
    assert [one["key"] for one in found["results"]] == ["editor", "shell"]
    empty = use("memory_recall", query="*", namespace="nothing")
    assert (empty["results"], empty["total"]) == ([], 0)
    rules = use("memory_recall", query="*", namespace="tool-send_email")["results"]
    assert {one["kind"] for one in rules} == {"rule"}


def test_a_star_lists_no_fact_of_another_agent(by):
    other = by("other")
    other(
        "memory_fact_store", key="plan", value="x", namespace="n", scope="agent:other"
    )
    assert other("memory_recall", query="*", namespace="n")["total"] == 1
    assert by("")("memory_recall", query="*", namespace="n")["total"] == 0
