"""Whole answer of `toolmem capture` for a session in every format."""

import json

import pytest

from tests.cli.sessions import DECREE, PATH, SESSIONS, SHELLS, TAKEN_BACK
from tests.core.transcript.lines import Claude, jsonl

WITH_SESSION = ("claude", "codex", "gemini")


def captured(world, name, *args):
    world.vault("empty").write("log", SESSIONS[name]())
    done = world.call("capture", "log", "--json", "--session", "s-1", *args)
    assert (done.code, done.stderr) == (0, "")
    return json.loads(done.stdout)


def decree(found):
    ids = {entry["id"] for entry in found["decrees"]}
    assert len(ids) == 1, "what is retired is what was created"
    return ids.pop()


@pytest.mark.parametrize("name", SESSIONS)
def test_every_format_gives_the_same_answer(world, name):
    found = captured(world, name, "--tool", "send_email")
    made = decree(found)
    shell = SHELLS.get(name, "bash")
    name_of_file = f"never-email-sarah-at-sarah-example-com-{made[:8]}.toml"
    path = f"system/rules/send_email/{name_of_file}"
    text = "`pytest -q` failed 2 times; `uv run pytest -q` worked"
    [failure] = found["failures"]
    shared = {"tools": ["send_email"], "priority": "critical", "tier": "sure"}
    assert found | {"skipped": {}} == {
        "decrees": [
            {
                "turn": 0,
                "text": DECREE.rstrip("."),
                "sentence": DECREE,
                **shared,
                "kind": "ban",
                "decree": found["decrees"][0]["decree"],
                "action": "created",
                "id": made,
                "evidence": f"“{DECREE}” (session s-1, turn 0)",
                "path": path,
                "count": 1,
                "scope": "system",
            },
            {
                "turn": 1,
                "text": TAKEN_BACK.rstrip("."),
                "sentence": TAKEN_BACK,
                **shared,
                "kind": "back",
                "decree": found["decrees"][1]["decree"],
                "action": "retired",
                "id": made,
                "evidence": f"“{TAKEN_BACK}” (session s-1, turn 1)",
                "path": f"archive/{path}",
            },
        ],
        "failures": [
            {
                "turn": 0,
                "tool": shell,
                "count": 2,
                "total": 2,
                "sessions": 1,
                "error": "error",
                "command": "pytest -q",
                "worked": "uv run pytest -q",
                "text": text,
                "action": "observed",
                "id": failure["id"],
                "evidence": "error; failed 2 times, last in session s-1, turn 0",
            }
        ],
        "turns": [
            {
                "turn": 0,
                "files": [
                    {
                        "path": "a.py" if name in ("claude", "codex") else PATH,
                        "change": "created",
                    }
                ],
                "failed": [
                    {
                        "command": "pytest -q",
                        "exit_code": 1,
                        "count": 2,
                        "fixed": False,
                        "worked": "uv run pytest -q",
                    }
                ],
                "deleted": [],
                "dangerous": [],
            }
        ],
        "skipped": {},
        "session": "s-1",
        "format": name,
    }


@pytest.mark.parametrize("name", SESSIONS)
def test_a_dry_run_answers_the_same_and_writes_nothing(world, name):
    world.vault("empty").write("log", SESSIONS[name]())
    before = world.files()
    tried = world.call("capture", "log", "--json", "--dry-run")
    assert world.files() == before
    assert world.call("capture", "log", "--json") == tried._replace(
        command="toolmem capture log --json"
    )


@pytest.mark.parametrize("name", SESSIONS)
def test_a_session_that_is_read_again_changes_nothing(world, name):
    captured(world, name)
    before = world.files()
    stats = world.call("stats", "--json").stdout
    actions = [entry["action"] for entry in captured(world, name)["decrees"]]
    # The rule was retired, and no rule is left to take back.
    assert actions == ["skipped", "skipped"]
    assert world.files() == before
    assert world.call("stats", "--json").stdout == stats


@pytest.mark.parametrize("name", SESSIONS)
def test_since_last_finds_nothing_in_what_was_read(world, name):
    world.vault("empty").write("log", SESSIONS[name]())
    world.call("capture", "log", "--since-last")
    found = json.loads(world.call("capture", "log", "--since-last", "--json").stdout)
    assert (found["decrees"], found["failures"], found["turns"]) == ([], [], [])


@pytest.mark.parametrize("name", WITH_SESSION)
def test_a_transcript_names_its_own_session(world, name):
    world.vault("empty").write("log", SESSIONS[name]())
    found = json.loads(world.call("capture", "log", "--json").stdout)
    assert found["session"] == "s-1"


def test_files_are_relative_to_the_folder_of_the_session(world):
    session = Claude()
    lines = [session.user("Go.")]
    for number, path in enumerate(("/w/app/src/b.py", "/etc/hosts")):
        lines.append(session.call("Write", f"w{number}", file_path=path, content="x"))
        lines.append(session.result(f"w{number}", "done"))
    world.vault("empty").write("log", jsonl(*lines))
    [turn] = json.loads(world.call("capture", "log", "--json").stdout)["turns"]
    assert [file["path"] for file in turn["files"]] == ["src/b.py", "/etc/hosts"]
