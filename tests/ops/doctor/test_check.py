"""``check`` on what a disk can hold: links, twins, odd names, other kinds of files."""

import json
import os
import socket

import pytest

from tests.sync.checked import advice_lines

RULE = 'id = "x"\ntool = "shell"\nrule = "never push"\npriority = "critical"\n'


@pytest.fixture
def vault(world):
    return world.vault("empty").write("system/rules/shell/sound.toml", RULE)


def problems(world) -> list[tuple[str, int, str]]:
    done = world.call("check", "--json")
    assert done.stderr == ""
    report = json.loads(done.stdout)
    assert done.code == (0 if report["ok"] else 1)
    return [(p["path"], p["line"], p["code"]) for p in report["problems"]]


def test_links_are_reported_and_not_followed(vault, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    outside.joinpath("secret.toml").write_text(RULE.replace("x", "y"))
    places = {
        "system/rules/shell/linked.toml": outside / "secret.toml",
        "system/rules/git": outside,
        "system/facts.md": "/etc/passwd",
        "system/guidance": outside,
        "projects": outside,
        "system/rules/shell/loop.toml": "loop.toml",
    }
    for place, target in places.items():
        vault.root.joinpath(place).symlink_to(target)
    assert problems(vault) == [(place, 0, "symlink") for place in sorted(places)]
    done = vault.call("prompt")
    assert "root:" not in done.stdout
    assert done.stdout.count("cannot be read") == 3
    assert (
        "### `git`\n- **[critical]** A rule of this tool cannot be read" in done.stdout
    )


def test_twins_in_case_or_unicode_form_are_reported(vault):
    vault.write("system/rules/Shell/other.toml", RULE.replace("x", "y"))
    vault.write("projects/caf\u00e9/facts.md", "a: 1\n")
    vault.write("projects/cafe\u0301/facts.md", "a: 2\n")
    assert problems(vault) == [
        ("projects/caf\u00e9", 0, "name-twins"),
        ("system/rules/shell", 0, "name-twins"),
    ]


def test_names_that_toolmem_would_not_give_are_reported(vault):
    vault.write("projects/a%2eb/facts.md", "a: 1\n")
    vault.write("projects/100%/facts.md", "a: 1\n")
    vault.write("projects/a%2Fb/facts.md", "a: 1\n")
    vault.write("agents/\u202eevil/facts.md", "a: 1\n")
    assert problems(vault) == [
        ("agents/\u202eevil", 0, "bad-name"),
        ("projects/100%", 0, "bad-name"),
        ("projects/a%2eb", 0, "bad-name"),
    ]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_pipes_and_sockets_are_reported_and_nobody_waits_for_them(vault, monkeypatch):
    os.mkfifo(vault.root / "system/rules/shell/pipe.toml")
    os.mkfifo(vault.root / "system/facts.md")
    monkeypatch.chdir(vault.root)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("system/rules/shell/socket.toml")
        assert problems(vault) == [
            ("system/facts.md", 0, "special-file"),
            ("system/rules/shell/pipe.toml", 0, "special-file"),
            ("system/rules/shell/socket.toml", 0, "special-file"),
        ]
        done = vault.call("prompt")
    assert done.stdout.count("cannot be read") == 2
    assert done.stderr == "toolmem: system/facts.md: is not a regular file\n"


def test_a_folder_in_the_place_of_a_file_is_no_crash(vault):
    vault.write("system/rules/shell/folder.toml/x", "")
    vault.write("system/facts.md/x", "")
    vault.write("system/profile.md/x", "")
    vault.write("tools/shell.toml/x", "")
    vault.write("system/guidance/asking.md/x", "")
    vault.write("projects/p/overrides/coding.md/x", "")
    vault.write("system/memory/notes.md/a-000001.md", "folders of memories are free")
    done = vault.call("prompt")
    assert (done.code, done.stdout.count("cannot be read")) == (0, 1)
    assert vault.call("rule", "list").code == 0
    assert problems(vault) == [
        ("projects/p/overrides/coding.md", 0, "unreadable"),
        ("system/facts.md", 0, "unreadable"),
        ("system/guidance/asking.md", 0, "unreadable"),
        ("system/profile.md", 0, "unreadable"),
        ("system/rules/shell/folder.toml", 0, "unreadable"),
        ("tools/shell.toml", 0, "unreadable"),
    ]


def test_a_file_in_the_place_of_a_folder_is_reported(vault):
    places = [
        "agents",
        "projects/p/guidance",
        "projects/p/memory",
        "projects/p/overrides",
        "projects/q/overrides/coding/rules",
        "tools",
    ]
    vault.write("system/overrides", "only a project has them")
    vault.write("projects/README", "what is what")
    for place in places:
        vault.write(place, "")
    assert problems(vault) == [(place, 0, "unreadable") for place in places]
    done = vault.call("prompt", "--project", "p", "--agent-type", "coding")
    assert (done.code, "never push" in done.stdout) == (0, True)


def test_a_rule_in_no_folder_of_a_tool_is_reported(vault):
    vault.write("system/rules/lost.toml", RULE)
    vault.write("projects/p/rules/shell/deep/er.toml", RULE)
    vault.write("system/rules/shell/SHOUTED.TOML", RULE)
    vault.write("system/rules/notes.txt", "not a rule")
    vault.write("system/rules/shell/notes.md", "not a rule")
    assert problems(vault) == [
        ("projects/p/rules/shell/deep/er.toml", 0, "misplaced-rule"),
        ("system/rules/lost.toml", 0, "misplaced-rule"),
        ("system/rules/shell/SHOUTED.TOML", 0, "misplaced-rule"),
    ]


def test_what_is_not_of_a_vault_is_left_alone(vault):
    vault.write("system/memory/picture.png", b"\x89PNG\xff\xfe")
    vault.write("system/memory/original.txt", "x" * (1 << 20) + "\n<<<<<<< HEAD\n")
    vault.write("system/rules/shell/.tmp-0123456789abcdef", "torn")
    vault.write("archive/system/rules/shell/old.toml", "torn")
    vault.write("src/main.py", b"\xff")
    assert problems(vault) == []


@pytest.mark.parametrize(
    ("path", "text", "line"),
    [
        ("system/rules/shell/big.toml", "#" * 65_537, 0),
        ("system/facts.md", "a: " + "x" * (1 << 20), 0),
        ("system/rules/shell/latin.toml", b'id = "y"\nrule = "caf\xe9"\n', 2),
        ("system/guidance/utf16.md", "text".encode("utf-16"), 1),
        ("tools/git.toml", "aliases = 7\n", 0),
        ("tools/git.toml", 'aliases = ["a\\u202eb"]\n', 0),
    ],
)
def test_what_cannot_be_read_is_reported(vault, path, text, line):
    vault.write(path, text)
    assert problems(vault) == [(path, line, "unreadable")]


@pytest.mark.parametrize(
    "path",
    [
        "system/rules/shell/torn.toml",
        "system/facts.md",
        "system/guidance/a.md",
        "system/profile.md",
        "projects/p/overrides/coding.md",
        "projects/p/memory/m-000001.md",
        "tools/shell.toml",
    ],
)
@pytest.mark.parametrize("before", ["", "a line\n"])
def test_a_conflict_is_reported_with_its_line_in_every_kind_of_file(
    vault, path, before
):
    vault.write(path, before + "<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> other\n")
    assert problems(vault) == [(path, 1 + bool(before), "conflict-marker")]
    done = vault.call("prompt", "--project", "p", "--agent-type", "coding")
    assert done.code == 0
    assert "never push" in done.stdout


DUTY = """id = "d1"
tool = "_any"
rule = "lint before commits"
format = 3

[[duty]]
run = "make lint"
before = "git commit"
after = "src/"
"""


def test_defects_and_failed_examples_of_duties_are_reported(vault):
    path = "system/rules/_any/lint-d1.toml"
    vault.write(path, DUTY + 'match = ["git commit -m x", "src/a.py"]\n')
    assert problems(vault) == []
    vault.write(path, DUTY + 'match = ["lib/a.py"]\nnot_match = "git commit"\n')
    assert problems(vault) == [(path, 6, "duty-example")] * 2
    vault.write(path, DUTY + "match = 1\n")
    assert problems(vault) == [(path, 6, "duty")]


def test_every_problem_of_many_files_is_told(vault):
    for number in range(60):
        vault.write(f"system/rules/shell/torn-{number}.toml", "id =")
    assert len(problems(vault)) == 60
    assert vault.call("prompt").stdout.count("cannot be read") == 60


def test_of_the_template_only_rules_that_are_advice_are_reported(world):
    world.vault("template").run("check").stdout(advice_lines())


def test_the_sample_of_scopes_has_only_notes(world):
    rule = "projects/apollo/overrides/coding/rules/shell/never-force-push-a0000003.toml"
    advice = (
        "projects/apollo/rules/deploy/freeze-until-may-a0000006",
        "system/rules/_any/never-share-a-password-a0000001",
    )
    world.vault("scopes").run("check").stdout(
        f"{rule}:1: note: changed-critical changes rule of a critical rule: topic "
        f"branches are rebased here\n{advice_lines(advice)}"
    )


@pytest.mark.parametrize(
    "place", ["system", "agents", "projects", "tools", "system/memory"]
)
@pytest.mark.parametrize("command", ["prompt", "rule list", "fact list", "memory list"])
def test_a_link_in_the_place_of_a_folder_ends_no_command(
    world, place, command, tmp_path_factory
):
    world.vault("empty")
    if place != "system":
        world.write("system/rules/shell/sound.toml", RULE)
    world.root.joinpath(place).symlink_to(tmp_path_factory.mktemp("outside"))
    assert world.call(*command.split()).code == 0


@pytest.mark.parametrize("scope", ["agent-types/coding", "projects/p", "system"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_role_far_over_its_budget_is_a_warning(vault, scope, end):
    path = f"{scope}/profile.md"
    text = "---\nname: x\n---\n# P\n\n## Role\n\n{}\n\n## Notes\n\n{}\n"
    short, long = "You check each change.", "You check each change. " * 90
    vault.write(path, text.format(short, long).replace("\n", end))
    assert problems(vault) == []
    vault.write(path, text.format(long, short).replace("\n", end))
    assert problems(vault) == [(path, 8, "long-role")]
    said = vault.call("check").stdout
    assert "its budget is 50: move parts of it to guidance/" in said
    assert vault.call("check", "--strict").code == 1


def test_guidance_that_no_block_takes_is_a_warning(vault):
    path = "system/guidance/style.md"
    vault.write(path, "# Style\n\n" + "Use short names. " * 40)
    assert problems(vault) == []
    vault.write(path, "# Style\n\n" + "Use short names. " * 400)
    assert problems(vault) == [(path, 1, "long-guidance")]
    assert "agents never see it" in vault.call("check").stdout


@pytest.mark.parametrize("hidden", ["ki\u200bln.md", "OVEN-a00002.md", "sub/oven.md"])
@pytest.mark.parametrize("folder", ["projects/p/memory", "archive/system/memory"])
def test_an_agent_is_not_told_of_the_name_of_a_private_memory(
    vault, monkeypatch, folder, hidden
):
    vault.write(f"{folder}/oven-a00002.md", "# Oven\n").write(f"{folder}/SUB", "")
    vault.write(f"{folder}/{hidden}", "---\nprivate: true\n---\n# Kiln\n")
    names = {"name-twins", "bad-name"}
    assert names & {code for _, _, code in problems(vault)}
    monkeypatch.setenv("TOOLMEM_AGENT", "bot")
    assert not names & {code for _, _, code in problems(vault)}
