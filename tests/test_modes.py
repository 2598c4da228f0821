"""Files written outside the vault's own are not accessible to other users."""

import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hooks.players import Claude
from tests.world import World
from toolmem.core.agents.registry import wirings
from toolmem.store.files import private
from toolmem.store.files.settings import state_folder

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")

SECRET = '{"env": {"API_KEY": "not-for-others"}}\n'


@pytest.fixture
def _no_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def below(folder: Path) -> list[Path]:
    """Return files and folders; a link has no mode of its own."""
    return [folder, *(path for path in folder.rglob("*") if not path.is_symlink())]


def use(world: World) -> None:
    """Run everything that writes elsewhere than into the vault's own files."""
    out = world.root / "out"
    out.mkdir(mode=0o755)
    world.root = world.root / "vault"
    world.root.mkdir(mode=0o755)
    commands = [
        ("init", "."),
        ("memory", "save", "The deploy uses rsync nightly and takes an hour."),
        ("scratch", "add", "Ask about the deploy", "--agent", "helper"),
        ("search", "deploy"),
        ("reflect", "-o", str(out / "plan.toml")),
        ("report", "-o", str(out / "report.html")),
        ("doctor", "--bundle", str(out / "bundle.json")),
        ("doctor", "--fix"),
        *(("agent", "install", agent, "--user") for agent in wirings()),
        *(("agent", "install", agent, "--project") for agent in wirings()),
    ]
    for words in commands:
        done = world.call(*words)
        assert done.code in (0, 1), done
    claude = Claude(world.root)
    claude.start()
    claude.prompt("never use rsync.")
    claude.failed("Bash", command="make")
    claude.end()
    world.write("toolmem.toml", "schema = \n")
    claude.prompt("never use sudo.")
    private.log_crash(ValueError("a bug"), "0")


@pytest.mark.usefixtures("_no_umask")
def test_under_an_open_umask_state_and_copies_stay_closed(world):
    settings = Path.home() / ".claude/settings.json"
    settings.parent.mkdir(mode=0o755)
    settings.write_text(SECRET)
    settings.chmod(0o600)
    use(world)
    closed = [*below(state_folder()), *below(world.root / ".toolmem")]
    assert len(closed) > 20
    wanted = {True: 0o700, False: 0o600}
    assert {
        str(path): oct(mode(path))
        for path in closed
        if path.is_dir() and mode(path) != wanted[True]
    } == {}
    assert {
        str(path): oct(mode(path))
        for path in below(state_folder())
        if path.is_file() and mode(path) != wanted[False]
    } == {}
    others = [*below(Path.home()), *below(world.root.parent / "out")]
    assert [str(path) for path in others if mode(path) & 0o022] == []
    assert mode(settings) == 0o600


@pytest.mark.usefixtures("_no_umask")
@pytest.mark.parametrize("before", [0o600, 0o640, 0o644])
def test_a_copy_of_settings_is_no_more_open_than_they_are(world, before):
    settings = Path.home() / ".claude/settings.json"
    settings.parent.mkdir()
    settings.write_text(SECRET)
    settings.chmod(before)
    world.vault("template").call("agent", "install", "claude", "--user")
    copies = [
        path
        for path in Path.home().rglob("*")
        if path.is_file() and "not-for-others" in path.read_text(errors="replace")
    ]
    assert settings in copies
    assert len(copies) == 2
    assert {path: mode(path) & ~before for path in copies} == dict.fromkeys(copies, 0)
    assert mode(settings) == before
    assert json.loads(settings.read_text())["env"] == json.loads(SECRET)["env"]


@pytest.mark.usefixtures("_no_umask")
def test_state_that_was_open_is_closed_when_it_is_used(world):
    folder = state_folder()
    folder.mkdir(parents=True, mode=0o755)
    private.log_crash(ValueError("a bug"), "0")
    assert mode(folder) == 0o700
