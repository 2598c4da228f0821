"""A sub-agent has a context of its own: what it saw and what the main agent saw."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.hooks.players import Claude
from tests.world import World
from toolmem.core.agents import claude as protocol
from toolmem.ops.hooks import after_tool, before_tool
from toolmem.store.vault.discover import find_vault
from toolmem.store.vault.vault import Vault

READERS = ("", "worker-1", "worker-2")


class Worker(Claude):
    """Claude Code inside a sub-agent."""

    def base(self, name: str) -> dict[str, Any]:
        return {**super().base(name), "agent_id": "worker-1", "agent_type": "coder"}


@pytest.fixture
def vault(world):
    world.vault("template")
    add = ("rule", "add", "Bash", "run make in the top folder", "-p", "high")
    assert world.call(*add, "--no-guard").code == 0
    return world


def test_what_a_subagent_was_shown_the_main_agent_is_shown_too(vault):
    main, worker = Claude(vault.root), Worker(vault.root)
    for reader in (worker, main):
        assert "run make" in reader.before("Bash", command="make").context
        assert reader.before("Bash", command="make").context == ""


def test_rules_that_the_session_began_with_are_news_to_a_subagent(vault):
    add = ("rule", "add", "Bash", "leave the lock file alone", "-p", "critical")
    assert vault.call(*add, "--no-guard").code == 0
    main, worker = Claude(vault.root), Worker(vault.root)
    assert "leave the lock" in main.start().context
    assert "leave the lock" not in main.before("Bash", command="make").context
    assert "leave the lock" in worker.before("Bash", command="make").context


_steps = st.lists(
    st.tuples(st.sampled_from(READERS), st.sampled_from(["Bash", "Edit"])), max_size=9
)


@given(_steps)
@examples(50)
def test_no_reader_s_calls_change_what_another_is_told(tmp_path_factory, steps):
    together = _played(tmp_path_factory.mktemp("all"), steps)
    for reader in READERS:
        alone = _played(
            tmp_path_factory.mktemp("one"),
            [step for step in steps if step[0] == reader],
        )
        assert [one for one in together if one[0] == reader] == alone


def _played(folder, steps) -> list[tuple[str, str, str]]:
    """Return the answer to each call of a session, by its reader."""
    world = World(folder).write("toolmem.toml", "schema = 1\n")
    for tool in ("Bash", "Edit"):
        text = f'id = "{tool}"\ntool = "{tool}"\nrule = "care"\npriority = "high"\n'
        world.write(f"system/rules/{tool.lower()}/r.toml", text)
    vault = Vault.open(find_vault({}, folder), world.now)
    told = []
    for reader, tool in steps:
        payload = {"session_id": "s", "cwd": str(folder), "tool_name": tool}
        payload |= {"tool_input": {}} | ({"agent_id": reader} if reader else {})
        before = {**payload, "hook_event_name": "PreToolUse"}
        after = {**payload, "hook_event_name": "PostToolUse"}
        first = before_tool.answer(vault, protocol.read_event(before))
        then = after_tool.answer(vault, protocol.read_event(after))
        told.append((reader, first.context, then.context))
    return told
