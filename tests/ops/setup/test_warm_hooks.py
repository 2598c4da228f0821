"""Hooks ask a helper of the session by default, and reports say whether it answers."""

import json
import os
import sys
from pathlib import Path

import pytest

from tests.hooks.helpers import Helper, folder, prepare
from tests.wired import entries
from tests.world import World
from toolmem.core.agents.hook_command import ASK, calls_us
from toolmem.core.agents.registry import hooked
from toolmem.store.warm import client, helpers

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="helpers are on Linux")


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    for name in ("PATH", "XDG_RUNTIME_DIR"):
        monkeypatch.setenv(name, os.environ.get(name, ""))
    prepare(tmp_path)
    return World(tmp_path / "vault").vault("template")


def state(world: World, agent: str) -> tuple[str, bool]:
    found = json.loads(world.call("agent", "status", agent, "--json").stdout)
    [user] = [one for one in found if one["place"] == "user"]
    return user["state"], user["warm"]


def notices(world: World) -> list[str]:
    done = world.call("agent", "status", "claude")
    return [line.removeprefix("toolmem: ") for line in done.stderr.splitlines()]


def codes(world: World) -> set[str]:
    found = json.loads(world.call("doctor", "--json").stdout)["findings"]
    return {one["code"] for one in found if one["code"].startswith("helper-")}


@pytest.mark.one_of(3)
@pytest.mark.parametrize("agent", hooked())
def test_hooks_are_warm_unless_that_is_left_out(world, agent):
    install = ("agent", "install", agent, "--user")
    seen = [state(world, agent)]
    for words in (install, (*install, "--no-warm"), install, install):
        assert world.call(*words).code == 0
        seen.append(state(world, agent))
    assert seen == [
        ("no", False),
        ("installed", True),
        ("installed", False),
        ("installed", True),
        ("installed", True),
    ]
    assert world.call("agent", "uninstall", agent, "--user").code == 0
    assert state(world, agent) == ("no", False)


@pytest.mark.parametrize("agent", [name for name in hooked() if entries(name)])
def test_only_the_hooks_of_calls_ask_a_helper(agent):
    asking = set()
    for entry in entries(agent):
        items = entry.item.get("hooks", [entry.item])
        assert all(calls_us(item, agent) for item in items)
        if any(ASK in item.get("command", item.get("bash")) for item in items):
            asking.add(entry.keys[-1])
    names = {entry.keys[-1] for entry in entries(agent)}
    words = ("tool", "shellexecution")
    assert asking == {one for one in names if any(w in one.lower() for w in words)}


def test_status_and_doctor_say_whether_it_answers(world, tmp_path):
    world.call("agent", "install", "claude", "--user")
    said = "no helper runs: the next event of a session starts one"
    assert (notices(world)[-1], codes(world)) == (said, set())
    with Helper() as helper:
        said = f"a helper answers (process {helper.process.pid})"
        assert (notices(world)[-1], codes(world)) == (said, set())
        helpers.end_all()
        assert helper.process.wait(60) == 0
    folder().chmod(0o755)
    assert codes(world) == {"helper-folder"}
    folder().chmod(0o700)
    link = Path.home() / ASK
    link.unlink()
    link.symlink_to(tmp_path)
    said = "no helper can be asked here: the hooks of tool calls run cold"
    assert (notices(world)[-1], codes(world)) == (said, {"helper-client"})


def test_a_killed_helper_is_reported(world):
    world.call("agent", "install", "claude", "--user")
    with Helper() as helper:
        helper.process.kill()
        helper.process.wait()
        said = f"a helper does not answer ({folder()}/{helper.name})"
        assert (notices(world)[-1], codes(world)) == (said, {"helper-late"})


def test_doctor_installs_hooks_again_as_they_were(world):
    for more in ((), ("--no-warm",)):
        world.call("agent", "install", "claude", "--user", *more)
        path = Path.home() / ".claude/settings.json"
        path.write_text(path.read_text().replace("exit 0", "exit 1"))
        assert state(world, "claude") == ("partly", not more)
        world.call("doctor", "--fix")
        assert state(world, "claude") == ("installed", not more)


def test_the_links_lead_to_the_client_and_its_interpreter(world):
    world.call("agent", "install", "claude", "--user")
    assert (Path.home() / ASK).resolve() == Path(client.__file__).resolve()
    python = (Path.home() / ASK).with_name("python")
    assert python.resolve() == Path(sys.executable).resolve()
