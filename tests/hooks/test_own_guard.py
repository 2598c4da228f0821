"""Calls of an agent that would weaken its own guard: the user is asked."""

import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.hooks.players import PLAYERS, Claude, Codex
from tests.hooks.test_strangers import FORCED, clone, own, rule, verdict
from tests.ops.setup.test_activation import OFF
from tests.world import World
from toolmem.core.access.weakening import COMMANDS
from toolmem.core.agents.registry import wirings
from toolmem.ops.setup.trust import trust

pytestmark = pytest.mark.one_of(4)

__all__ = ["clone", "own"]

RULE = "own/system/rules/git/git-push---force.toml"


@pytest.fixture
def team(own: World, tmp_path: Path) -> Path:
    """The folder of the vault; an agent works in it."""
    (tmp_path / "src").mkdir()
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude/settings.json").write_text("{}")
    (tmp_path / "link").symlink_to("own/system")
    (tmp_path / "undo.sh").write_text("toolmem rule delete x\n")
    (tmp_path / "wipe.sh").write_text(f"rm {RULE}\n")
    return tmp_path


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_command_that_weakens_asks(team, words):
    assert verdict(Claude(team), " ".join(words)) == "ask"


@pytest.mark.parametrize(
    "written",
    [
        "python3 -m toolmem {}",
        "python -I -m toolmem {}",
        "/usr/local/bin/toolmem {}",
        "./.venv/bin/toolmem {}",
        "env -u TOOLMEM_AGENT toolmem {}",
        "TOOLMEM_VAULT=/tmp/v TOOLMEM_AGENT= toolmem {}",
        "toolmem --vault own {}",
        "toolmem --vault=own {}",
        "cd src && toolmem {}",
        "true; sudo -u root toolmem {}",
        "sh -c 'toolmem {}'",
        "bash -lc \"cd own; toolmem {}\"",
        "uvx toolmem {}",
        "uv run toolmem {}",
        "pipx run toolmem {}",
        "tool''mem {}",
        "t=toolmem; $t {}",
        "echo {} | xargs toolmem",
        "echo 'toolmem {}' | sh",
        "nohup toolmem {} &",
        "timeout 5 toolmem {}",
        "toolmem check || toolmem {}",
        "python3 -c \"import os; os.system('toolmem {}')\"",
    ],
)  # fmt: skip
def test_a_wrapper_hides_no_command_that_weakens(team, written):
    for command in ("rule delete abc", "trust add ."):
        assert verdict(Claude(team), written.format(command)) == "ask"


@pytest.mark.parametrize(
    "command",
    [
        "toolmem rule edit abc -p normal",
        "toolmem rule edit abc --expires 1d",
        "toolmem rule override abc --disable --reason x",
        "toolmem review --accept 683f83b0",
        "toolmem review --text x --accept=683f83b0",
        "toolmem rule add git 'x' --id abc -p normal",
        "toolmem resolve --take theirs",
        "sh undo.sh",
        "./undo.sh",
        "git config merge.toolmem.driver true",
        "git config --unset merge.toolmem-rule.driver",
        "echo 'toolmem rule delete x' | at now",
        'printf \'{"method": "rule.delete"}\' | toolmem rpc',
        "python3 -c \"import toolmem; toolmem.Vault('own').rule.delete('x')\"",
        "python3 - <<'X'\nfrom toolmem.ops.rules.change import delete_rule\nX",
    ],
)
def test_a_form_of_a_command_that_weakens_asks(team, command):
    (team / "undo.sh").chmod(0o755)
    assert verdict(Claude(team), command) == "ask"


@pytest.mark.parametrize(
    "command",
    [
        f"rm {RULE}",
        "rm -rf own",
        "rm -r own/system",
        "rm -f own/system/rules/git/*",
        "rm -rf link/rules",
        "cd own && rm -r system/rules",
        "cd own/system/rules/git; rm *.toml",
        f"mv {RULE} /tmp/x",
        "mv own gone",
        "mv /tmp/x.toml own/system/rules/git/",
        f"cp /dev/null {RULE}",
        f"cp /tmp/x.toml {RULE}",
        f"ln -sf /dev/null {RULE}",
        f"echo '' > {RULE}",
        f": > {RULE}",
        f"> {RULE}",
        f"cat x >> {RULE}",
        f"sed -i s/deny/warn/ {RULE}",
        f"perl -pi -e s/deny/warn/ {RULE}",
        f"tee {RULE} < x",
        f"truncate -s 0 {RULE}",
        f"dd if=/dev/null of={RULE}",
        f"chmod 000 {RULE}",
        "chmod -R a-r own",
        f"git -C own rm {RULE.removeprefix('own/')}",
        "git -C own clean -fdx",
        "cp -r evil/. own/",
        "rsync -a evil/ own/",
        f"exec 3>{RULE}",
        f"cat <<X > {RULE}\nX",
        f"ed {RULE}",
        "F=own; rm -rf $F/system",
        "rm -rf \"$PWD/own/system\"",
        "pushd own; rm -rf system; popd",
        "git -C own rm -r --cached system && git -C own clean -fd",
        "mv ~/.claude ~/.claude.bak",
        "rm -rf ${HOME}/.claude",
        f"ls {RULE} | xargs rm",
        f"python3 -c \"open('{RULE}','w').write('')\"",
        f"node -e \"require('fs').unlinkSync('{RULE}')\"",
        "sh wipe.sh",
        "bash -c 'cd own/system && rm -rf rules'",
        "rsync -a --delete /tmp/empty/ own/",
        "printf 'guard.mode = \"off\"' >> own/toolmem.toml",
        "echo 'guard.mode = \"off\"' > .toolmem.toml",
        "echo > src/toolmem.toml",
        "rm -rf own/.toolmem",
        "rm own/.toolmem/state.db",
        "sqlite3 own/.toolmem/state.db 'delete from trace'",
        "rm own/.gitattributes",
        "echo x > own/tools/git.toml",
        "echo {} > .claude/settings.json",
        "echo '{\"disableAllHooks\": true}' > .claude/settings.local.json",
        "rm -rf .claude",
        "rm -rf ~/.claude/settings.json",
        "jq 'del(.hooks)' x > src/.claude/settings.json",
        "rm ~/.config/toolmem/config.toml",
        "rm -r ~/.local/state/toolmem",
        "rm .venv/lib/python3.12/site-packages/toolmem/__main__.py",
    ],
)  # fmt: skip
def test_a_command_that_changes_what_guards_asks(team, command):
    assert verdict(Claude(team), command) == "ask"


def test_the_program_on_the_path_is_not_replaced(team, monkeypatch, tmp_path):
    folder = tmp_path / "bin"
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    for command in (
        f"chmod -x {folder}/toolmem",
        f"rm {folder}/toolmem",
        f"ln -s /bin/true {folder}/toolmem",
    ):
        assert verdict(Claude(team), command) == "ask"


_RULE_FILES = (RULE, "link/rules/git/new.toml", "own/toolmem.toml", ".toolmem.toml")


@pytest.mark.parametrize("path", [*_RULE_FILES, ".claude/settings.json"])
@pytest.mark.parametrize(
    ("tool", "key", "more"),
    [
        ("Edit", "file_path", {"old_string": "deny", "new_string": "warn"}),
        ("MultiEdit", "file_path", {"edits": []}),
        ("Write", "file_path", {"content": ""}),
        ("write_file", "path", {"content": ""}),
        ("replace", "file_path", {"old_string": "a", "new_string": "b"}),
        ("str_replace_editor", "path", {"command": "create", "file_text": ""}),
        ("edit", "filePath", {"oldString": "a", "newString": "b"}),
        ("create", "path", {"file_text": ""}),
        ("Delete", "path", {}),
        ("mcp__filesystem__write_file", "path", {"content": ""}),
        ("mcp__filesystem__move_file", "source", {"destination": "/tmp/x"}),
    ],
)
def test_an_editing_tool_that_changes_what_guards_asks(team, tool, key, more, path):
    arguments: dict[str, Any] = {key: str(team / path), **more}
    assert Claude(team).before(tool, **arguments).verdict == "ask"


@pytest.mark.parametrize("key", ["input", "command"])
def test_a_patch_that_changes_what_guards_is_denied_where_no_one_is_asked(team, key):
    for action in ("Update", "Delete", "Add"):
        patch = f"*** Begin Patch\n*** {action} File: {RULE}\n*** End Patch\n"
        assert Codex(team).before("apply_patch", **{key: patch}).verdict == "deny"


@pytest.mark.parametrize("key", ["workdir", "dir_path", "directory"])
def test_a_command_is_read_in_the_folder_that_its_call_names(team, key):
    for folder in ("own/system", str(team / "own/system")):
        call = {"command": "rm -rf rules", key: folder}
        assert Claude(team).before("Bash", **call).verdict == "ask"
    elsewhere = {"command": "rm -rf rules", key: "src"}
    assert Claude(team).before("Bash", **elsewhere).verdict == ""


@pytest.mark.parametrize("agent", PLAYERS)
def test_an_agent_that_cannot_ask_is_denied(team, agent):
    player = agent(team)
    for command in ("toolmem rule delete abc", f"rm {team / RULE}"):
        assert verdict(player, command) in ("ask", "deny")


@pytest.mark.parametrize(
    "command",
    [
        "toolmem rule list",
        "toolmem rule add git 'never force-push' -p critical",
        "toolmem rule show abc",
        "toolmem review",
        "toolmem commit -m x",
        "toolmem sync",
        "toolmem check",
        "toolmem agent status",
        "toolmem trust list",
        "toolmem memory save 'the build takes 3 minutes'",
        "toolmem memory delete abc",
        "toolmem fact set a b",
        "toolmem trace",
        "toolmem settings",
        "git -C own pull",
        "git -C own checkout main",
        "git -C own checkout HEAD~1 -- system/rules",
        "git -C own restore system",
        "git -C own stash",
        "git -C own merge other",
        "git -C own status",
        "git -C own add -A && git -C own commit -m rules",
        f"cat {RULE}",
        "grep -r deny own/system/rules > /tmp/found",
        "ls -la own > /dev/null 2>&1",
        "cp -r own /tmp/copy",
        "rm -rf src",
        "cp -r src/. build/",
        "cp -r src .",
        "chmod +x src/run.sh",
        "sqlite3 src/x.db 'select 1'",
        "pip install -r requirements.txt",
        "uv run pytest",
        "grep -rn 'import toolmem' src",
        "rm -rf build && make",
        "echo hi > src/x.py",
        "sed -i s/a/b/ src/rules.py",
        "echo x >> own/system/memory/a.md",
        "echo 'toolmem rule delete x'",
        "git commit -m 'toolmem: rule delete asks'",
        "git config user.name x",
        "cat .claude/settings.json",
        "python3 -m pytest -q",
    ],
)
def test_other_calls_pass(team, command):
    assert verdict(Claude(team), command) == ""


def test_reading_and_memories_pass(team):
    player = Claude(team)
    for tool, path in (
        ("Read", RULE),
        ("Write", "own/system/memory/a.md"),
        ("Edit", "src/x.py"),
    ):
        arguments = {"file_path": str(team / path), "content": "x"}
        assert player.before(tool, **arguments).verdict == ""


def test_a_rule_that_denies_is_stricter(team):
    rule(World(team / "own"), "system", "toolmem rule delete")
    assert verdict(Claude(team), f"{FORCED}; toolmem trust add") == "deny"


@pytest.mark.parametrize("mode", ["off", "observe"])
def test_a_guard_that_is_off_here_keeps_what_is_in_force_elsewhere(own, clone, mode):
    (clone / ".toolmem.toml").write_text(f'guard.mode = "{mode}"\n')
    trust(clone)
    player = Claude(clone)
    assert verdict(player, FORCED) == ""
    assert verdict(player, f"rm {own.root}/system/rules/git/x.toml") == "ask"
    assert verdict(player, "toolmem trust add ..") == "ask"


def test_every_settings_file_with_hooks_is_guarded(team):
    player = Claude(team)
    for wiring in wirings().values():
        if wiring.shape != "section":
            assert verdict(player, f"echo > {wiring.project}") == "ask"
            assert verdict(player, f"echo > ~/{wiring.user}") == "ask"


def test_every_settings_file_with_a_switch_of_hooks_is_guarded(team):
    player = Claude(team)
    for _agent, path, _value in OFF.values():
        assert verdict(player, f"echo > {path}") == "ask"
    assert verdict(player, "echo > ~/.copilot/settings.json") == "ask"


def test_settings_that_were_moved_are_guarded(team, monkeypatch):
    monkeypatch.setenv("CODEX_HOME", str(team / "elsewhere"))
    monkeypatch.setenv("COPILOT_HOME", str(team / "copilot"))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(team / "settings"))
    player = Claude(team)
    for name in ("elsewhere/hooks.json", "settings/settings.json", "copilot/hooks"):
        assert verdict(player, f"rm -r {name}") == "ask"


def test_the_trace_has_what_was_asked(team):
    player = Claude(team)
    player.start()
    verdict(player, "toolmem rule delete abc")
    player.end()
    traced = World(team / "own").call("trace").stdout
    assert "only the user may weaken rules, hooks or trust" in traced


@pytest.fixture
def repository(team: Path) -> World:
    """The vault with a branch ``weak`` that lacks a rule and has other ones."""
    world = World(team / "own")
    world.git("init", "--quiet", "-b", "main")
    rule(world, "system", "git stash drop", "ask")
    world.commit("rules")
    world.git("checkout", "--quiet", "-b", "weak")
    world.git("rm", "--quiet", RULE.removeprefix("own/"))
    rule(world, "system", "git stash drop", "warn")
    rule(world, "system", "git gc")
    path = world.root / "system/rules/git/git-stash-drop.toml"
    path.write_text(path.read_text().replace("critical", "high"))
    world.commit("weaker")
    world.git("checkout", "--quiet", "main")
    return world


def test_the_next_message_lists_the_rules_that_git_changed(repository):
    player = Claude(repository.root)
    player.start()
    command = "git checkout weak"
    assert player.before("Bash", command=command).verdict == ""
    repository.git("checkout", "--quiet", "weak")
    player.after("Bash", command=command)
    listed = [
        "Rules changed since your last message:",
        "- now in force: [critical] git: never run git gc (toolmem rule git-gc)",
        "- no longer in force: [critical] git: never run git push --force "
        "(toolmem rule git-push)",
        "- was [critical] git: never run git stash drop, is now [high] git: never "
        "run git stash drop (toolmem rule git-stas)",
    ]
    heard = player.prompt("go on with the work")
    assert heard.message.splitlines() == listed
    assert "\n".join(listed) in heard.context
    assert player.prompt("go on with the work").message == ""


@pytest.mark.parametrize("command", ["git checkout main", "git pull", "ls"])
def test_a_message_is_silent_where_git_changed_no_rule(repository, command):
    player = Claude(repository.root)
    player.start()
    player.before("Bash", command=command)
    player.after("Bash", command=command)
    assert player.prompt("go on with the work").message == ""


@pytest.mark.parametrize(
    "words",
    [
        ("agent", "install", "claude"),
        ("agent", "uninstall", "claude"),
        ("conversation", "clear"),
        ("init", "new"),
        ("init", "--user", "new"),
        ("resolve", "--take", "theirs"),
        ("review", "--accept", "x"),
        ("review", "--reject", "x"),
        ("rule", "add", "git", "x", "--id", "git-push---force", "-p", "normal"),
        ("rule", "archive", "git-push---force", "--reason", "x"),
        ("rule", "delete", "git-push---force"),
        ("rule", "edit", "git-push---force", "-p", "normal", "--reason", "x"),
        ("rule", "edit", "git-push---force", "--expires", "1d"),
        ("rule", "edit", "git-push---force", "--text", "x", "--reason", "x"),
        ("rule", "move", "git-push---force", "--scope", "project:x"),
        ("rule", "override", "git-push---force", "--disable", "--reason", "x",
         "--scope", "project:x"),
        ("tool", "add", "x", "--alias", "git"),
        ("trust", "add", "."),
        ("trust", "remove", "."),
    ],
    ids=" ".join,
)  # fmt: skip
@pytest.mark.parametrize("priority", ["critical", "normal"])
def test_where_an_agent_is_named_it_is_refused(own, monkeypatch, words, priority):
    path = own.root.parent / RULE
    path.write_text(path.read_text().replace("critical", priority))
    own.git("init", "--quiet")
    own.commit("rules")
    before = _content(own.root.parent)
    monkeypatch.setenv("TOOLMEM_AGENT", "helper")
    answered = own.call(*words)
    assert answered.code != 0
    assert re.search(r"person|people|agent \(helper\) cannot", answered.stderr)
    assert _content(own.root.parent) == before


def _content(folder: Path) -> dict[Path, bytes]:
    files = (p for p in folder.rglob("*") if ".toolmem" not in p.parts and p.is_file())
    return {p: p.read_bytes() for p in files if ".git" not in p.parts}


def test_an_agent_s_own_rule_is_its_own_to_change(own, monkeypatch):
    monkeypatch.setenv("TOOLMEM_AGENT", "helper")
    assert own.call("rule", "add", "git", "use worktrees", "--id", "mine").code == 0
    assert own.call("rule", "edit", "mine", "--text", "use no worktrees").code == 0
    assert own.call("rule", "delete", "mine").code == 0
