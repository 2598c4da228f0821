"""What a session was given in part is given again when it has changed."""

import json

import pytest

from tests.hooks.players import Claude
from tests.world import World
from toolmem.core.prompt.since import SINCE_TITLE

ASKED = "where does the deployment of billing go, which host?"
AGAIN = "and again: which host does the deployment of billing use?"
PATH = "system/memory/deployment-host-aaaaaa.md"
HEADER = "topic: deployment\n"


def memory(host: str, header: str = HEADER) -> str:
    return f"---\n{header}---\n# Deployment host\n\nBilling goes to {host}.example.\n"


@pytest.fixture
def claude(tmp_path):
    world = World(tmp_path).vault("template")
    world.write(PATH, memory("alpha"))
    claude = Claude(world.root)
    claude.start()
    assert "alpha.example" in claude.prompt(ASKED).context
    assert claude.prompt(AGAIN).context == ""
    return claude


def test_a_changed_memory_is_given_with_the_next_message_of_its_topic(claude):
    world = World(claude.folder)
    world.write(PATH, memory("beta"))
    assert "beta.example" in claude.prompt(AGAIN).context
    new = "---\ntopic: deployment\n---\n# Deployment window\n\nOn Mondays.\n"
    world.write("system/memory/window-bbbbbb.md", new)
    given = claude.prompt(AGAIN).context
    assert "On Mondays." in given
    assert "beta.example" not in given
    assert claude.start("resume").context == ""


def test_a_changed_memory_is_among_the_changes_of_a_resumed_session(claude):
    World(claude.folder).write(PATH, memory("beta"))
    given = claude.start("resume").context
    assert given.startswith(f"{SINCE_TITLE}\n\n- changed memory:\n")
    assert "beta.example" in given
    assert claude.start("resume").context == ""
    assert claude.prompt(AGAIN).context == ""


@pytest.mark.one_of(2)
@pytest.mark.parametrize("how", ["deleted", "private", "expired", "archived"])
def test_a_memory_that_is_gone_is_taken_back(claude, how):
    world, path = World(claude.folder), claude.folder / PATH
    if how == "deleted":
        path.unlink()
    elif how == "archived":
        world.call("memory", "archive", path.stem, "--reason", "moved")
        assert not path.exists()
    else:
        header = {"private": "private: true\n", "expired": "expires_at: 2020-01-01\n"}
        world.write(PATH, memory("alpha", HEADER + header[how]))
    gone = f"{SINCE_TITLE}\n\n- no longer applies: memory `{path.stem}`"
    assert claude.start("resume").context == gone
    assert claude.start("resume").context == ""
    world.write(PATH, memory("alpha"))
    assert "- added memory:" in claude.start("resume").context


def test_a_memory_that_was_moved_is_neither_gone_nor_changed(claude):
    moved = claude.folder / "system/memory/billing" / PATH.rpartition("/")[2]
    moved.parent.mkdir()
    (claude.folder / PATH).rename(moved)
    assert claude.start("resume").context == ""


def test_a_compacted_session_is_given_its_memories_again(claude):
    claude.start("compact")
    assert "alpha.example" in claude.prompt(AGAIN).context


@pytest.mark.one_of(2)
@pytest.mark.parametrize("priority", ["high", "critical"])
@pytest.mark.parametrize("how", ["text", "raised"])
def test_an_edited_rule_is_shown_with_the_next_call(tmp_path, priority, how):
    world = World(tmp_path).vault("empty")
    first = "high" if how == "raised" else priority
    text = "prefer ripgrep for searches"
    added = ("rule", "add", "shell", text, "-p", first, "--no-guard")
    assert world.call(*added).code == 0
    claude = Claude(world.root)
    claude.start()
    claude.before("Bash", command="grep -r foo .")
    assert claude.before("Bash", command="grep -r foo .").context == ""
    change = ("-p", "critical") if how == "raised" else ("--text", "prefer ugrep")
    [rule] = json.loads(world.call("rule", "list", "--json").stdout)
    assert world.call("rule", "edit", rule["id"], *change).code == 0
    now = ("critical", text) if how == "raised" else (first, "prefer ugrep")
    line = "Rules for `Bash`:\n- **[{}]** {}".format(*now)
    assert claude.before("Bash", command="grep -r foo .").context == line
    assert claude.before("Bash", command="grep -r foo .").context == ""
