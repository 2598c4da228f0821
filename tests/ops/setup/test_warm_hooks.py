"""``agent install --warm``: hooks that a helper answers."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hooks.warm_client import Helper, environment, folder
from tests.world import World
from toolmem.core.agents.hook_command import HookCommand, calls_us
from toolmem.core.agents.wiring import WIRINGS
from toolmem.ops.setup import agent_install, warm_hooks

pytestmark = pytest.mark.skipif(os.name != "posix", reason="sockets of POSIX")

ABLE = ("claude", "codex", "gemini", "cursor")


@pytest.fixture(autouse=True)
def _runtime_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    (tmp_path / "toolmem/warm").mkdir(parents=True)
    (tmp_path / "toolmem/warm").chmod(0o700)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "vault").vault("template")


def settings(agent: str) -> Path:
    return Path.home() / WIRINGS[agent].user


def state(world: World, agent: str) -> tuple[str, bool]:
    found = json.loads(world.call("agent", "status", agent, "--json").stdout)
    [user] = [one for one in found if one["place"] == "user"]
    return user["state"], user["warm"]


def commands(agent: str, *program: str) -> list[str]:
    found: dict[str, None] = {}
    for entry in WIRINGS[agent].entries_for(
        HookCommand(agent, helper=(program[0], program[1]))
    ):
        items = entry.item.get("hooks", [entry.item])
        assert all(calls_us(item, agent) for item in items)
        found |= dict.fromkeys(item["command"] for item in items)
    return list(found)


@pytest.mark.parametrize("agent", ABLE)
def test_warm_hooks_come_and_go_and_can_be_changed(world, agent):
    path = settings(agent)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('{"theirs": 1}\n')
    install = ("agent", "install", agent, "--user")
    seen = [state(world, agent)]
    for words in ((*install, "--warm"), (*install, "--warm"), install):
        assert world.call(*words).code == 0
        seen.append(state(world, agent))
    assert seen == [
        ("no", False),
        ("installed", True),
        ("installed", True),
        ("installed", False),
    ]
    world.call(*install, "--warm")
    assert world.call("agent", "uninstall", agent, "--user").code == 0
    assert path.read_text() == '{"theirs": 1}\n'


def test_status_and_uninstall_know_the_helper(world):
    world.call("agent", "install", "claude", "--user", "--warm")

    def said() -> list[str]:
        done = world.call("agent", "status", "claude")
        assert "claude  user  installed, warm  " in done.stdout
        return str(done.stderr).splitlines()[-1:]

    assert said() == [
        "toolmem: no helper of warm hooks runs; the next session starts one"
    ]
    with Helper() as helper:
        number = helper.process.pid
        assert said() == [f"toolmem: the helper of warm hooks runs (process {number})"]
        world.call("agent", "uninstall", "claude", "--user")
        assert helper.process.wait(30) != 0
    assert [path.suffix for path in folder().iterdir()] == [".lock"]


def test_the_project_has_no_warm_hooks(world):
    world.run("agent", "install", "claude", "--warm")
    world.exits(2).stderr(
        "toolmem: --warm needs --user: it names files of this machine\n"
    ).settle()
    world.run("agent", "install", "opencode", "--warm", "--user")
    world.exits(2).stderr(
        "toolmem: --warm is for claude, codex, gemini, cursor\n"
    ).settle()


def test_doctor_installs_warm_hooks_again_as_warm_ones(world):
    world.call("agent", "install", "claude", "--user", "--warm")
    path = settings("claude")
    path.write_text(path.read_text().replace(sys.executable, "/old/python"))
    assert state(world, "claude") == ("partly", True)
    world.call("doctor", "--fix")
    assert state(world, "claude") == ("installed", True)


def test_doctor_reports_a_folder_that_is_not_private(world):
    world.call("agent", "install", "claude", "--user", "--warm")

    def codes() -> set[str]:
        found = json.loads(world.call("doctor", "--json").stdout)["findings"]
        return {one["code"] for one in found}

    assert "helper-folder" not in codes()
    folder().chmod(0o755)
    assert "helper-folder" in codes()


def test_the_command_runs_toolmem_where_the_program_is_gone(tmp_path):
    program = tmp_path / "bin/toolmem"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\necho "$@"\n')
    program.chmod(0o755)
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    for python, ask in (
        ("/no python", "/no/ask.py"),
        (sys.executable, "/no/ask.py"),
        ("/no/python", __file__),
    ):
        first, command = commands("claude", python, ask)
        for line in (first, command):
            done = subprocess.run(
                ["/bin/sh", "-c", line],
                env=environment(PATH=path),
                capture_output=True,
                check=True,
            )
            assert done.stdout == b"hook claude\n"


def test_the_command_asks_the_helper(world, tmp_path):
    odd = tmp_path / "a folder's"
    odd.mkdir()
    (odd / "ask.py").write_text("import sys\nprint(sys.argv[1:], sys.flags.isolated)")
    _, command = commands("claude", sys.executable, str(odd / "ask.py"))
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, check=True)
    assert done.stdout == b"['claude'] 1\n"
    _, command = commands("claude", *warm_hooks.helper_program())
    words = shlex.split(command)
    assert Path(words[words.index("-IS") + 1]).is_file()
    assert agent_install.snippet("claude", str, warm=True).count("ask.py") == 16
