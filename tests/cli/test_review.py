"""Review: what is proposed, and what a person makes of it."""

import io
import json
import sys

import pytest

from tests.cli.hearing import proposals, rules, tell
from toolmem.cli.main import run_program
from toolmem.cli.run import Run
from toolmem.store.files import files


class Terminal(io.TextIOWrapper):
    """A stream that says it is a terminal, with what is typed there."""

    def isatty(self) -> bool:
        return True


class Kept(io.BytesIO):
    """Bytes that can still be read when the stream around them is gone."""

    def close(self) -> None:
        pass


@pytest.fixture
def vault(world):
    return world.vault("empty").write(
        "toolmem.toml", 'schema = 1\n[capture]\nmode = "propose"\n'
    )


def asked(vault, monkeypatch, typed, *words, code=0):
    """Sit at a terminal and type; what was shown and what was answered."""
    shown, answered = Kept(), Kept()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdin", Terminal(io.BytesIO(typed.encode())))
        patch.setattr(sys, "stderr", Terminal(shown, "utf-8", write_through=True))
        patch.setattr(
            sys, "stdout", io.TextIOWrapper(answered, "utf-8", write_through=True)
        )
        run = Run(cwd=vault.root, now=lambda: vault.now)
        ended = run_program(words or ["review"], run)
    assert ended == code
    return shown.getvalue().decode(), answered.getvalue().decode()


def test_a_proposal_is_a_file_that_a_person_can_read(vault):
    [found] = tell(vault, "Never use sudo.", session="s-1")["decrees"]
    [waiting] = proposals(vault)
    assert vault.read(waiting["path"]) == (
        f"# toolmem review --accept {found['id'][:8]}\n"
        f"# toolmem review --reject {found['id'][:8]}\n"
        f'id = "{found["id"]}"\n'
        'kind = "add"\n'
        'tools = ["bash"]\n'
        'rule = "Never use sudo"\n'
        'priority = "critical"\n'
        'scope = "system"\n'
        'why = "capture.mode is propose"\n'
        'sentence = "Never use sudo."\n'
        'evidence = "“Never use sudo.” (session s-1, turn 0)"\n'
        "created_at = 2026-04-20T12:00:00Z\n"
        f"confidence = {waiting['confidence']}\n"
        'source = "user_explicit"\n'
        'session = "s-1"\n'
        f'candidate = "{found["decree"]}"\n'
        'tier = "sure"\n'
    )
    assert waiting == {
        "id": found["id"],
        "state": "pending",
        "kind": "add",
        "tools": ["bash"],
        "text": "Never use sudo",
        "priority": "critical",
        "scope": "system",
        "why": "capture.mode is propose",
        "sentence": "Never use sudo.",
        "evidence": "“Never use sudo.” (session s-1, turn 0)",
        "confidence": waiting["confidence"],
        "created_at": "2026-04-20T12:00:00Z",
        "rules": [],
        "path": f".toolmem/pending/never-use-sudo-{found['id'][:8]}.toml",
        "session": "s-1",
        "candidate": found["decree"],
        "tier": "sure",
        "before": "",
        "after": "",
        "guards": waiting["guards"],
        "block": [
            {
                "change": "+",
                "tool": "bash",
                "priority": "critical",
                "rule": "Never use sudo",
            }
        ],
    }
    assert [guard["command"] for guard in waiting["guards"]] == [["sudo"]]


def test_what_is_accepted_is_a_rule_with_its_evidence(vault):
    [found] = tell(vault, "Never use sudo.", session="s-1")["decrees"]
    done = vault.call("review", "--accept", found["id"][:8], "--json")
    path = f"system/rules/bash/never-use-sudo-{found['id'][:8]}.toml"
    assert json.loads(done.stdout) == {
        "id": found["id"],
        "action": "accepted",
        "rules": [found["id"]],
        "paths": [path],
    }
    [rule] = rules(vault)
    assert (rule["source"], rule["tags"], rule["evidence"]) == (
        "user_explicit",
        ["captured"],
        "“Never use sudo.” (session s-1, turn 0)",
    )
    assert proposals(vault) == []


def test_an_acceptance_that_was_cut_short_is_finished_by_a_second_one(vault):
    [found] = tell(vault, "Never use sudo.")["decrees"]
    [waiting] = proposals(vault)
    text = vault.read(waiting["path"])
    vault.call("review", "--accept", found["id"])
    files.create(vault.root, waiting["path"], text.encode())
    assert vault.call("review", "--accept", found["id"]).code == 0
    assert (len(rules(vault)), proposals(vault)) == (1, [])


def test_each_kind_can_be_accepted_twice(vault):
    vault.write("toolmem.toml", "schema = 1\n")
    tell(vault, "Never push to main.", "Always use tabs.", "Never email Sarah.")
    tell(vault, "you may push to main for releases", "never use tabs")
    vault.write("toolmem.toml", 'schema = 1\n[capture]\nmode = "propose"\n')
    tell(vault, "You can email Sarah again.")
    held = {one["path"]: vault.read(one["path"]) for one in proposals(vault)}
    assert len(held) == 3
    for one in proposals(vault):
        assert vault.call("review", "--accept", one["id"]).code == 0
    once = vault.files()
    for path, text in held.items():
        files.create(vault.root, path, text.encode())
    for one in proposals(vault):
        assert vault.call("review", "--accept", one["id"]).code == 0
    assert vault.files() == once
    assert sorted(rule["rule"] for rule in rules(vault)) == [
        "Never push to main (exception: you may push to main for releases)",
        "never use tabs",
    ]


def test_a_rule_that_changed_since_is_not_amended_blindly(vault):
    vault.write("toolmem.toml", "schema = 1\n")
    [rule] = tell(vault, "Never push to main.")["decrees"]
    [found] = tell(vault, "you may push to main for releases")["decrees"]
    vault.call("rule", "edit", rule["id"], "--text", "never push")
    vault.run("review", "--accept", found["id"]).exits(2).stderr(
        f"toolmem: the rule {rule['id']} was changed meanwhile: give the new --text\n"
    )
    vault.settle()
    text = "never push, but for releases"
    assert vault.call("review", "--accept", found["id"], "--text", text).code == 0
    assert [one["rule"] for one in rules(vault)] == [text]


def test_an_amendment_of_a_rule_that_is_gone_says_so(vault):
    vault.write("toolmem.toml", "schema = 1\n")
    [rule] = tell(vault, "Never push to main.")["decrees"]
    [found] = tell(vault, "you may push to main for releases")["decrees"]
    vault.call("rule", "delete", rule["id"])
    done = vault.call("review", "--accept", found["id"])
    assert (done.code, len(proposals(vault))) == (2, 1)
    assert vault.call("review", "--reject", found["id"]).code == 0


def test_a_proposal_that_is_not_there_is_told(vault):
    for flag in ("--accept", "--reject"):
        vault.run("review", flag, "none").exits(12)
        vault.stderr("toolmem: no proposal 'none': `toolmem review` shows the ids\n")


def test_flags_that_contradict_each_other_are_refused(vault):
    vault.run("review", "--accept", "a", "--reject", "b").exits(2)
    vault.stderr("toolmem: --accept and --reject exclude each other\n")
    vault.run("review", "--text", "a").exits(2)
    vault.stderr("toolmem: changes of a proposal need --accept\n")


def test_a_broken_file_hides_no_other_proposal(vault):
    tell(vault, "Never use sudo.")
    vault.write(".toolmem/pending/broken.toml", "kind = 1\n")
    done = vault.call("review")
    assert "Never use sudo" in done.stdout
    assert done.stderr.startswith(
        "toolmem: .toolmem/pending/broken.toml: cannot be read: id is missing\n"
    )


def test_a_proposal_of_somebody_else_cannot_leave_its_folder(vault):
    [found] = tell(vault, "Never use sudo.")["decrees"]
    [waiting] = proposals(vault)
    text = vault.read(waiting["path"]).replace('["bash"]', '["../../../x"]')
    vault.write(waiting["path"], text)
    vault.call("review", "--accept", found["id"])
    assert all(
        path.startswith((".toolmem", "system/rules/", "toolmem.toml"))
        for path in vault.files()
    )


def test_at_a_terminal_one_is_asked_about_each(vault, monkeypatch):
    tell(
        vault, "Never use sudo.", "Never use curl.", "Never use wget.", "Never use nc."
    )
    typed = "what?\ne\nonly by hand\ns\nn\ny\n"
    shown, answered = asked(vault, monkeypatch, typed)
    assert shown.count("move or quit [y/n/e/s/u/d/m/q] ") == 5
    assert [line.split()[1] for line in answered.splitlines()] == [
        "accepted",
        "rejected",
        "accepted",
    ]
    assert "only by hand" in [rule["rule"] for rule in rules(vault)]
    assert (len(rules(vault)), len(proposals(vault))) == (2, 1)


def test_the_end_of_what_is_typed_and_q_leave_the_rest_waiting(vault, monkeypatch):
    tell(vault, "Never use sudo.", "Never use curl.")
    for typed in ("", "q\n"):
        asked(vault, monkeypatch, typed)
        assert (len(rules(vault)), len(proposals(vault))) == (0, 2)


def test_what_cannot_be_done_is_told_and_asked_again(vault, monkeypatch):
    programs = ", ".join(f"cmd{number}" for number in range(90))
    tell(vault, f"Never run {programs} here.")
    shown, _ = asked(vault, monkeypatch, "y\ne\nnever run them\n")
    assert "500 are allowed" in shown
    assert [rule["rule"] for rule in rules(vault)] == ["never run them"]


def test_nothing_to_review_is_said(vault, monkeypatch):
    vault.run("review").stderr("toolmem: no proposals\n")
    vault.run("review", "--json").stdout("[]\n")
    vault.settle()
    assert asked(vault, monkeypatch, "")[0] == "toolmem: no proposals\n"
