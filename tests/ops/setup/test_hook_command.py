"""Installed commands on machines without toolmem, and options that people gave them."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.examples import pairs
from tests.hooks.players import PLAYERS
from tests.ops.setup.test_agent_install import install, settings, status
from tests.world import World
from toolmem.core.agents.hook_command import (
    ASK,
    NOT_INSTALLED,
    REMEMBERED,
    YOURS,
)

SHELLS = list(filter(None, map(shutil.which, ("sh", "bash", "zsh", "fish"))))
COMMANDS = ("claude", "codex", "gemini", "cursor", "copilot")
SHOWN = {
    **dict.fromkeys(("claude", "codex", "gemini"), "systemMessage"),
    "copilot": "message",
}
"""Key of the user's line, of agents that show it."""
MESSAGE = (
    "this project has toolmem rules; toolmem is not installed: calls are not checked"
)


def installed(world: World, agent: str) -> dict[str, str]:
    """The command of each event in an agent's settings."""
    hooks = json.loads(settings(world, agent).read_text())["hooks"]
    return {event: command_in(items[0]) for event, items in hooks.items()}


def command_in(item: dict[str, Any]) -> str:
    handler = item.get("hooks", [item])[0]
    return str(handler.get("command") or handler["bash"])


def run(
    shell: str, command: str, home: Path, folder: Path | None = None
) -> "subprocess.CompletedProcess[bytes]":
    """Run a command on a machine whose PATH has no program at all."""
    empty = home / "bin"
    empty.mkdir(exist_ok=True)
    return subprocess.run(
        [shell, "-c", command],
        env={"PATH": str(empty), "HOME": str(home)},
        cwd=folder or home,
        capture_output=True,
        check=False,
    )


@pytest.mark.one_of(4)
@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("agent", COMMANDS)
def test_without_toolmem_the_session_s_start_says_so_and_all_else_goes_on(
    world, tmp_path, agent, shell
):
    install(world, agent)
    (tmp_path / ".toolmem.toml").touch()
    player = next(one for one in PLAYERS if one.agent == agent)(tmp_path)
    start = player.names["start"]
    for event, command in installed(world, agent).items():
        done = run(shell, command, tmp_path)
        assert (done.returncode, done.stderr) == (0, b"")
        said = [json.loads(line) for line in done.stdout.splitlines()]
        assert (MESSAGE in str(said)) == (event == start)
        if agent in SHOWN and event == start:
            assert said[0][SHOWN[agent]] == NOT_INSTALLED == MESSAGE
            assert agent != "copilot" or said[0]["type"] == "progress"


PLACES = {
    "a project below a pointer": ((".toolmem.toml",), "", NOT_INSTALLED),
    "a vault": (("work/project/toolmem.toml",), "", NOT_INSTALLED),
    "with a default vault elsewhere": ((), 'vault = "{home}/my notes"', YOURS),
    "with a default vault that is gone": ((), 'vault = "{home}/gone"', ""),
    "with other settings": ((), "prompt.tokens = 5\n[x]\nvault = 1", ""),
    "a project without rules": ((), None, ""),
}


@pytest.mark.one_of(4)
@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("agent", COMMANDS)
@pytest.mark.parametrize("place", PLACES)
def test_a_session_without_toolmem_says_so_only_where_there_are_rules(
    world, tmp_path, agent, shell, place
):
    marks, user_settings, expected = PLACES[place]
    install(world, agent)
    project = tmp_path / "work/project"
    project.mkdir(parents=True)
    (tmp_path / "my notes").mkdir()
    for mark in marks:
        (tmp_path / mark).touch()
    if user_settings is not None:
        path = tmp_path / ".config/toolmem/config.toml"
        path.parent.mkdir(parents=True)
        path.write_text(user_settings.format(home=tmp_path))
    player = next(one for one in PLAYERS if one.agent == agent)(tmp_path)
    command = installed(world, agent)[player.names["start"]]
    done = run(shell, command, tmp_path, project)
    assert (done.returncode, done.stderr) == (0, b"")
    assert expected in done.stdout.decode()
    assert bool(done.stdout) == bool(expected)


@pytest.mark.one_of(4)
@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("agent", COMMANDS)
def test_the_program_that_installed_the_hooks_is_tried_next(
    world, tmp_path, agent, shell
):
    install(world, agent)
    link = tmp_path / REMEMBERED
    link.parent.mkdir(parents=True)
    link.write_text('#!/bin/sh\necho "$@"\n')
    link.chmod(0o755)
    for event, command in installed(world, agent).items():
        name = f" --event {event}" if agent == "copilot" else ""
        done = run(shell, command, tmp_path)
        assert (done.stdout.decode(), done.stderr) == (
            f"hook {agent}{name} --warm\n",
            b"",
        )


def test_installing_remembers_where_toolmem_is(world, tmp_path, monkeypatch):
    program = tmp_path / "tools" / "toolmem"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=":")
    world.call("agent", "install", "claude", "--dry-run")
    link = Path.home() / REMEMBERED
    assert not link.is_symlink()
    install(world, "claude")
    assert link.readlink() == program
    monkeypatch.setenv("PATH", str(link.parent), prepend=":")
    install(world, "claude")
    assert link.readlink() == program


FORMS = {
    "after": ("toolmem hook {agent} --vault /v", "--vault /v"),
    "with an equals sign": ("toolmem hook {agent} --vault=/v", "--vault=/v"),
    "before": ("toolmem --vault /v hook {agent}", "--vault /v"),
    "of another toolmem": ("/opt/toolmem hook {agent} --vault /v", "--vault /v"),
    "in our older command": (
        "command -v toolmem >/dev/null || exit 0; toolmem hook {agent} --vault /v",
        "--vault /v",
    ),
    "as a variable": ("TOOLMEM_VAULT=/v toolmem hook {agent}", "--vault /v"),
    "quoted": ("toolmem hook {agent} --vault '/a b' 2>&1", "--vault '/a b'"),
    "of a variable": (
        'toolmem hook {agent} --vault "$HOME/v"; true',
        '--vault "$HOME/v"',
    ),
}


@pytest.mark.one_of(3)
@pytest.mark.parametrize(("form", "agent"), pairs(FORMS, COMMANDS))
@pytest.mark.parametrize("repair", [("agent", "install"), ("doctor", "--fix")])
def test_the_vault_of_an_installed_command_stays(world, form, agent, repair):
    world.vault("template")
    install(world, agent)
    path = settings(world, agent)
    document = json.loads(path.read_text())
    written, kept = form
    for event, items in document["hooks"].items():
        handler = items[0].get("hooks", items)[0]
        name = f"{agent} --event {event}" if agent == "copilot" else agent
        key = "bash" if agent == "copilot" else "command"
        handler[key] = written.format(agent=name)
    path.write_text(json.dumps(document))
    assert status(world, agent) == "partly"
    world.call(*repair, *((agent,) if repair[0] == "agent" else ()))
    for event, command in installed(world, agent).items():
        name = f"{agent} --event {event}" if agent == "copilot" else agent
        plain = command.replace(" --warm;", ";")
        assert plain.count(f"hook {name} {kept};") == 2 + (ASK in command)
    assert status(world, agent) == "installed"


@pytest.mark.parametrize("form", FORMS)
def test_a_command_with_a_vault_is_removed(world, form):
    install(world, "claude")
    path = settings(world, "claude")
    document = json.loads(path.read_text())
    command = FORMS[form][0].format(agent="claude")
    document["hooks"]["Stop"][0]["hooks"][0]["command"] = command
    path.write_text(json.dumps(document))
    world.call("agent", "uninstall", "claude")
    assert not path.exists()


def test_words_of_an_exec_form_stay(world):
    install(world, "claude")
    path = settings(world, "claude")
    document = json.loads(path.read_text())
    words = ["hook", "claude", "--vault", "/srv/team vault"]
    document["hooks"]["Stop"][0]["hooks"][0] |= {"command": "toolmem", "args": words}
    path.write_text(json.dumps(document))
    install(world, "claude")
    found = installed(world, "claude")
    assert found["Stop"].count("hook claude --vault '/srv/team vault' --warm;") == 2
    assert "--vault" not in found["PreToolUse"]


def test_words_of_opencode_s_plugin_stay(world):
    install(world, "opencode")
    path = settings(world, "opencode")
    own = path.read_text()
    words = '["hook", "opencode", "--vault", "/srv/team vault"]'
    edited = own.replace('["hook", "opencode"]', words)
    assert edited != own
    path.write_text(edited.replace("5000", "4000"))
    assert status(world, "opencode") == "partly"
    install(world, "opencode")
    assert path.read_text() == edited
    assert status(world, "opencode") == "installed"


@pytest.mark.parametrize(
    ("agent", "file", "words"),
    [
        ("claude", ".claude/settings.json", "hook claude --vault '{vault}' --warm"),
        ("cursor", ".cursor/hooks.json", "hook cursor --vault '{vault}' --warm"),
        (
            "opencode",
            ".opencode/plugins/toolmem.js",
            '"hook", "opencode", "--vault", "{vault}"',
        ),
    ],
)
def test_the_vault_that_install_was_given_is_that_of_the_hooks(
    world, agent, file, words
):
    own = World(world.root / "my vault").vault("one-rule")
    for flags in (("--vault", "my vault"), ()):  # again, it stays
        assert world.call(*flags, "agent", "install", agent, "--project").code == 0
        assert words.format(vault=own.root) in world.read(file)


@pytest.mark.parametrize(
    ("agent", "file"), [("codex", ".codex/config.toml"), ("opencode", "opencode.json")]
)
def test_the_vault_that_install_was_given_is_that_of_the_mcp_server(world, agent, file):
    own = World(world.root / "vault").vault("one-rule")
    entries = []
    for flags in ((), ("--vault", "vault"), ()):  # given later; then it stays
        assert world.call(*flags, "agent", "install", agent, "--mcp").code == 0
        entries.append("".join(world.read(file).split()))
    assert '"mcp"]' in entries[0]
    assert entries[1] == entries[2]
    assert f'"mcp","--vault","{own.root}"]' in entries[1]
