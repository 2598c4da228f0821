"""Commit and review of what is not committed, in a real repository."""

import io
import json
import sys

import pytest

from tests.cli.test_review import Kept, Terminal
from toolmem.cli.main import run_program
from toolmem.cli.run import Run

RULE = "system/rules/shell/never-push-a0000001.toml"
TEXT = 'id = "a0000001"\ntool = "shell"\nrule = "never push"\npriority = "high"\n'


@pytest.fixture
def vault(world):
    world.vault("empty").write(RULE, TEXT).write(".gitignore", "/.toolmem/\n").commit()
    return world


def last(world):
    return world.git("log", "-1", "--format=%B").rstrip("\n")


def clean(world):
    return world.git("status", "--porcelain") == ""


def test_the_message_says_what_was_learned(vault):
    vault.write("system/memory/door-a00001.md", "# The door opens at nine\n")
    vault.call("fact", "set", "port", "8080", "--scope", "system")
    vault.call("rule", "edit", "a0000001", "-p", "critical")
    done = vault.call("commit")
    assert done.code == 0
    message = (
        "Learn 1 fact and 1 memory; raise 1 rule\n\nRules:\n"
        "  ^  raised   a0000001  shell  system  never push  "
        "priority: high → critical\n\n"
        "Facts:\n  +  added   project.port  system  8080\n\nMemories:\n"
        "  +  added   door-a00001  system  The door opens at nine"
    )
    assert last(vault) == message
    assert done.stdout == f"{vault.git('rev-parse', 'HEAD')[:10]} {message}\n"
    assert clean(vault)
    vault.run("commit").stderr("toolmem: nothing to commit\n").exits(1)


def test_a_rule_that_cannot_be_read_is_named_with_its_line(vault):
    vault.write(RULE, TEXT + "tags = \n")
    message = vault.call("commit", "--dry-run")
    assert f"unreadable   {RULE}  shell  system (line 5: Invalid value)" in (
        message.stdout
    )
    assert message.stderr == f"toolmem: {RULE}: line 5: Invalid value\n"


def test_one_change_is_its_own_subject(vault):
    vault.call("rule", "archive", "a0000001", "--reason", "nobody pushes")
    vault.call("commit")
    assert last(vault).partition("\n")[0] == "Retire a rule of shell: never push"
    assert clean(vault)


def test_only_what_is_named_is_committed_and_staging_stays(vault):
    vault.write("system/memory/door-a00001.md", "# The door opens at nine\n")
    vault.write("system/memory/gate-a00002.md", "# The gate opens at ten\n")
    vault.write("notes.txt", "mine\n").git("add", "notes.txt")
    assert vault.call("commit", "door-a00001").code == 0
    assert vault.git("status", "--porcelain") == (
        "A  notes.txt\n?? system/memory/gate-a00002.md\n"
    )
    vault.run("commit", "nothing").exits(12)
    vault.stderr("toolmem: no changed item is called 'nothing'\n")


def test_a_dry_run_commits_nothing(vault):
    head = vault.git("rev-parse", "HEAD")
    vault.write("system/memory/door-a00001.md", "# The door opens at nine\n")
    document = json.loads(vault.call("commit", "--dry-run", "--json").stdout)
    assert document["commit"] is None
    assert document["paths"] == ["system/memory/door-a00001.md"]
    assert document["message"].startswith("Learn “The door opens at nine”\n")
    assert vault.git("rev-parse", "HEAD") == head


def test_ones_own_message_is_taken(vault):
    vault.write("system/memory/door-a00001.md", "# The door opens at nine\n")
    vault.call("commit", "-m", "what I learned")
    assert last(vault) == "what I learned"


def test_a_credential_is_not_committed(vault):
    vault.write("system/memory/k-a1.md", "# Key\n\nAKIA" + "Z7QX2MLP4RTV9WKD\n")
    done = vault.call("commit")
    assert done.code == 2
    assert "system/memory/k-a1.md:3: this looks like a credential" in done.stderr
    assert vault.call("commit", "--allow-secret").code == 0


def test_text_of_the_vault_forges_no_line_of_the_message(vault):
    forged = "# x\\u001b[31m\\u202e\\nReviewed-by: nobody"
    vault.write(RULE, TEXT.replace("never push", forged))
    vault.call("commit")
    assert "\x1b" not in last(vault)
    assert "\nReviewed-by" not in last(vault)


def test_review_lists_what_is_not_committed(vault):
    vault.call("rule", "edit", "a0000001", "-p", "normal")
    vault.run("review").stdout(
        "v  lowered   a0000001  shell  system  never push  priority: high → normal\n"
    ).stderr("toolmem: `toolmem review --accept ID` or --reject ID\n")
    vault.settle()
    [entry] = json.loads(vault.call("review", "--json").stdout)
    assert (entry["id"], entry["state"], entry["kind"], entry["paths"]) == (
        "a0000001",
        "uncommitted",
        "rule",
        [RULE],
    )
    assert entry["changes"][0]["actions"] == ["lowered"]


def test_accepting_commits_one_thing_alone(vault):
    vault.call("rule", "edit", "a0000001", "-p", "normal")
    vault.write("system/memory/door-a00001.md", "# The door opens at nine\n")
    vault.run("review", "--accept", "a0000001").stdout(f"accepted {RULE}\n")
    vault.settle()
    assert vault.git("status", "--porcelain") == "?? system/memory/\n"


def test_rejecting_takes_a_change_back_and_keeps_a_copy(vault):
    vault.call("rule", "edit", "a0000001", "--text", "always push")
    changed = vault.read(RULE)
    vault.run("review", "--reject", "a0000001").stdout(f"restored {RULE}\n").stderr(
        "toolmem: the previous version is saved in "
        f".toolmem/backup/20260420T120000Z/{RULE}\n"
    )
    vault.file(RULE, TEXT)
    vault.file(f".toolmem/backup/20260420T120000Z/{RULE}", changed)
    assert clean(vault)


def test_rejecting_a_retirement_brings_the_rule_back(vault):
    vault.call("rule", "archive", "a0000001", "--reason", "wrong")
    assert vault.call("review", "--reject", "a0000001").code == 0
    vault.file(RULE, TEXT)
    assert clean(vault)


def test_what_is_rejected_is_not_staged_any_more(vault):
    new, other = "system/memory/door-a00001.md", "system/memory/gate-a00002.md"
    vault.write(new, "# The door opens at nine\n").write(other, "# Ten\n")
    vault.call("rule", "edit", "a0000001", "-p", "critical")
    vault.git("add", "--all")
    assert vault.call("review", "--reject", "a0000001").code == 0
    assert vault.call("review", "--reject", "door-a00001").code == 0
    assert vault.git("status", "--porcelain") == f"A  {other}\n"
    vault.git("rm", "--quiet", RULE)
    assert vault.call("review", "--reject", "a0000001").code == 0
    assert vault.git("status", "--porcelain") == f"A  {other}\n"


def test_what_is_rejected_before_the_first_commit_is_not_staged_either(world):
    world.vault("empty").write(RULE, TEXT).git("init", "--quiet")
    world.git("add", "--all")
    assert world.call("review", "--reject", "a0000001").code == 0
    assert RULE not in world.git("status", "--porcelain")


def test_rejecting_something_new_keeps_it_out_of_the_vault(vault):
    vault.write("system/memory/door-a00001.md", "# The door opens at nine\n")
    assert vault.call("review", "--reject", "door-a00001").code == 0
    assert clean(vault)
    kept = ".toolmem/backup/20260420T120000Z/system/memory/door-a00001.md"
    vault.file(kept, "# The door opens at nine\n")


def test_an_agent_takes_nothing_back(vault, monkeypatch):
    vault.call("rule", "edit", "a0000001", "-p", "normal")
    monkeypatch.setenv("TOOLMEM_AGENT", "helper-1")
    assert vault.call("review", "--reject", "a0000001").code == 2


def test_a_rule_is_raised_reworded_and_moved_before_it_is_kept(vault):
    vault.call("rule", "edit", "a0000001", "--text", "never push to main")
    flags = (
        "-p",
        "critical",
        "--text",
        "never push twice",
        "--scope",
        "project:apollo",
    )
    done = vault.call("review", "--accept", "a0000001", *flags, "--json")
    path = "projects/apollo/rules/shell/never-push-a0000001.toml"
    document = json.loads(done.stdout)
    assert (document["action"], document["paths"][-1]) == ("accepted", path)
    assert 'rule = "never push twice"\npriority = "critical"\n' in vault.read(path)
    assert clean(vault)


def asked(vault, monkeypatch, typed):
    shown, answered = Kept(), Kept()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdin", Terminal(io.BytesIO(typed.encode())))
        patch.setattr(sys, "stderr", Terminal(shown, "utf-8", write_through=True))
        out = io.TextIOWrapper(answered, "utf-8", write_through=True)
        patch.setattr(sys, "stdout", out)
        code = run_program(["review"], Run(cwd=vault.root, now=lambda: vault.now))
    assert code == 0
    return shown.getvalue().decode(), answered.getvalue().decode()


def test_at_a_terminal_what_is_kept_becomes_one_commit(vault, monkeypatch):
    vault.call("rule", "edit", "a0000001", "--text", "never push to main")
    for number in (1, 2, 3):
        vault.write(f"system/memory/m-a0000{number}.md", f"# Thing number {number}\n")
    shown, answered = asked(vault, monkeypatch, "what\nu\ny\ny\nn\ns\n")
    assert "1 of 4  " + RULE in shown
    assert "priority: high → critical" in shown
    assert last(vault).partition("\n")[0] == "Learn 1 memory; raise 1 rule"
    assert "rejected system/memory/m-a00002.md" in answered
    assert vault.git("status", "--porcelain") == "?? system/memory/m-a00003.md\n"


def test_quitting_keeps_what_was_accepted_so_far(vault, monkeypatch):
    vault.call("rule", "edit", "a0000001", "-p", "critical")
    vault.write("system/memory/m-a00001.md", "# Thing number 1\n")
    asked(vault, monkeypatch, "y\nq\n")
    assert last(vault).startswith("Raise a rule of shell: never push\n")
    assert vault.git("status", "--porcelain") == "?? system/memory/\n"


def test_a_memory_moves_to_another_scope_at_the_terminal(vault, monkeypatch):
    vault.write("system/memory/m-a00001.md", "# Thing number 1\n")
    asked(vault, monkeypatch, "u\nm\nproject:apollo\ny\n")
    assert vault.root.joinpath("projects/apollo/memory/m-a00001.md").exists()
    assert clean(vault)


def test_what_stands_beside_what_was_learned_is_committed_too(world):
    world.vault("template").git("init", "--quiet")
    world.call("git", "install")
    assert world.call("commit", "README.md").code == 0
    assert last(world).partition("\n")[0] == "Add README.md"
    assert world.call("commit").code == 0
    files = "\n\nOther files:\n  +  added   .gitattributes\n  +  added   .github/"
    assert files in last(world)
    assert clean(world)
