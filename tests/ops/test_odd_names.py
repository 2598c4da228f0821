"""Names that file systems, shells and git stumble over, through every command."""

import json
import os
import sys

import pytest

ODD = [
    *("..", ".", "...", ".git", ".toolmem", "git~1", "~", "-rf", "--help", "- x"),
    *("a/b", "a\\b", "/etc/passwd", "../../x", "C:", "C:\\x", "a:b", "x|y", "<x>"),
    *("CON", "nul", "com1.txt", "aux.toml", "lpt9", "end.", "a?b", "*x*", "**", '"q"'),
    *(
        "100%",
        "%2e%2e",
        "%00",
        "a b",
        "$HOME",
        "`id`",
        "$(id)",
        "x;y",
        "a'b",
        "{}",
        "[x]",
    ),
    *("größe", "Straße", "e\u0301t\u00e9", "工具", "🚀", "İstanbul", "ﬁle", "ſ", "Σς"),
    *("mcp__github__create_issue", "x" * 200, "ж" * 100, "#1", "!x", "@x", "=x", "_"),
]


def ids(name: str) -> str:
    return ascii(name[:20])


@pytest.mark.one_of(4)
@pytest.mark.parametrize("name", ODD, ids=ids)
def test_an_odd_tool_is_written_listed_shown_and_found_sound(world, name):
    world.vault("empty")
    done = world.call("rule", "add", "-p", "critical", "--", name, "never push")
    assert done.code == 0, done.stderr
    [path] = [path for path in world.files() if path != "toolmem.toml"]
    assert path.startswith("system/rules/")
    assert path.count("/") == 3
    [listed] = json.loads(world.call("rule", "list", "--json").stdout)
    assert (listed["rule"], listed["path"]) == ("never push", path)
    [found] = json.loads(world.call("rule", "list", "--json", "--", name).stdout)
    assert found["id"] == listed["id"]
    block = world.call("prompt", "--only", "rules").stdout
    assert block.count("- **[critical]** never push\n") == 1
    only = world.call("prompt", "--only", "rules", f"--tool={name}").stdout
    assert only == block
    again = world.call("rule", "add", "--json", "--", name.upper(), "Never push.")
    assert json.loads(again.stdout)["action"] == "exists"
    assert world.call("check").code == 0


@pytest.mark.one_of(4)
@pytest.mark.parametrize("name", ODD, ids=ids)
def test_an_odd_project_type_and_agent_keep_what_they_are_told(world, name):
    world.vault("empty")
    for option in ("--project", "--agent-type"):
        done = world.call("fact", "set", "key", "value", f"{option}={name}")
        assert done.code == 0, done.stderr
        got = world.call("fact", "get", "key", f"{option}={name}")
        assert (got.code, got.stdout) == (0, "value\n")
    world.call("fact", "set", "key", "value", f"--scope=agent:{name}")
    got = world.call("fact", "get", "key", f"--agent={name}")
    assert (got.code, got.stdout) == (0, "value\n")
    facts = [path for path in world.files() if path.endswith("/facts.md")]
    assert [path.split("/")[0] for path in facts] == [
        "agent-types",
        "agents",
        "projects",
    ]
    assert {path.count("/") for path in facts} == {2}
    assert len(json.loads(world.call("fact", "list", "--json").stdout)) == 3
    world.run("check")


ON_DISK = [
    *(
        b"new\nline",
        b"tab\there",
        b"\xff\xfe",
        b"caf\xe9",
        "a\u202eb".encode(),
        b"\x1b[2J",
    ),
    *(b"-rf", b" lead", b"trail ", b"a%", b"%zz", b"%2F", "e\u0301".encode(), b"\x7f"),
    *("\u200b".encode(), b"'", b'"', b"\\", b"a;b", b"$x", b"x" * 240, b"*", b"~"),
]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_whatever_a_disk_holds_every_command_lists_it_once(world):
    world.vault("empty")
    for number, name in enumerate(map(os.fsdecode, ON_DISK)):
        folder = world.root / "system/rules" / name
        folder.mkdir(parents=True)
        folder.joinpath(f"{number}{name[:200]}.toml").write_text(
            f'id = "r{number}"\nrule = "rule {number}"\npriority = "high"\n'
        )
        folder = world.root / "projects" / name
        folder.mkdir(parents=True)
        folder.joinpath("facts.md").write_text(f"key{number}: value\n")
    listed = json.loads(world.call("rule", "list", "--json").stdout)
    assert sorted(rule["rule"] for rule in listed) == sorted(
        f"rule {number}" for number in range(len(ON_DISK))
    )
    block = world.call("prompt", "--only", "rules")
    assert (block.code, block.stderr) == (0, "")
    for number in range(len(ON_DISK)):
        assert block.stdout.count(f"- **[high]** rule {number}\n") == 1
        assert world.call("rule", "show", f"r{number}").code == 0
        assert world.call("rule", "why", f"r{number}").code == 0
    for words in (
        ("fact", "list"),
        ("prompt", "--format", "xml"),
        ("prompt", "--format", "json"),
        ("prompt", "--session", "s"),
        ("settings",),
        ("memory", "list"),
    ):
        done = world.call(*words)
        assert (done.code, "bug" in done.stderr) == (0, False), (words, done.stderr)
    report = json.loads(world.call("check", "--json").stdout)
    told = {problem["path"] for problem in report["problems"]}
    assert {"system/rules/new\nline", "system/rules/\udcff\udcfe"} <= told
    assert world.call("rule", "edit", "r0", "-p", "critical").code == 0
    assert world.call("rule", "archive", "r1", "--reason", "odd").code == 0
    assert world.call("rule", "delete", "r2").code == 0
