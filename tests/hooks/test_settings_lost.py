"""Rules stay in force without the settings of their vault, and the file is named."""

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from tests.examples import pairs
from tests.hooks.players import PLAYERS, Claude, Heard
from tests.world import World

CONFLICT = "<<<<<<< ours\nschema = 1\n=======\nschema = 2\n>>>>>>> theirs\n"


def _write(text: str) -> Callable[[Path], object]:
    return lambda place: place.write_text(text)


def _folder(place: Path) -> None:
    place.unlink()
    place.mkdir()


LOSSES: dict[str, Callable[[Path], object]] = {
    "a merge conflict": _write(CONFLICT),
    "a typo": _write("schema = 1\n[guard\nmode = 'deny'\n"),
    "another type": _write("schema = 'one'\n"),
    "another encoding": lambda place: place.write_bytes(b"schema = 1 # \xff\n"),
    "a folder": _folder,
    "gone": Path.unlink,
}


def said(heard: Heard) -> str:
    """Copilot shows its user nothing."""
    return heard.message or heard.context


CASES = {
    f"{loss} {place}": (loss, place)
    for place, loss in product(("here", "team"), LOSSES)
}


@pytest.mark.one_of(3)
@pytest.mark.parametrize(
    ("case", "agent"), pairs(CASES, [one.agent for one in PLAYERS])
)
def test_rules_stay_in_force_and_the_next_message_names_the_file(
    case, agent, tmp_path: Path
):
    loss, place = case
    made = next(one for one in PLAYERS if one.agent == agent)
    world = World(tmp_path)
    place = "." if place == "here" else place
    world.call("init", place)
    world.write("src/.keep", "")
    if place != ".":
        world.write(".toolmem.toml", f'vault = "{place}"\n')
    world.call("rule", "add", "shell", "never use telnet", "-p", "critical")
    player = made(tmp_path / "src")
    player.start()
    settings = tmp_path / place / "toolmem.toml"
    LOSSES[loss](settings)
    assert player.before(player.shell, command="telnet host").verdict == "deny"
    first, second = player.prompt("go on"), player.prompt("and on")
    assert f"settings not read: {settings}:" in said(first)
    assert str(settings) not in second.message + second.context
    player.prompt("never use rsync")
    assert player.before(player.shell, command="rsync a b").verdict == "deny"
    new = made(tmp_path / "src", "s-2")
    assert f"settings not read: {settings}:" in said(new.start())
    assert new.before(new.shell, command="telnet host").verdict == "deny"


def test_a_folder_that_never_was_a_vault_has_no_rules(tmp_path: Path):
    for name in ("system/rules/shell", "projects"):
        (tmp_path / name).mkdir(parents=True)
    assert Claude(tmp_path).start().document == {}


def test_what_is_said_of_lost_settings_names_the_next_step(tmp_path: Path):
    world = World(tmp_path)
    world.call("init", ".")
    claude = Claude(tmp_path)
    claude.start()
    (tmp_path / "toolmem.toml").unlink()
    assert claude.prompt("go on").message == (
        f"toolmem: settings not read: {tmp_path}/toolmem.toml: is missing: rules "
        "stay in force, with the default settings; restore that file "
        "(`git checkout -- toolmem.toml`)"
    )
    world.write("toolmem.toml", CONFLICT)
    assert claude.prompt("go on").message == (
        f"toolmem: settings not read: {tmp_path}/toolmem.toml:1: the file has an "
        "unresolved merge conflict: rules stay in force, with the default settings; "
        "correct that file, then run `toolmem check`"
    )
