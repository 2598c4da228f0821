"""``toolmem setup``: one command for the agents of a machine, and back again."""

import json
import sys
from pathlib import Path

import pytest

from tests.ops.setup.test_agent_install import tree
from tests.world import World
from toolmem.ops.setup.activation import InstallPlaces
from toolmem.ops.setup.agent_install import installed_agents

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX shell")
_OURS = (".config/toolmem", ".local")


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, program: Path) -> Path:
    """A home folder with three agents, two of which have settings."""
    folder = Path.home()
    for name in (".claude", ".gemini", ".copilot"):
        (folder / name).mkdir()
    (folder / ".claude/settings.json").write_text('{"model": "x"}\n')
    (folder / ".gemini/settings.json").write_text('{ /* mine */ "a": [1], }\r\n')
    return folder


def files(folder: Path) -> dict[str, bytes]:
    """Every file of a home folder but those of toolmem itself."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not str(path.relative_to(folder)).startswith(_OURS)
    }


def rows(world: World, *words: str) -> dict[str, dict[str, object]]:
    done = world.call("setup", "--yes", "--json", *words)
    assert done.code == 0, done.stderr
    return {row["agent"]: row for row in json.loads(done.stdout)}


def test_it_sets_up_what_is_installed_repairs_it_and_leaves_all_as_it_was(world, home):
    before = files(home)
    first = rows(world)
    assert {name: (row["hooks"], row["server"]) for name, row in first.items()} == {
        "claude": ("installed", "installed"),
        "gemini": ("installed", "installed"),
        "copilot": ("installed", "installed"),
    }
    assert {row["trial"] for row in first.values()} == {"a call was denied"}
    assert (home / ".local/share/toolmem/vault/toolmem.toml").is_file()
    after = files(home)
    broken = home / ".claude/settings.json"
    broken.write_text(broken.read_text().replace("toolmem hook", "toolmem hoax", 3))
    again = rows(world, "--agents", "claude,copilot")
    assert {name: row["hooks"] for name, row in again.items()} == {
        "claude": "installed",
        "copilot": "unchanged",
    }
    assert files(home).keys() == after.keys()
    gone = rows(world, "--remove")
    assert {row["hooks"] for row in gone.values()} == {"removed"}
    assert files(home) == before
    assert rows(world, "--remove") == {}


def test_a_project_gets_its_files_at_the_top_of_its_repository(world, home):
    world.git("init")
    world.write("src/a.py", "")
    before = tree(world)
    done = world.call("setup", "--yes", "--project", "--agents", "continue", cwd="src")
    assert done.stdout == "continue  text  no  -\n"
    assert world.read(".continue/rules/toolmem.md").startswith(
        "<!-- toolmem:begin -->\n"
    )
    assert world.read(".toolmem.toml").startswith('vault = "team-vault"\n')
    done = world.call("setup", "--yes", "--project", "--remove", cwd="src")
    assert done.stdout == "continue  removed  no  -\n"
    assert tree(world).keys() - before.keys() >= {"team-vault"}
    assert not (world.root / ".continue/rules/toolmem.md").exists()


@pytest.mark.usefixtures("program")
def test_without_a_terminal_or_an_agent_it_changes_nothing(world):
    done = world.call("setup", "--agents", "claude")
    assert (done.code, done.stderr) == (
        2,
        "toolmem: there is no terminal to ask at: repeat this with --yes\n",
    )
    none = world.call("setup", "--yes")
    assert none.stderr == (
        "toolmem: no agent is installed here: name it with --agents NAME\n"
    )
    assert world.call("setup", "--yes", "--agents", "cloude").code == 2
    assert set(tree(world)) == {"bin", "bin/toolmem"}
    assert not (Path.home() / ".claude").exists()


def test_an_agent_cannot_set_agents_up(world, home, monkeypatch):
    monkeypatch.setenv("TOOLMEM_AGENT", "claude")
    assert world.call("setup", "--yes").code == 2
    assert "hooks" not in (home / ".claude/settings.json").read_text()


def test_settings_that_cannot_be_read_stop_no_other_agent(world, home):
    (home / ".gemini/settings.json").write_text("[]\n")
    done = world.call("setup", "--yes", "--json", "--agents", "gemini,continue")
    found = {row["agent"]: row["hooks"] for row in json.loads(done.stdout)}
    assert (done.code, found) == (1, {"gemini": "failed", "continue": "text"})
    assert (home / ".gemini/settings.json").read_text() == "[]\n"


def test_a_server_of_the_users_own_is_left(world, home):
    text = '{"mcpServers": {"toolmem": {"command": "/opt/other"}}}\n'
    (home / ".claude.json").write_text(text)
    rows(world, "--agents", "claude")
    assert (home / ".claude.json").read_text() == text
    rows(world, "--remove")
    assert (home / ".claude.json").read_text() == text


def test_a_server_goes_from_settings_that_the_agent_changed_since(world, home):
    (home / ".codex").mkdir()
    (home / ".codex/config.toml").write_text('model = "x"\n')
    rows(world, "--agents", "codex,claude")
    for name in (".codex/config.toml", ".claude.json"):
        path = home / name
        path.write_text(path.read_text().replace("\n", "\n\n", 1))
    rows(world, "--remove")
    assert (home / ".codex/config.toml").read_text() == 'model = "x"\n\n'
    assert not (home / ".claude.json").exists()


class TestWhatWasThereBefore:
    def test_older_hooks_of_toolmem_do_not_come_back(self, world):
        world.write(
            ".claude/settings.json",
            '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": '
            '"toolmem hook claude"}]}, {"hooks": [{"type": "command", "command": '
            '"./theirs.sh"}]}]}}\n',
        )
        assert world.call("agent", "install", "claude").code == 0
        assert world.call("agent", "uninstall", "claude").code == 0
        theirs = {"hooks": [{"type": "command", "command": "./theirs.sh"}]}
        left = json.loads(world.read(".claude/settings.json"))
        assert left == {"hooks": {"Stop": [theirs]}}

    def test_an_older_plugin_of_toolmem_does_not_come_back(self, world):
        first = "// Written by `toolmem agent install opencode`. It hands\n"
        world.write(".opencode/plugins/toolmem.js", f"{first}// old\n")
        assert world.call("agent", "install", "opencode").code == 0
        assert world.call("agent", "uninstall", "opencode").code == 0
        assert not (world.root / ".opencode/plugins/toolmem.js").exists()

    def test_a_link_to_a_file_that_is_not_there_stays(self, world):
        (world.root / ".claude").mkdir()
        link = world.root / ".claude/settings.json"
        link.symlink_to(world.root / "dotfiles.json")
        assert world.call("agent", "install", "claude").code == 0
        assert "toolmem" in world.read("dotfiles.json")
        assert world.call("agent", "uninstall", "claude").code == 0
        assert link.is_symlink()
        assert not (world.root / "dotfiles.json").exists()

    def test_a_hook_of_the_user_in_our_file_stays(self, world):
        mine = {"type": "command", "bash": "./mine.sh"}
        text = json.dumps({"version": 1, "hooks": {"sessionStart": [mine]}})
        world.write(".github/hooks/toolmem.json", text)
        assert world.call("agent", "install", "copilot").code == 0
        installed = json.loads(world.read(".github/hooks/toolmem.json"))
        assert installed["hooks"]["sessionStart"][0] == mine
        world.write(".github/hooks/toolmem.json", json.dumps(installed, indent=1))
        assert world.call("agent", "uninstall", "copilot").code == 0
        left = json.loads(world.read(".github/hooks/toolmem.json"))
        assert left == {"version": 1, "hooks": {"sessionStart": [mine]}}


def test_a_folder_that_agents_share_is_no_sign_of_one(tmp_path):
    places = InstallPlaces(tmp_path, tmp_path, {"PATH": ""})
    (tmp_path / ".agents/plugins/other").mkdir(parents=True)
    assert list(installed_agents(places)) == []
    (tmp_path / ".config/goose").mkdir(parents=True)
    assert list(installed_agents(places)) == ["goose"]
