"""Rule files that cannot be read, or not all of, while an agent works."""

import json

import pytest

from tests.hooks.players import Claude
from tests.world import World

PATH = "system/rules/git/one.toml"
REPAIR = f"`toolmem rule edit {PATH}` shows why and corrects it"
BROKEN = {
    "a misspelt key": (
        'id = "one"\ntool = "git"\nruel = "never force-push"\n',
        f"{PATH}:3",
        "no key 'ruel'; did you mean 'rule'?",
    ),
    "a misspelt table": (
        'id = "one"\ntool = "git"\nrule = "x"\n[[gaurd]]\ncommand = ["git"]\n',
        f"{PATH}:4",
        "no key 'gaurd'; did you mean 'guard'?",
    ),
    "an override of no rule": (
        'id = "one"\nenabled = false\n',
        PATH,
        "overrides one, which no rule has as its id: correct or delete it",
    ),
    "no TOML": ('id = "\n', f"{PATH}:1", "Illegal character '\\n'"),
}


@pytest.fixture
def vault(world: World) -> World:
    return world.vault("empty")


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_asks_and_is_named(vault, name):
    text, place, reason = BROKEN[name]
    vault.write(PATH, text)
    claude = Claude(vault.root)
    heard = claude.before("git", x="y")
    assert heard.verdict == "ask"
    assert heard.reason == f"a rule of this tool cannot be read ({place}): {REPAIR}"
    assert claude.before("Bash", command="git status").verdict == "ask"
    assert claude.before("Read", file_path="x").verdict == ""
    line = (
        f"toolmem: {place} cannot be read: {reason}; calls of git ask until it is "
        f"corrected: `toolmem rule edit {PATH}`"
    )
    assert line in Claude(vault.root).start().message.split("\n")
    report = json.loads(vault.call("check", "--json").stdout)
    assert (report["ok"], {one["path"] for one in report["problems"]}) == (
        False,
        {PATH},
    )
    assert f"cannot be read ({place})" in vault.call("prompt").stdout


def test_many_broken_files_are_counted(vault):
    for number in range(5):
        vault.write(f"system/rules/git/{number}.toml", "x")
    lines = Claude(vault.root).start().message.split("\n")
    assert sum("cannot be read" in line for line in lines) == 3
    assert lines[-1] == "toolmem: 2 more rule files: `toolmem check` names them"


@pytest.mark.parametrize(
    "place",
    [
        "projects/other/rules/git/a.toml",
        "agent-types/coding/rules/npm/b.toml",
        "archive/system/rules/git/a.toml",
    ],
)
def test_an_override_of_a_rule_elsewhere_asks_nothing(vault, place):
    vault.write(PATH, 'id = "one"\nenabled = false\n')
    vault.write(place, 'id = "one"\ntool = "git"\nrule = "never stash"\n')
    claude = Claude(vault.root)
    assert claude.before("git", x="y").verdict == ""
    assert "cannot be read" not in claude.start().message


def test_a_file_of_a_newer_format_keeps_the_guards_that_are_understood(vault):
    vault.write(
        PATH,
        'id = "one"\ntool = "git"\nformat = 9\nrule = "be careful"\nmoon = "full"\n'
        '[[guard]]\ncommand = ["git", "stash"]\n'
        '[[guard]]\ncommand = ["git", "gc"]\nmoon = "new"\n',
    )
    claude = Claude(vault.root)
    calls = ("git stash", "git gc", "git status")
    verdicts = [claude.before("Bash", command=one).verdict for one in calls]
    assert verdicts == ["deny", "", ""]
    needed = (
        "has format 9 of rule files, this toolmem reads up to 3: it applies as far as "
        "it is understood; upgrade toolmem"
    )
    assert f"toolmem: {PATH} {needed}" in claude.start().message.split("\n")
    checked = vault.call("check")
    line = f"{PATH}:3: warning: newer-format {needed}\n"
    assert (checked.code, checked.stdout) == (0, line)


def test_editing_a_broken_file_shows_why_and_opens_it(vault, monkeypatch):
    vault.write(PATH, BROKEN["a misspelt key"][0])
    monkeypatch.setenv("EDITOR", "sed -i s/ruel/rule/")
    done = vault.call("rule", "edit", PATH)
    assert done.code == 0
    assert done.stderr.split("\n")[0] == (
        f"toolmem: {PATH}:3: no key 'ruel'; did you mean 'rule'?"
    )
    push = {"command": "git push --force"}
    assert Claude(vault.root).before("Bash", **push).verdict == "deny"


def test_a_corrected_override_may_name_another_rule(vault, monkeypatch):
    vault.write("system/rules/git/two.toml", 'id = "two"\ntool = "git"\nrule = "x"\n')
    path = "projects/p/rules/git/one.toml"
    vault.write(path, 'id = "one"\npriority = "high"\n')
    monkeypatch.setenv("EDITOR", "sed -i s/one/two/")
    assert vault.call("rule", "edit", path).code == 0
    assert vault.call("check").stdout == ""
