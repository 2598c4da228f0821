"""Repeated failures become observations with counts, expiry and the remedy."""

import json

import pytest

from tests.cli.hearing import proposals, rules


@pytest.fixture
def vault(world):
    return world.vault("empty")


def worked(vault, *runs, session="s-1", cwd="/w/app", said="Go on."):
    """Capture one turn in which commands ended with codes."""
    calls = [
        {"name": "bash", "args": {"command": command}, "exit_code": code, "output": out}
        for command, code, out in ((*run, "no")[:3] for run in runs)
    ]
    messages = [
        {"role": "user", "content": said},
        {"role": "assistant", "tool_calls": calls},
    ]
    given = {"messages": messages, "session_id": session, "cwd": cwd}
    done = vault.call("capture", "-", "--json", stdin=json.dumps(given))
    assert (done.code, done.stderr) == (0, "")
    return json.loads(done.stdout)["failures"]


FAILED = (("pytest", 1), ("pytest", 1))


def test_a_failure_of_one_session_is_in_local_state_only(vault):
    [found] = worked(vault, *FAILED, ("uv run pytest", 0))
    [again] = worked(vault, *FAILED, ("uv run pytest", 0))
    assert (found["action"], found["sessions"], again) == ("observed", 1, found)
    assert rules(vault) == []


def test_failures_of_two_sessions_make_one_normal_rule_for_two_weeks(vault):
    worked(vault, *FAILED, ("uv run pytest", 0))
    [found] = worked(vault, *FAILED, session="s-2")
    assert (found["action"], found["sessions"]) == ("created", 2)
    assert vault.read(found["path"]) == (
        f'id = "{found["id"]}"\n'
        'tool = "bash"\n'
        'rule = "`pytest` failed 4 times; `uv run pytest` worked"\n'
        'priority = "normal"\n'
        'source = "post_turn"\n'
        'tags = ["repeated-failure"]\n'
        "created_at = 2026-04-20T12:00:00Z\n"
        "expires_at = 2026-05-04T12:00:00Z\n"
        'evidence = "error; failed 4 times, last in session s-2, turn 0"\n'
    )
    assert "pytest" not in vault.call("prompt").stdout


def test_one_failure_and_one_that_was_refused_make_none(vault):
    assert worked(vault, ("pytest", 1), ("make", 0)) == []
    calls = [{"name": "bash", "args": {"command": "rm -r x"}}] * 3
    refused = "The user doesn't want to proceed with this tool use. Stop."
    messages = [
        {"role": "user", "content": "Go on."},
        {"role": "assistant", "tool_calls": [{**c, "error": refused} for c in calls]},
    ]
    given = json.dumps({"messages": messages})
    assert (
        json.loads(vault.call("capture", "--json", stdin=given).stdout)["failures"]
        == []
    )


def seen_twice(vault):
    """The rule about a failure of two sessions, s-0 and s-1."""
    worked(vault, *FAILED, session="s-0")
    [found] = worked(vault, *FAILED, session="s-1")
    assert found["action"] == "created"
    return found


def test_its_count_is_kept_up_to_date_and_the_way_out_stays(vault):
    worked(vault, *FAILED, ("uv run pytest", 0), session="s-0")
    worked(vault, *FAILED, session="s-1")
    worked(vault, *FAILED, ("pytest", 0), session="s-2")
    [rule] = rules(vault)
    assert rule["rule"] == "`pytest` failed 6 times; `uv run pytest` worked"
    vault.clock(days=20)
    worked(vault, ("make", 2), ("make", 2), session="s-3")
    worked(vault, *FAILED, session="s-4")
    [rule] = rules(vault)
    assert rule["rule"] == "`pytest` failed 8 times; `uv run pytest` worked"


@pytest.mark.parametrize(
    "refused",
    [
        "The user doesn't want to proceed with this tool use. Stop.",
        "never run rm (toolmem rule 3f2a91c0)",
        "denied: never run rm (toolmem rule 3f2a91c0) (the call could not be read)",
        "the user wrote in this session: no rm here (toolmem rule keep k3f2a91c0)",
        "Denied by preToolUse hook: never run rm",
        "Permission denied and could not request permission from user",
    ],
)
def test_a_call_that_was_denied_is_no_failure(vault, refused):
    calls = [{"name": "bash", "args": {"command": "rm -r x"}, "error": refused}] * 3
    messages = [
        {"role": "user", "content": "Go on."},
        {"role": "assistant", "tool_calls": calls},
    ]
    for session in ("s-1", "s-2"):
        given = json.dumps({"messages": messages, "session_id": session})
        done = vault.call("capture", "--json", stdin=given)
        assert json.loads(done.stdout)["failures"] == []
    assert rules(vault) == []


def test_it_is_counted_across_turns_and_stays_one_rule(vault):
    [first] = worked(vault, *FAILED, session="s-1")
    [again] = worked(vault, *FAILED, ("pytest", 1), session="s-2")
    [known] = worked(vault, *FAILED, session="s-1")
    told = [(f["action"], f["count"], f["total"]) for f in (first, again, known)]
    assert told == [("observed", 2, 2), ("created", 3, 5), ("seen", 2, 5)]
    assert len({f["id"] for f in (first, again)}) == 1 == len(rules(vault))
    [shown] = json.loads(vault.call("stats", "bash", "--json").stdout)
    assert shown["rules"] == [
        {
            "id": first["id"],
            "rule": "`pytest` failed 5 times",
            "failed": 5,
            "last": "2026-04-20T12:00:00Z",
        }
    ]


def test_it_holds_on_when_it_happens_again_and_tells_what_worked(vault):
    seen_twice(vault)
    vault.clock(days=3)
    [found] = worked(vault, *FAILED, ("uv run pytest", 0), session="s-2")
    [rule] = rules(vault)
    assert found["action"] == "updated"
    assert (rule["expires_at"], rule["rule"], rule["evidence"]) == (
        "2026-05-07T12:00:00Z",
        "`pytest` failed 6 times; `uv run pytest` worked",
        "error; failed 6 times, last in session s-2, turn 0",
    )


def test_it_expires_and_comes_back_when_it_happens_again(vault):
    found = seen_twice(vault)
    vault.clock(days=15)
    effective = ("rule", "list", "--effective", "--json")
    assert json.loads(vault.call(*effective).stdout) == []
    [again] = worked(vault, *FAILED, session="s-2")
    assert (again["action"], again["id"]) == ("updated", found["id"])
    assert [r["id"] for r in json.loads(vault.call(*effective).stdout)] == [found["id"]]


def test_an_observation_that_was_retired_or_changed_stays_so(vault):
    found = seen_twice(vault)
    vault.call(
        "rule", "edit", found["id"], "--text", "pytest needs uv", "--expires", "never"
    )
    worked(vault, *FAILED, ("tox", 0), session="s-2")
    assert [(r["rule"], r.get("expires_at")) for r in rules(vault)] == [
        ("pytest needs uv", None)
    ]
    vault.call("rule", "archive", found["id"], "--reason", "known")
    [again] = worked(vault, *FAILED, session="s-3")
    assert (again["action"], again["reason"], again["id"]) == (
        "skipped",
        "retired since",
        None,
    )
    assert rules(vault) == []


def test_other_commands_and_other_causes_are_other_observations(vault):
    missing = (("pytest", 127, "pytest: command not found"),) * 2
    for session in ("s-1", "s-2"):
        worked(vault, *FAILED, session=f"{session}a")
        worked(vault, ("make", 2), ("make", 2), session=f"{session}b")
        worked(vault, *missing, session=f"{session}c")
    assert sorted(rule["rule"] for rule in rules(vault)) == [
        "`make` failed 4 times",
        "`pytest` failed 4 times",
        "`pytest` failed 4 times (not found)",
    ]


def test_where_capture_proposes_it_is_proposed(vault):
    vault.write("toolmem.toml", 'schema = 1\n[capture]\nmode = "propose"\n')
    worked(vault, *FAILED, session="s-1")
    assert proposals(vault) == []
    [found] = worked(vault, *FAILED, session="s-2")
    assert (found["action"], rules(vault)) == ("proposed", [])
    [waiting] = proposals(vault)
    vault.call("review", "--accept", waiting["id"])
    [rule] = rules(vault)
    assert (rule["source"], rule["tags"], rule["expires_at"]) == (
        "post_turn",
        ["repeated-failure"],
        "2026-05-04T12:00:00Z",
    )


def test_no_output_and_no_credential_is_kept(vault):
    command = (
        "curl -H 'Authorization: Bearer ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8' x"
    )
    secret = "AKIAZ5GTKLMN7QRS2TUV"
    runs = ((command, 1, secret), (command, 1, secret), ("curl x", 0, secret))
    for session in ("s-1", "s-2"):
        worked(vault, *runs, session=session)
    assert len(rules(vault)) == 1
    for path, data in vault.files().items():
        assert b"ghp_A1b2" not in data, path
        assert secret.encode() not in data, path
