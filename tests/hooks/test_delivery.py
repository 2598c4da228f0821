"""The prompt block and the state of the vaults reach the model once a session."""

import json
from pathlib import Path

import pytest

from tests.hooks.players import Claude, Codex, Copilot, Gemini, Heard
from tests.world import World

BLOCK = "## Tool-scoped rules"
MAIL = "never email Sarah at sarah@example.com"


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path).vault("template")


def add_rule(world: World, text: str) -> None:
    world.call("rule", "add", "git", text, "-p", "critical")


@pytest.mark.parametrize("player_of", [Claude, Codex])
def test_a_resumed_session_is_given_only_what_has_changed(world, player_of):
    player = player_of(world.root)
    assert BLOCK in player.start().context
    assert player.start("resume").context == ""
    add_rule(world, "never push on a Friday")
    assert player.start("resume").context == (
        "## Since this session began\n\n"
        "- added for `git`: **[critical]** never push on a Friday"
    )
    assert player.start("resume").context == ""


@pytest.mark.parametrize("player_of", [Gemini, Copilot])
def test_the_block_comes_with_a_message_where_the_start_cannot_carry_it(
    world, player_of
):
    player = player_of(world.root)
    assert BLOCK in player.start().context
    assert player.prompt("and now the tests").context == ""
    assert player.start("resume").context == ""
    add_rule(world, "never push on a Friday")
    assert player.prompt("go on").context == ""
    assert "never push on a Friday" in player.start("resume").context
    whole = player.start("compact").context
    assert BLOCK in whole
    assert "never push on a Friday" in whole
    assert player.prompt("go on").context == ""


@pytest.mark.parametrize("player_of", [Gemini, Copilot])
def test_a_message_after_the_end_of_a_session_is_one_of_a_resumed_session(
    world, player_of
):
    player = player_of(world.root)
    player.start()
    player.send("over", {"reason": "complete"})
    add_rule(world, "never push on a Friday")
    assert "never push on a Friday" in player.prompt("go on").context
    assert player.prompt("go on").context == ""


def test_gemini_is_given_the_block_again_only_if_a_compaction_dropped_it(world):
    player = Gemini(world.root)
    block = player.start().context
    message = {"type": "user", "content": f"<hook_context>{block}</hook_context>"}
    player.replace_conversation([message])
    assert player.prompt("go on").context == ""
    player.replace_conversation([{"type": "user", "content": "A summary."}])
    assert player.prompt("go on").context == block
    assert player.prompt("go on").context == ""


def test_a_session_that_was_begun_without_toolmem_is_given_all_at_its_resume(world):
    assert BLOCK in Claude(world.root).start("resume").context
    assert BLOCK in Gemini(world.root, "s-2").start("resume").context


@pytest.mark.parametrize("player_of", [Claude, Codex])
def test_a_sub_agent_is_given_the_block_of_this_moment(world, player_of):
    player = player_of(world.root)
    player.start()
    add_rule(world, "never push on a Friday")
    sub = {"agent_id": "a-1", "agent_type": "general-purpose"}
    for _ in range(2):
        given = player.send("sub", sub).context
        assert given.startswith(f"{BLOCK}\n")
        assert "never push on a Friday" in given


@pytest.mark.parametrize("player_of", [Gemini, Copilot])
def test_a_broken_vault_is_reported_to_the_model_once(world, player_of):
    (world.root / "toolmem.toml").unlink()
    world.write(".toolmem.toml", "vault = \n")
    player = player_of(world.root)
    first = player.start()
    assert first.context.startswith("toolmem: no rules are enforced: ")
    if player_of is Gemini:
        assert first.message == first.context
    assert player.prompt("go on").context == ""


class CopilotByClaude(Copilot):
    """Copilot with the settings of Claude Code: the same events, in that shape."""

    agent = "claude"
    names = Claude.names

    def base(self, name: str) -> dict[str, object]:
        return {
            "hook_event_name": name,
            "session_id": self.session,
            "timestamp": "2026-11-22T17:25:21.245Z",
            "cwd": str(self.folder),
        }

    def argv(self, name: str) -> list[str]:
        return [self.agent]

    def call(self, tool: str, arguments: dict[str, object]) -> dict[str, object]:
        return {"tool_name": "Bash", "tool_input": arguments}

    def checked(self, name: str, heard: Heard) -> Heard:
        assert heard.code == 0
        inner = heard.document.get("hookSpecificOutput", {})
        return heard._replace(context=inner.get("additionalContext", ""))


class CopilotAtOneMoment(Copilot):
    """Copilot at the same moment."""

    def base(self, name: str) -> dict[str, object]:
        at = 1_795_368_321_245
        return {"sessionId": self.session, "timestamp": at, "cwd": str(self.folder)}


def test_copilot_with_the_settings_of_claude_counts_each_event_once(world):
    own, other = CopilotAtOneMoment(world.root), CopilotByClaude(world.root)
    typed = {"prompt": "list the files"}
    given = [one.send("prompt", typed).context for one in (own, other)]
    assert [BLOCK in text for text in given] == [True, False]
    call = {"toolResult": {"resultType": "success", "textResultForLlm": "a"}}
    own.send("after", {**own.call("bash", {"command": "ls"}), **call})
    other.send("after", other.call("Bash", {"command": "ls"}))
    own.send("end", {})
    other.send("end", {})
    stats = json.loads(world.call("stats", "--json").stdout)
    assert [one["calls"] for one in stats if one["calls"]] == [1]


def test_copilot_with_the_settings_of_claude_alone_is_given_the_block(world):
    other = CopilotByClaude(world.root)
    assert other.send("start", {"source": "new"}).context == ""
    assert BLOCK in other.send("prompt", {"prompt": "list the files"}).context


def test_a_patch_in_a_command_of_codex_changes_files(world):
    codex = Codex(world.root)
    codex.prompt("please change app.py")
    patch = "*** Begin Patch\n*** Update File: app.py\n@@\n-a\n+b\n*** End Patch\n"
    codex.before("Bash", command=f"apply_patch <<'X'\n{patch}X\n")
    payload = {"type": "function_call_output", "call_id": "call-1"}
    line = {"payload": {**payload, "output": "Wall time: 0 seconds\nOutput:\nSuccess."}}
    (world.root / "transcript.jsonl").write_text(json.dumps(line) + "\n")
    codex.end()
    printed = world.call("turn", "render", "--session", codex.session).stdout
    assert printed == "Tool memory:\n- Files changed: app.py\n"


def test_a_command_of_codex_ended_as_its_transcript_says(world):
    codex = Codex(world.root)
    codex.prompt("please run the tests")
    for number, command in enumerate(("pytest -q", "ls"), 1):
        call = {**codex.call("Bash", {"command": command}), "tool_use_id": f"c{number}"}
        codex.send("after", {**call, "tool_response": "no code here"})
    outputs = {"c1": "Process exited with code 2\nOutput:\nno such file", "c2": "x"}
    lines = [
        {"type": "response_item", "payload": {"type": "function_call_output",
         "call_id": name, "output": text}}
        for name, text in outputs.items()
    ]  # fmt: skip
    text = "\n".join(map(json.dumps, [*lines, {"type": "cut"}])) + '\n{"_call_output"'
    (world.root / "transcript.jsonl").write_text(text)
    codex.end()
    printed = world.call("turn", "render", "--session", codex.session).stdout
    assert printed == "Tool memory:\n- Failed bash: pytest -q (exit 2)\n"
