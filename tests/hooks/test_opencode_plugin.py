"""The plugin that is generated for OpenCode, run by node as OpenCode runs it."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.client import client
from tests.world import World
from toolmem.core.agents.hook_command import NOT_INSTALLED, YOURS

NODE = shutil.which("node")
DRIVER = Path(__file__).with_name("opencode.mjs")
pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")
RULE = "Never email Sarah at sarah@example.com"
DUTY = """
id = "00000001"
tool = "_any"
rule = "build it in the end"
priority = "critical"
format = 3

[[duty]]
run = "make"
"""


def toolmem_in(folder: Path, text: str) -> str:
    """A PATH on which ``toolmem`` is this program."""
    program = folder / "bin" / "toolmem"
    program.parent.mkdir()
    program.write_text(text)
    program.chmod(0o755)
    return f"{program.parent}{os.pathsep}{os.environ['PATH']}"


def play(
    folder: Path, path: str, *, home: Path | None = None, has_rules: bool = True
) -> dict[str, Any]:
    world = World(folder / "project").vault("template")
    world.call("agent", "install", "opencode")
    world.call("rule", "add", "shell", "use uv, not pip", "-p", "high")
    world.write("system/rules/_any/builds-00000001.toml", DUTY)
    plugin = world.root / ".opencode" / "plugins" / "toolmem.js"
    # OpenCode's own runtime treats it as a module; node needs an extension.
    module = plugin.with_suffix(".mjs")
    module.write_text(plugin.read_text().replace(", 5000)", ", 60000)"))
    assert NODE is not None
    if not has_rules:
        (world.root / "toolmem.toml").unlink()
    done = subprocess.run(
        [NODE, str(DRIVER), str(module), str(world.root)],
        capture_output=True,
        env={**os.environ, "PATH": path, "HOME": str(home or Path.home())},
        timeout=300,
        check=True,
    )
    said: dict[str, Any] = json.loads(done.stdout)
    return said


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("opencode")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(folder))
        return play(folder, toolmem_in(folder, client("patient")))


def test_the_system_prompt_gets_the_block_and_the_message_what_was_captured(said):
    own, block = said["system"]
    [part] = said["added"]
    assert (part["id"], part["synthetic"]) == ("prt_1t", True)
    captured = part["text"]
    assert own == "You are an agent."
    assert block.startswith("## Tool-scoped rules\n")
    assert captured.startswith("captured: new critical rule for ")
    assert (
        f"critical rule for send_email: {RULE} (undo: toolmem rule delete "
        in captured.split("\n")[0]
    )


def test_the_user_is_shown_what_was_captured(said):
    messages = [toast["message"] for toast in said["toasts"]]
    decree, back = [one for one in messages if one.startswith("captured: ")]
    assert messages[0].startswith("toolmem: vault in force: ")
    assert f"critical rule for send_email: {RULE} (undo: toolmem rule delete " in decree
    assert back.startswith("captured: retired ")
    assert said["toasts"][0].keys() == {"title", "message", "variant"}


def test_a_synthetic_part_of_a_message_decrees_nothing(said):
    assert "sudo" not in json.dumps(said)


def test_a_call_that_breaks_the_rule_is_thrown_back(said):
    assert said["denied"].startswith(f"denied: {RULE} (toolmem rule ")


def test_rules_of_a_tool_and_what_worked_stand_with_its_results(said):
    assert said["first"] == ("boom\n\nRules for `bash`:\n- **[high]** use uv, not pip")
    assert said["second"] == "boom"
    assert said["worked"] == "done"
    assert said["third"] == (
        "boom\n\nRules for `bash`:\n"
        "- **[normal]** `pytest -q` failed 2 times; `uv run pytest -q` worked"
    )


def test_what_a_turn_left_undone_comes_with_the_next_message_once(said):
    [[part], later] = said["undone"]
    assert part["text"] == (
        "Before this turn ends:\n- run `make`: `src/a.py` changed: "
        "build it in the end (toolmem rule 00000001)"
    )
    assert later == []


def test_a_prompt_of_a_sub_agent_takes_nothing_back(said):
    assert said["delegated"] == []
    assert said["still"] == said["denied"]


def test_after_the_decree_was_taken_back_the_call_is_made(said):
    assert said["allowed"].split("\n")[0] == "done"


def test_a_compaction_begins_anew_with_the_same_block(said):
    own, block = said["compacted"]
    assert own == "You are an agent."
    assert block.startswith(said["system"][1].rstrip("\n"))
    assert "Tool memory:" in block
    assert said["deleted"] == ["You are an agent."]


def test_a_request_during_a_compaction_has_the_block(said):
    assert said["compacting"] == said["system"]


def test_a_toolmem_that_fails_stops_nothing(tmp_path):
    path = toolmem_in(tmp_path, "#!/bin/sh\necho no JSON\nexit 3\n")
    said = play(tmp_path, path)
    assert said["system"] == ["You are an agent."]
    assert (said["denied"], said["first"], said["allowed"]) == ("done", "boom", "done")


def test_a_toolmem_that_is_not_there_stops_nothing(tmp_path):
    (tmp_path / "bin").mkdir()
    said = play(tmp_path, str(tmp_path / "bin"), home=tmp_path)
    assert said["system"] == ["You are an agent.", NOT_INSTALLED]
    assert {toast["message"] for toast in said["toasts"]} == {NOT_INSTALLED}
    assert (said["denied"], said["first"], said["allowed"]) == ("done", "boom", "done")


@pytest.mark.parametrize(("name", "expected"), [("my vault", [YOURS]), ("gone", [])])
def test_without_toolmem_a_project_without_rules_names_the_user_s(
    tmp_path, name, expected
):
    for folder in ("bin", "my vault", ".config/toolmem"):
        (tmp_path / folder).mkdir(parents=True)
    config = tmp_path / ".config/toolmem/config.toml"
    config.write_text(f'vault = "{tmp_path / name}"\n')
    said = play(tmp_path, str(tmp_path / "bin"), home=tmp_path, has_rules=False)
    assert said["system"] == ["You are an agent.", *expected]
    assert {toast["message"] for toast in said["toasts"]} == set(expected)
