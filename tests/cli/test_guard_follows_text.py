"""A guard follows the text of its rule, whatever changes the text."""

import json
import shutil
from subprocess import CalledProcessError

import pytest

from tests.world import World

RULE = "system/rules/shell/one.toml"
TEXT = 'id = "one-rule"\ntool = "{}"\nrule = "{}"\npriority = "critical"\n'
STORED = """
[[guard]]
action = "deny"
command = ["sudo"]
derived = true
match = ["sudo", "cd app && sudo"]
not_match = ["echo 'sudo'", "ls -l"]
"""


@pytest.fixture
def vault(world: World) -> World:
    return world.vault("empty")


def verdict(world: World, command: str, tool: str = "Bash") -> str:
    key = "command" if tool == "Bash" else "to"
    call = ("guard", tool, "--input", json.dumps({key: command}))
    return world.call(*call).stdout.split()[0]


def edited_by_hand(world: World, old: str, new: str) -> None:
    [path] = (world.root / "system/rules").rglob("*.toml")
    path.write_text(path.read_text().replace(old, new))


def test_after_an_edit_by_hand(vault):
    vault.call("rule", "add", "shell", "never use sudo")
    edited_by_hand(vault, "use sudo", "use sudo or doas")
    assert [verdict(vault, one) for one in ("sudo ls", "doas ls")] == ["deny", "deny"]
    edited_by_hand(vault, "use sudo or doas", "use doas")
    assert [verdict(vault, one) for one in ("sudo ls", "doas ls")] == ["allow", "deny"]


def test_after_an_address_was_changed_by_hand(vault):
    vault.call("rule", "add", "send_email", "never email sarah@example.com")
    edited_by_hand(vault, "sarah@", "tom@")
    people = ("sarah@example.com", "tom@example.com")
    assert [verdict(vault, one, "send_email") for one in people] == ["allow", "deny"]
    assert vault.call("check").stdout == ""


@pytest.mark.parametrize(
    ("side", "verdicts"), [("theirs", ["ask", "allow"]), ("ours", ["allow", "deny"])]
)
def test_after_a_merge_that_is_resolved(vault, side, verdicts):
    vault.write(RULE, TEXT.format("shell", "never run terraform apply"))
    vault.commit("base")
    vault.git("checkout", "-q", "-b", "theirs")
    vault.call(
        "rule", "edit", "one", "--text", "never run terraform apply in production"
    )
    vault.commit("theirs")
    vault.git("checkout", "-q", "-")
    vault.call("rule", "edit", "one", "--text", "never run terraform destroy")
    vault.commit("ours")
    with pytest.raises(CalledProcessError):
        vault.git("merge", "-q", "theirs")
    vault.call("resolve")
    vault.call("resolve", "--take", side, RULE)
    calls = ("terraform apply", "terraform destroy")
    assert [verdict(vault, one) for one in calls] == verdicts


def test_an_override_with_another_text_is_guarded_by_it(vault):
    vault.write(RULE, TEXT.format("shell", "never use sudo") + STORED)
    scope = ("--scope", "project:p", "--reason", "they use it")
    vault.call("rule", "override", "one", *scope, "--text", "never use doas")
    vault.write(".toolmem.toml", 'project = "p"\n')
    assert [verdict(vault, one) for one in ("sudo ls", "doas ls")] == ["allow", "deny"]


@pytest.mark.parametrize("words", [("-p", "high"), ("--text", "never use doas")])
def test_a_stored_guard_is_removed_when_its_file_is_written(vault, words):
    vault.write(RULE, TEXT.format("shell", "never use sudo") + STORED)
    vault.call("rule", "edit", "one", *words)
    assert "guard" not in vault.read(RULE)
    told = "sudo" if "high" in words else "doas"
    assert verdict(vault, f"{told} ls") == "deny"


@pytest.mark.parametrize(
    ("own", "kept"),
    [
        (STORED.replace('"deny"', '"warn"'), 'action = "warn"'),
        ('\n[[guard]]\ncommand = ["su"]\nderived = true\n', 'command = ["su"]'),
    ],
)
def test_check_fix_removes_stored_guards_and_keeps_edited_ones(vault, own, kept):
    plain = TEXT.format("shell", "never use sudo")
    vault.write(RULE, plain + STORED)
    other = RULE.replace("one", "two")
    vault.write(other, plain.replace("one-rule", "two-rule") + own)
    warned = vault.call("check")
    assert [line.split(": ")[:2] for line in warned.stdout.splitlines()] == [
        [f"{RULE}:6", "note"],
        [f"{other}:6", "warning"],
    ]
    fixed = vault.call("check", "--fix")
    assert (fixed.code, fixed.stdout) == (0, "")
    assert fixed.stderr == f"toolmem: fixed {RULE}\ntoolmem: fixed {other}\n"
    assert vault.read(RULE).rstrip() == plain.rstrip()
    assert "derived" not in vault.read(other)
    assert kept in vault.read(other)
    again = vault.call("check", "--fix", "--json")
    assert json.loads(again.stdout) == {"problems": [], "ok": True}


def test_an_agent_fixes_no_files(vault, monkeypatch):
    vault.write(RULE, TEXT.format("shell", "never use sudo") + STORED)
    monkeypatch.setenv("TOOLMEM_AGENT", "a")
    assert vault.call("check", "--fix").code == 2
    assert "derived" in vault.read(RULE)


def test_what_is_derived_is_shown(vault):
    vault.write(RULE, TEXT.format("shell", "never use sudo"))
    line = "guard: denies `sudo`"
    assert f"checks: {line}\n" in vault.call("rule", "show", "one").stdout
    assert f"\n{line}\n" in vault.call("rule", "why", "one").stdout
    vault.commit("one")
    edited_by_hand(vault, "use sudo", "use sudo or doas")
    line = "denies `sudo`, `doas`"
    assert f"denies `sudo` → {line}" in vault.call("diff").stdout
    assert line in vault.call("diff", "--format", "markdown").stdout
    vault.write(RULE, TEXT.format("shell", "be careful"))
    assert "guard lost: denies `sudo` → advice only" in vault.call("diff").stdout


def test_a_copied_vault_needs_no_stored_guards(vault, tmp_path):
    vault.call("rule", "add", "shell", "never use sudo")
    [path] = (vault.root / "system/rules").rglob("*.toml")
    assert "guard" not in path.read_text()
    shutil.copytree(vault.root, tmp_path / "copy")
    call = ("guard", "Bash", "--input", '{"command": "sudo ls"}')
    done = vault.call("--vault", str(tmp_path / "copy"), *call)
    assert done.stdout.split()[0] == "deny"


def test_refused_guards_stay_refused(vault):
    vault.call("rule", "add", "shell", "never use sudo", "--no-guard")
    [path] = (vault.root / "system/rules").rglob("*.toml")
    assert "\nformat = 2\nguards = false\n" in path.read_text()
    assert verdict(vault, "sudo ls") == "allow"
    edited_by_hand(vault, "use sudo", "use sudo or doas")
    assert verdict(vault, "doas ls") == "allow"
