"""Modules that a hook loads: an agent waits for it at every call."""

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.hooks.players import Claude
from tests.program import ROOT
from tests.world import World
from toolmem.__main__ import hook_words

HEAVY = {
    *("typer", "click", "rich", "tantivy", "rapidfuzz", "frontmatter", "yaml"),
    *("pydantic", "numpy", "git", "tomli_w", "subprocess", "inspect"),
    *("dataclasses", "difflib", "hashlib", "tempfile", "shutil", "socket", "random"),
    *("importlib.resources", "logging", "uuid", "decimal"),
}
INDEX = {"tantivy", "hashlib", "shutil"}
SHELL_PARSER = {"tree_sitter", "tree_sitter_bash", "toolmem.core.shell.grammar"}
NEEDED_BY_PARSER = {"importlib.resources", "tempfile", "shutil", "random"}
DATABASE = {"sqlite3", "_sqlite3"}
CAPTURE = {"toolmem.ops.capture.capture", "toolmem.core.capture.decree"}
REPORT = """
import sys
from toolmem.hooks.main import handle
from toolmem.hooks.supervise import HookInput
handle(HookInput(["claude"], sys.stdin.buffer.read(), True, True), print)
sys.stderr.write(" ".join(
    name
    for name, module in sys.modules.items()
    if type(module).__name__ != "UnloadedModule"
))
"""
CALL = {"tool_use_id": "t", "tool_name": "Bash", "tool_input": {"command": "ls -la"}}
GIT = {**CALL, "tool_input": {"command": "git status"}}
MAIL = {"tool_use_id": "t", "tool_name": "mcp__x__y", "tool_input": {"to": "b@c.org"}}
FAILED = {**CALL, "error": "Exit code 1\nboom"}


def loaded(folder: Any, name: str, payload: dict[str, Any]) -> set[str]:
    text = json.dumps({**Claude(folder).base(name), **payload})
    done = subprocess.run(
        [sys.executable, "-c", REPORT],
        input=text,
        capture_output=True,
        check=True,
        cwd=ROOT,
        text=True,
        timeout=60,
    )
    return set(done.stderr.split())


@pytest.mark.one_of(3)
@pytest.mark.parametrize(
    ("name", "payload", "unneeded"),
    [
        # The database has what failed in one session, which is told before a call.
        ("PreToolUse", MAIL, HEAVY | SHELL_PARSER | CAPTURE),
        ("PreToolUse", CALL, HEAVY | SHELL_PARSER | CAPTURE),
        ("PreToolUse", GIT, (HEAVY - NEEDED_BY_PARSER) | CAPTURE),
        ("PostToolUse", CALL, HEAVY | SHELL_PARSER | DATABASE | CAPTURE),
        ("PostToolUseFailure", FAILED, HEAVY | SHELL_PARSER),
        ("Stop", {}, HEAVY | SHELL_PARSER | DATABASE | CAPTURE),
        ("Notification", {}, HEAVY | SHELL_PARSER | DATABASE | CAPTURE),
        (
            "UserPromptSubmit",
            {"prompt": "please run the tests"},
            HEAVY | SHELL_PARSER | DATABASE | CAPTURE,
        ),
        (
            "SessionStart",
            {"source": "startup"},
            {"typer", "tantivy", "rapidfuzz", "frontmatter", "pydantic"} | CAPTURE,
        ),
    ],
)
def test_an_event_loads_only_what_it_needs(tmp_path, name, payload, unneeded):
    world = World(tmp_path).vault("template")
    for memory in tmp_path.rglob("memory/**/*.md"):
        memory.unlink()
    rule = ("rule", "add", "shell", "never force push", "-p", "critical")
    assert world.call(*rule, "--guard", 'command = ["git", "push", "-f"]').code == 0
    assert loaded(tmp_path, name, payload) & unneeded == set()


def test_the_parser_of_shell_commands_is_loaded_for_a_guard_on_commands(tmp_path):
    world = World(tmp_path).vault("template")
    rule = ("rule", "add", "shell", "never force push", "-p", "critical")
    assert world.call(*rule, "--guard", 'command = ["git", "push", "-f"]').code == 0
    assert "toolmem.core.shell.grammar" not in loaded(tmp_path, "PreToolUse", CALL)
    assert "toolmem.core.shell.grammar" in loaded(tmp_path, "PreToolUse", GIT)


def test_the_end_of_a_turn_parses_no_plain_command_that_deletes_nothing(tmp_path):
    World(tmp_path).vault("template")
    calls = ("git -C x push origin", "ls -la | tail -5", "pytest -q 'tests/a b'")
    for command in calls:
        call = {**CALL, "tool_input": {"command": command}}
        loaded(tmp_path, "PostToolUse", call)
    assert loaded(tmp_path, "Stop", {}) & (HEAVY | SHELL_PARSER) == set()
    removal = {**CALL, "tool_input": {"command": "rm x"}}
    loaded(tmp_path, "PostToolUse", removal)
    assert "toolmem.core.shell.grammar" in loaded(tmp_path, "Stop", {})


def test_a_prompt_that_enters_no_topic_parses_no_memory(tmp_path):
    world = World(tmp_path).vault("template")
    world.write("system/memory/x-aaaaaa.md", "---\ntopic: queues\n---\n# Drained\n")
    payload = {"prompt": "please run the tests"}
    assert loaded(tmp_path, "UserPromptSubmit", payload) & HEAVY == INDEX


def test_memories_of_plain_headers_are_shown_without_a_yaml_parser(tmp_path):
    world = World(tmp_path).vault("template")
    text = "---\ntopic: queues\ntags: [a, b]\ncreated: 2026-04-07\n---\n# Drained\n"
    world.write("system/memory/x-aaaaaa.md", text)
    payload = {"prompt": "please drain the queues"}
    found = loaded(tmp_path, "UserPromptSubmit", payload)
    assert found & HEAVY == INDEX
    assert "toolmem.core.prompt.markdown" in found
    world.write("system/memory/x-aaaaaa.md", text.replace("[a, b]", "[[a], b]"))
    found = loaded(tmp_path, "UserPromptSubmit", {**payload, "session_id": "s-2"})
    assert {"yaml", "toolmem.core.prompt.markdown"} <= found


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        ("hook claude", "claude"),
        ("hook copilot --event preToolUse", "copilot --event preToolUse"),
        ("--vault v hook claude", "claude --vault v"),
        ("--vault=v hook claude", "claude --vault=v"),
        ("hook claude --vault v", "claude --vault v"),
        ("hook", None),
        ("hook -h", None),
        ("hook claude --help", None),
        ("--vault hook claude", None),
        ("rule hook", None),
        ("", None),
    ],
)
def test_the_short_way_is_taken_for_hooks_alone(argv, words):
    found = hook_words(argv.split())
    assert found == (None if words is None else words.split())
