"""Wiring agents: what is put into their settings, and that it comes out again."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.examples import pairs
from tests.ops.odd_settings import ODD, REFUSED
from tests.wired import entries
from tests.world import World
from toolmem.core.agents.hook_command import calls_us
from toolmem.core.agents.registry import wirings
from toolmem.core.formats.json_edit import append_item, read_json, value_of

SHARED = ("claude", "codex", "gemini", "cursor")
AGENTS = tuple(wirings())
_EVENT = {"claude": "Stop", "codex": "Stop", "gemini": "AfterAgent", "cursor": "stop"}


def settings(world: World, agent: str) -> Path:
    wiring = wirings()[agent]
    path = world.root / wiring.project
    if wiring.shape == "scripts":
        path /= wiring.events[0]
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def install(world: World, agent: str) -> None:
    assert world.call("agent", "install", agent).code == 0


def uninstall(world: World, agent: str) -> None:
    assert world.call("agent", "uninstall", agent).code == 0


def status(world: World, agent: str) -> str:
    done = world.call("agent", "status", agent, "--json")
    return str(json.loads(done.stdout)[0]["state"])


def tree(world: World) -> dict[str, bytes | None]:
    """Every file and folder, links as they are."""
    return {
        str(path.relative_to(world.root)): (
            path.read_bytes() if path.is_file() else None
        )
        for path in sorted(world.root.rglob("*"))
    }


def read(path: Path) -> Any:
    text = path.read_bytes().decode()
    return value_of(text, read_json(text, path.name))


def stranger(agent: str) -> dict[str, object]:
    handler: dict[str, object] = {"type": "command", "command": "./theirs.sh"}
    return handler if agent == "cursor" else {"hooks": [handler]}


@pytest.mark.parametrize(("text", "agent"), pairs(ODD, SHARED))
@pytest.mark.one_of(3)
class TestOddSettings:
    def test_install_and_uninstall_leave_every_byte(self, world, agent, text):
        path = settings(world, agent)
        path.write_bytes(text.encode())
        install(world, agent)
        assert path.read_bytes() != text.encode()
        uninstall(world, agent)
        assert path.read_bytes() == text.encode()

    def test_what_a_stranger_added_stays_and_ours_goes(self, world, agent, text):
        path = settings(world, agent)
        path.write_bytes(text.encode())
        install(world, agent)
        held = path.read_bytes().decode()
        theirs = append_item(held, ("hooks", "Theirs"), {"command": "x"}, "here")
        path.write_bytes(theirs.encode())
        uninstall(world, agent)
        wanted = append_item(text if text.strip() else "{}", ("x",), 1, "here")
        found = read(path)
        kept = value_of(wanted, read_json(wanted, "here"))
        kept.pop("x")
        kept["hooks"] = {**kept.get("hooks", {}), "Theirs": [{"command": "x"}]}
        assert found == {**wirings()[agent].base, **kept}

    def test_without_what_was_remembered_exactly_our_entries_go(
        self, world, agent, text
    ):
        path = settings(world, agent)
        path.write_bytes(text.encode())
        install(world, agent)
        state = Path.home() / ".local/state/toolmem/agents"
        for kept in state.iterdir():
            kept.unlink()
        uninstall(world, agent)
        before = value_of(text, read_json(text, "x")) if text.strip() else {}
        left = read(path) if path.exists() else dict(wirings()[agent].base)
        for document in (before, left):
            hooks = document.get("hooks", {})
            document["hooks"] = {name: held for name, held in hooks.items() if held}
        assert left == {**wirings()[agent].base, **before}

    def test_what_is_installed_is_what_the_agent_reads(self, world, agent, text):
        path = settings(world, agent)
        path.write_bytes(text.encode())
        install(world, agent)
        document = read(path)
        for entry in entries(agent):
            assert dict(entry.item) in document["hooks"][entry.keys[-1]]
        again = path.read_bytes()
        install(world, agent)
        assert path.read_bytes() == again


@pytest.mark.parametrize(("text", "agent"), pairs(REFUSED, SHARED))
def test_settings_that_are_no_settings_are_refused_and_left(world, agent, text):
    path = settings(world, agent)
    path.write_bytes(text.encode())
    done = world.call("agent", "install", agent)
    assert (done.code, done.stdout) == (11, "")
    assert done.stderr.startswith(f"toolmem: /world/{wirings()[agent].project}:")
    assert path.read_bytes() == text.encode()


@pytest.mark.parametrize("data", [b"\xff\xfe{\x00}\x00", b'{"a": "\xe9"}'])
def test_settings_in_another_encoding_are_refused_and_left(world, data):
    path = settings(world, "claude")
    path.write_bytes(data)
    assert world.call("agent", "install", "claude").code == 11
    assert path.read_bytes() == data


@pytest.mark.parametrize("agent", AGENTS)
def test_of_a_file_that_was_not_there_nothing_is_left(world, agent):
    world.vault("one-rule")
    before = tree(world)
    install(world, agent)
    assert tree(world) != before
    uninstall(world, agent)
    assert tree(world) == before


@pytest.mark.parametrize("agent", AGENTS)
def test_a_folder_that_was_there_stays_even_if_empty(world, agent):
    world.vault("one-rule")
    settings(world, agent)
    before = tree(world)
    install(world, agent)
    uninstall(world, agent)
    assert tree(world) == before


@pytest.mark.parametrize("agent", SHARED)
class TestStrangers:
    def test_edits_between_two_installs_are_kept(self, world, agent):
        path = settings(world, agent)
        path.write_text('{"a": 1}\n')
        install(world, agent)
        text = path.read_text()
        path.write_text(append_item(text, ("theirs",), 2, "x"))
        first = entries(agent)[0]
        broken = path.read_text().replace('"timeout": 10', '"timeout": 11', 1)
        path.write_text(broken)
        install(world, agent)
        assert dict(first.item) in read(path)["hooks"][first.keys[-1]]
        uninstall(world, agent)
        assert read(path) == {**wirings()[agent].base, "a": 1, "theirs": [2]}

    def test_a_new_file_is_not_mistaken_for_the_old_one(self, world, agent):
        path = settings(world, agent)
        path.write_text('{"old": 1}\n')
        install(world, agent)
        path.write_text('{"new": 1}\n')
        install(world, agent)
        uninstall(world, agent)
        assert path.read_text() == '{"new": 1}\n'

    def test_a_hook_beside_ours_stays_where_it_is(self, world, agent):
        path = settings(world, agent)
        path.write_text("{}\n")
        install(world, agent)
        keys = ("hooks", _EVENT[agent])
        path.write_text(append_item(path.read_text(), keys, stranger(agent), "x"))
        uninstall(world, agent)
        document = read(path)
        assert document["hooks"] == {_EVENT[agent]: [stranger(agent)]}


def test_a_handler_in_the_same_group_as_ours_stays(world):
    path = settings(world, "claude")
    install(world, "claude")
    document = json.loads(path.read_text())
    theirs = {"type": "command", "command": "./theirs.sh"}
    document["hooks"]["Stop"][0]["hooks"].append(theirs)
    document["hooks"]["Stop"][0]["matcher"] = "x"
    path.write_text(json.dumps(document))
    uninstall(world, "claude")
    group = {"hooks": [theirs], "matcher": "x"}
    assert json.loads(path.read_text()) == {"hooks": {"Stop": [group]}}


@pytest.mark.parametrize(
    ("handler", "ours"),
    [
        ({"command": "toolmem hook claude"}, True),
        ({"command": "/home/ada/.local/bin/toolmem hook claude"}, True),
        ({"command": '"C:\\tools\\toolmem.exe" hook claude'}, True),
        ({"command": "toolmem", "args": ["hook", "claude"]}, True),
        ({"command": "'/home/ada lovelace/toolmem' hook claude"}, True),
        ({"command": "TOOLMEM_VAULT=~/v toolmem hook claude --vault x"}, True),
        ({"command": "uv run toolmem hook claude"}, True),
        ({"command": "toolmem --vault ~/v hook claude"}, True),
        ({"command": "toolmem", "args": ["--vault=v", "hook", "claude"]}, True),
        (
            {"command": "command -v toolmem >/dev/null || exit 0; toolmem hook claude"},
            True,
        ),
        (
            {"command": "if (Get-Command toolmem) { toolmem hook claude; exit 1 }"},
            True,
        ),
        ({"command": "toolmem hook codex"}, False),
        ({"command": "toolmem hook claudette"}, False),
        ({"command": "toolmem check"}, False),
        ({"command": "echo toolmem hook claude"}, False),
        ({"command": "mytoolmem hook claude"}, False),
        ({"command": ["toolmem", "hook", "claude"]}, False),
        ({"command": "toolmem", "args": [["hook"], 1]}, False),
        ({"command": ""}, False),
        ("toolmem hook claude", False),
        (None, False),
    ],
)
def test_only_a_handler_that_calls_us_is_ours(handler, ours):
    assert calls_us(handler, "claude") is ours


def test_a_link_is_followed_and_stays_a_link(world):
    path = settings(world, "claude")
    real = world.root / "dotfiles" / "claude.json"
    real.parent.mkdir()
    real.write_text('{"a": 1}\n')
    path.symlink_to(real)
    install(world, "claude")
    assert path.is_symlink()
    assert "toolmem" in real.read_text()
    uninstall(world, "claude")
    assert path.is_symlink()
    assert real.read_text() == '{"a": 1}\n'


def test_the_mode_of_a_file_stays(world):
    path = settings(world, "claude")
    path.write_text('{"a": 1}\n')
    path.chmod(0o400)
    install(world, "claude")
    assert path.stat().st_mode & 0o777 == 0o400
    uninstall(world, "claude")
    assert (path.stat().st_mode & 0o777, path.read_text()) == (0o400, '{"a": 1}\n')


def test_a_folder_in_the_place_of_the_file_is_refused(world):
    path = settings(world, "claude")
    path.mkdir()
    done = world.call("agent", "install", "claude")
    assert (done.code, done.stdout) == (15, "")


def test_the_own_file_of_an_agent_is_not_put_over_a_stranger_s(world):
    path = settings(world, "opencode")
    path.write_text("export const Theirs = async () => ({})\n")
    assert world.call("agent", "install", "opencode").code == 13
    assert path.read_text() == "export const Theirs = async () => ({})\n"


def test_an_edited_file_of_ours_is_kept_and_said_so(world):
    path = settings(world, "opencode")
    install(world, "opencode")
    edited = path.read_text() + "// mine\n"
    path.write_text(edited)
    world.run("agent", "uninstall", "opencode")
    world.stdout("kept /world/.opencode/plugins/toolmem.js\n").stderr(
        "toolmem: the file was changed since toolmem wrote it: "
        "delete it by hand if you no longer need it\n"
    )
    assert path.read_text() == edited


@pytest.mark.parametrize("agent", AGENTS)
def test_a_dry_run_shows_the_change_and_makes_none(world, agent):
    world.vault("one-rule")
    before = tree(world)
    done = world.call("agent", "install", agent, "--dry-run")
    assert done.code == 0
    assert done.stdout.startswith("--- /dev/null\n+++ /world/")
    assert tree(world) == before


@pytest.mark.parametrize("agent", AGENTS)
def test_what_is_printed_is_what_an_empty_file_becomes(world, agent):
    world.vault("one-rule")
    printed = world.call("agent", "install", agent, "--print").stdout
    install(world, agent)
    assert settings(world, agent).read_text().strip("\n") == printed.strip("\n")


@pytest.mark.parametrize("agent", AGENTS)
def test_status_tells_installed_from_partly_from_not(world, agent):
    world.vault("one-rule")

    def state() -> list[str]:
        done = world.call("agent", "status", agent, "--json")
        return [one["state"] for one in json.loads(done.stdout)]

    assert state() == ["no", "no"]
    install(world, agent)
    assert state() == ["installed", "no"]
    path = settings(world, agent)
    path.write_text(path.read_text().replace("toolmem", "Toolmem", 3))
    assert state()[0] == ("no" if agent == "continue" else "partly")


@pytest.mark.parametrize(
    ("agent", "variable", "place"),
    [
        ("claude", "CLAUDE_CONFIG_DIR", "settings.json"),
        ("codex", "CODEX_HOME", "hooks.json"),
        ("copilot", "COPILOT_HOME", "hooks/toolmem.json"),
        ("opencode", "XDG_CONFIG_HOME", "opencode/plugins/toolmem.js"),
        ("goose", "XDG_CONFIG_HOME", "goose/.goosehints"),
    ],
)
def test_an_agent_that_was_moved_is_found(world, monkeypatch, agent, variable, place):
    world.vault("one-rule")
    moved = world.root / "moved"
    monkeypatch.setenv(variable, str(moved))
    assert world.call("agent", "install", agent, "--user").code == 0
    assert (moved / place).is_file()
    assert world.call("agent", "uninstall", agent, "--user").code == 0
    assert not moved.exists()


@pytest.mark.parametrize("agent", SHARED)
def test_settings_of_an_older_toolmem_are_brought_up_to_date(world, agent):
    path = settings(world, agent)
    install(world, agent)
    new = path.read_text()
    old = f"command -v toolmem >/dev/null || exit 0; toolmem hook {agent}"
    path.write_text(re.sub(r'"command -v (?:[^"\\]|\\.)*"', f'"{old}"', new))
    assert status(world, agent) == "partly"
    install(world, agent)
    assert path.read_text() == new


def test_goose_gets_the_block_in_a_section_of_its_own(world):
    world.vault("one-rule")
    world.write(".goosehints", "be kind\n")
    install(world, "goose")
    block = world.call("prompt").stdout.strip("\n")
    assert world.read(".goosehints") == (
        f"be kind\n\n<!-- toolmem:begin -->\n{block}\n<!-- toolmem:end -->\n"
    )
    uninstall(world, "goose")
    assert world.read(".goosehints") == "be kind\n"


def test_hooks_that_would_run_twice_are_told_of(world):
    world.call("agent", "install", "cursor", "--user")
    done = world.call("agent", "install", "cursor")
    assert done.stderr.endswith(
        "toolmem: cursor has hooks for the user, too: they may run twice\n"
    )


def test_installing_where_no_vault_is_found_says_how_to_make_one(world):
    here = world.call("agent", "install", "claude").stderr
    assert "no vault is found from here, so the hooks have no rules: " in here
    assert "`toolmem init` creates one\n" in here
    user = world.call("agent", "install", "claude", "--user").stderr
    assert "you have no default vault, so the hooks have no rules: " in user
    assert world.call("init", "--user").code == 0
    for place in ((), ("--user",)):
        again = world.call("agent", "install", "claude", *place).stderr
        assert "so the hooks have no rules" not in again
