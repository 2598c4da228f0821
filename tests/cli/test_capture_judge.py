"""Capture without an agent at work: candidates printed, answered, judged."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.hearing import proposals, rules, spoken
from tests.program import ROOT
from tests.world import World
from toolmem.core.candidates.judging import INSTRUCTION

NPM = "We should never run npm install here, use pnpm."
SHORT = "please use short commit messages in this repo, I hate the long ones."
KEYS = ["id", "kind", "sentence", "before", "after", "tools"]
_YES = """
import json, sys
for line in sys.stdin:
    if not line.startswith("#"):
        found = json.loads(line)
        print(json.dumps({"id": found["id"], "keep": True, "tools": []}))
"""


@pytest.fixture
def vault(world: World) -> World:
    world.vault("empty")
    one = spoken(f"Fix the login. {NPM} Thanks!", "Never use sudo.", session_id="s-1")
    two = spoken(SHORT, session_id="s-2")
    return world.write("../one.json", one).write("../two.json", two)


def candidates(vault: World, *files: str) -> list[dict[str, Any]]:
    done = vault.call("capture", "--candidates", *files)
    assert (done.code, done.stderr) == (0, "")
    first, *lines = done.stdout.splitlines()
    assert first == INSTRUCTION
    return [json.loads(line) for line in lines]


def answered(vault: World, answers: list[Any], *args: str) -> Any:
    text = "".join(json.dumps(answer) + "\n" for answer in answers)
    vault.write("../answers.jsonl", text)
    files = ("../one.json", "../two.json")
    done = vault.call("capture", *files, "--answers", "../answers.jsonl", *args)
    assert done.code == 0, done.stderr
    return done


def judge(vault: World, script: str, seconds: int = 20) -> None:
    """Make a program the judge, in the user's own settings."""
    vault.write("../judge.py", script)
    words = json.dumps([sys.executable, str(vault.root.parent / "judge.py")])
    folder = Path(os.environ["HOME"]) / ".config" / "toolmem"
    folder.mkdir(parents=True, exist_ok=True)
    text = f"[capture]\njudge = {words}\njudge_seconds = {seconds}\n"
    (folder / "config.toml").write_text(text)


def test_candidates_are_lines_of_json_below_one_line_of_instruction(vault):
    found = candidates(vault, "../one.json", "../two.json")
    assert [list(one) for one in found] == [KEYS, KEYS]
    assert found == [
        {
            "id": found[0]["id"],
            "kind": "ban",
            "sentence": NPM,
            "before": "Fix the login. ",
            "after": " Thanks!",
            "tools": ["bash"],
        },
        {
            "id": found[1]["id"],
            "kind": "demand",
            "sentence": SHORT,
            "before": "",
            "after": "",
            "tools": found[1]["tools"],
        },
    ]
    assert (rules(vault), proposals(vault)) == ([], [])


def test_ids_of_candidates_do_not_change(vault):
    assert candidates(vault, "../one.json") == candidates(vault, "../one.json")


def test_a_dry_run_lists_everything_that_was_detected_and_the_same_candidates(vault):
    done = vault.call("capture", "--dry-run", "--json", "../one.json")
    document = json.loads(done.stdout)
    keys = ("turn", "sentence", "text", "kind", "tier", "tools", "action")
    assert [tuple(one[key] for key in keys) for one in document["decrees"]] == [
        (0, NPM, NPM[:-1], "ban", "candidate", ["bash"], "proposed"),
        (1, "Never use sudo.", "Never use sudo", "ban", "sure", ["bash"], "created"),
    ]
    assert all(isinstance(one["id"], str) for one in document["decrees"])
    assert document["candidates"] == candidates(vault, "../one.json")


def test_what_is_kept_becomes_a_rule_and_what_is_not_is_dropped(vault):
    first, second = candidates(vault, "../one.json", "../two.json")
    vault.call("capture", "../one.json", "../two.json")
    assert len(proposals(vault)) == 2
    done = answered(
        vault,
        [
            {"id": first["id"], "keep": True, "tools": ["Bash"]},
            {"id": second["id"], "keep": False, "tools": []},
        ],
    )
    assert "captured: new critical rule for Bash" in done.stdout
    assert "(rejected by the judge)" in done.stdout
    assert proposals(vault) == []
    made = {rule["rule"]: rule for rule in rules(vault)}
    assert set(made) == {NPM[:-1], "Never use sudo"}
    kept = made[NPM[:-1]]
    assert (kept["tool"], kept["priority"], kept["evidence"]) == (
        "Bash",
        "critical",
        f"“{NPM}” (session s-1, turn 0)",
    )
    assert 'kept_by = "answers"' in vault.read(kept["path"])
    again = vault.call("capture", "../one.json", "../two.json")
    assert "(rejected before)" in again.stdout
    assert proposals(vault) == []


def test_a_tool_that_nothing_has_becomes_every_tool_and_the_answer_says_so(vault):
    [first] = candidates(vault, "../one.json")
    done = answered(vault, [{"id": first["id"], "keep": True, "tools": ["frobnicate"]}])
    assert "every tool: We should never" in done.stdout
    assert "no tool frobnicate is known here" in done.stdout


def test_candidates_without_an_answer_are_proposed(vault):
    first, _ = candidates(vault, "../one.json", "../two.json")
    answered(vault, [{"id": first["id"], "keep": True, "tools": []}])
    assert [one["sentence"] for one in proposals(vault)] == [SHORT]


def test_lines_that_are_no_answers_are_reported_and_prose_is_passed_over(vault):
    [first] = candidates(vault, "../one.json")
    text = (
        "Here you are:\n```json\n"
        f'{{"id": "{first["id"]}", "keep": "yes"}}\n'
        '{"id": "k00000000", "keep": true}\n{"id": 1}\n{broken\n```\n'
    )
    vault.write("../answers.jsonl", text)
    done = vault.call("capture", "../one.json", "--answers", "../answers.jsonl")
    assert done.code == 0
    assert [line for line in done.stderr.splitlines() if "line" in line] == [
        "toolmem: --answers: line 3: keep is not true or false",
        "toolmem: --answers: line 4: no candidate 'k00000000'",
        "toolmem: --answers: line 5: id is not a text",
        "toolmem: --answers: line 6: is not a JSON object",
    ]
    assert [one["sentence"] for one in proposals(vault)] == [NPM]


def test_answers_come_from_standard_input(vault):
    [first] = candidates(vault, "../one.json")
    line = json.dumps({"id": first["id"], "keep": True, "tools": []})
    done = vault.call("capture", "../one.json", "--answers", "-", stdin=line)
    assert (done.code, len(rules(vault))) == (0, 2)


@pytest.mark.parametrize("text", ["", "I cannot do that.\n"])
def test_a_file_without_an_answer_is_an_error_and_nothing_is_written(vault, text):
    vault.write("../answers.jsonl", text)
    done = vault.call("capture", "../one.json", "--answers", "../answers.jsonl")
    assert (done.code, done.stderr.startswith("toolmem: --answers: ")) == (2, True)
    assert (rules(vault), proposals(vault)) == ([], [])


def test_a_taking_back_that_is_kept_retires_the_rule(vault):
    vault.write("../back.json", spoken("you can use sudo for that now, it is fine"))
    vault.call("capture", "../one.json", "../two.json")
    found = candidates(vault, "../back.json")
    assert [one["kind"] for one in found] == ["back"]
    line = json.dumps({"id": found[0]["id"], "keep": True, "tools": []})
    vault.call("capture", "../back.json", "--answers", "-", stdin=line)
    assert "Never use sudo" not in [rule["rule"] for rule in rules(vault)]


def test_the_user_s_judge_is_asked_and_what_it_keeps_is_written(vault):
    judge(vault, _YES)
    done = vault.call("capture", "../one.json", "../two.json")
    assert (done.code, len(rules(vault)), proposals(vault)) == (0, 3, [])


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (
            "import sys; sys.stderr.write('no key\\n'); sys.exit(3)",
            "ended with 3 (no key); 2 candidates not judged",
        ),
        ("pass", "wrote nothing; 2 candidates not judged"),
        ("print('sorry')", "answered 0 of 2 candidates; 2 candidates not judged"),
        (
            "import time; time.sleep(9999)",
            "took longer than 1 s; 2 candidates not judged",
        ),
        (
            "import os, time\nif os.fork() == 0: time.sleep(9999)\ntime.sleep(9999)",
            "took longer than 1 s; 2 candidates not judged",
        ),
    ],
)
def test_a_judge_that_fails_is_reported_and_nothing_is_lost(vault, script, reason):
    judge(vault, script, seconds=1)
    done = vault.call("capture", "../one.json", "../two.json")
    name = Path(sys.executable).name
    assert (done.code, done.stderr.splitlines()[0]) == (
        1,
        f"toolmem: capture.judge: `{name}` {reason}: proposed for review",
    )
    assert [rule["rule"] for rule in rules(vault)] == ["Never use sudo"]
    assert sorted(one["sentence"] for one in proposals(vault)) == [NPM, SHORT]


def test_a_judge_that_is_no_program_is_reported(vault):
    judge(vault, "")
    folder = Path(os.environ["HOME"]) / ".config" / "toolmem"
    (folder / "config.toml").write_text('[capture]\njudge = ["no-such-program"]\n')
    done = vault.call("capture", "../one.json")
    assert done.code == 1
    assert "`no-such-program` cannot be run: No such file or directory" in done.stderr
    assert len(proposals(vault)) == 1


def test_answers_of_earlier_batches_count_when_a_later_one_fails(vault):
    said = [
        f"please use commit style {n} in this repo, I hate the others."
        for n in range(25)
    ]
    vault.write("../many.json", spoken(*said, session_id="s-3"))
    number = len(candidates(vault, "../many.json"))
    assert number == 25
    script = "import os, sys\nif os.path.exists('was'): sys.exit(1)\nopen('was', 'w')\n"
    judge(vault, script + _YES)
    done = vault.call("capture", "../many.json")
    assert "ended with 1; 5 candidates not judged" in done.stderr
    assert (len(rules(vault)), len(proposals(vault))) == (20, 5)


def test_a_capture_that_is_killed_while_the_judge_works_loses_nothing(vault):
    judge(vault, "import os, signal; os.kill(os.getppid(), signal.SIGKILL)")
    killed = subprocess.run(
        [sys.executable, "-m", "toolmem", "capture", "../one.json"],
        cwd=vault.root,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert (killed.returncode, rules(vault)) == (-9, [])
    judge(vault, _YES)
    assert vault.call("capture", "../one.json").code == 0
    assert (len(rules(vault)), proposals(vault)) == (2, [])


def test_a_vault_cannot_name_a_judge(vault):
    text = 'schema = 1\n[capture]\njudge = ["touch", "canary"]\n'
    vault.write("toolmem.toml", text)
    vault.call("capture", "../one.json")
    assert not (vault.root / "canary").exists()
    assert "setting-not-allowed" in vault.call("check").stdout


def test_one_of_several_transcripts_that_cannot_be_read_stops_no_other(vault):
    done = vault.call("capture", "../one.json", "../nothing.json", "../two.json")
    assert (done.code, "nothing.json" in done.stderr) == (1, True)
    assert (len(rules(vault)), len(proposals(vault))) == (1, 2)


def test_an_agent_gives_no_answers(vault, monkeypatch):
    monkeypatch.setenv("TOOLMEM_AGENT", "helper")
    vault.write("one.json", spoken(NPM))
    done = vault.call("capture", "one.json", "--answers", "-", stdin="{}")
    assert (done.code, "for people" in done.stderr) == (2, True)
