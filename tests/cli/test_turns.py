"""Turn memory and statistics, as they are kept, shown and appended."""

import json

import pytest

from tests.core.transcript.lines import Claude, jsonl

SEED = (
    "Tool memory:\n- Files changed: a.go, b.go\n- Failed bash: go test ./... (exit 1)"
)


@pytest.fixture
def vault(world):
    return world.vault("empty")


def made(*calls, said="Go on."):
    messages = [{"role": "user", "content": said}]
    messages.append({"role": "assistant", "tool_calls": list(calls)})
    return json.dumps({"messages": messages, "cwd": "/w/app"})


def bash(command, code=0, **keys):
    args = {"command": command}
    return {"name": "bash", "args": args, "exit_code": code, "output": "x", **keys}


def write(path):
    return {"name": "write", "args": {"path": path}, "output": "done"}


def edit(path):
    return {"name": "edit", "args": {"path": path}, "output": "done"}


SEED_TURN = made(
    write("/w/app/a.go"), edit("a.go"), edit("/w/app/b.go"), bash("go test ./...", 1)
)


def add(vault, given, *args, session="s-1"):
    done = vault.call("turn", "add", "--session", session, *args, stdin=given)
    assert (done.code, done.stderr) == (0, "")
    return done.stdout


def render(vault, *args, **keys):
    return vault.call("turn", "render", "--session", "s-1", *args, **keys).stdout


def test_the_block_is_that_of_the_design(vault):
    add(vault, SEED_TURN)
    assert render(vault) == SEED + "\n"


def test_the_block_stands_under_a_message_once_however_often_it_is_put_there(vault):
    add(vault, SEED_TURN)
    once = render(vault, "--append-to", "-", stdin="Updated the parser.\n")
    assert once == f"Updated the parser.\n\n{SEED}\n"
    assert render(vault, "--append-to", "-", stdin=once) == once
    vault.write("msg.txt", "Updated the parser.\n")
    assert render(vault, "--append-to", "msg.txt") == once
    assert render(vault, "--append-to", "-", stdin="") == SEED + "\n"


@pytest.mark.parametrize("cwd", ["", "notes"])
def test_the_message_to_append_to_is_the_content_of_the_named_file(vault, cwd):
    add(vault, SEED_TURN)
    vault.write("notes/msg.txt", "Done.\n").write("msg.txt", "Done.\n")
    assert render(vault, "--append-to", "msg.txt", cwd=cwd) == f"Done.\n\n{SEED}\n"


@pytest.mark.parametrize(
    ("name", "code", "message"),
    [
        ("Updated the parser.", 12, "Updated the parser.: no such file"),
        ("folder", 15, "folder: cannot be read: Is a directory"),
    ],
)
def test_a_message_that_cannot_be_read_is_an_error_and_not_text(
    vault, name, code, message
):
    add(vault, SEED_TURN)
    vault.write("folder/a.txt", "")
    words = ("turn", "render", "--session", "s-1", "--append-to", name)
    vault.run(*words).stdout("").stderr(f"toolmem: {message}\n").exits(code)


def test_an_agent_appends_to_files_of_its_folders_only(vault, monkeypatch):
    add(vault, SEED_TURN)
    monkeypatch.setenv("TOOLMEM_AGENT", "helper-1")
    done = vault.call("turn", "render", "--session", "s-1", "--append-to", "/etc/hosts")
    assert done.stdout == ""
    assert "an agent's files are in this folder or the vault" in done.stderr


def test_only_a_block_of_its_own_at_the_end_is_taken_for_one(vault):
    add(vault, made(edit("a.go")))
    said = "It prints\nTool memory:\n- Files changed: x\nand ends."
    wanted = f"{said}\n\nTool memory:\n- Files changed: a.go\n"
    assert render(vault, "--append-to", "-", stdin=said) == wanted


def test_a_turn_without_calls_leaves_nothing(vault):
    given = json.dumps({"messages": [{"role": "user", "content": "Hello."}]})
    assert add(vault, given) == ""
    assert render(vault) == ""
    vault.run("turn", "show", "--session", "s-1").exits(12)
    vault.stderr("toolmem: no such turn, or nothing was stored for it\n")


def test_what_is_no_transcript_is_refused_and_not_lost_in_silence(vault):
    done = vault.run("turn", "add", "--session", "s-1", stdin="{bad")
    done.exits(2).stderr(
        "toolmem: the format of this transcript is unknown: name it with --format\n"
    )
    assert add(vault, "") == ""


def test_the_last_ten_turns_are_told_unless_another_number_is_given(vault):
    for number in range(12):
        add(vault, made(edit(f"f{number:02}.go"), said=f"Turn {number}."))
    files = ", ".join(f"f{number:02}.go" for number in range(2, 12))
    assert render(vault) == f"Tool memory:\n- Files changed: {files}\n"
    assert render(vault, "--last", "1") == "Tool memory:\n- Files changed: f11.go\n"
    listed = json.loads(
        vault.call("turn", "list", "--session", "s-1", "--last", "2", "--json").stdout
    )
    assert [turn["turn"] for turn in listed] == [10, 11]
    shown = vault.call("turn", "show", "--session", "s-1", "3", "--json").stdout
    assert json.loads(shown) == {
        "turn": 3,
        "files": [{"path": "f03.go", "change": "edited"}],
        "failed": [],
        "deleted": [],
        "dangerous": [],
    }


def test_a_turn_tells_what_failed_was_fixed_deleted_and_dangerous(vault):
    calls = [bash("make", 2), bash("make", 2), bash("make", 2), bash("make")]
    calls += [bash("rm old.go"), bash("git push --force"), write("new.go")]
    calls += [bash("deploy\n  --all", 1, isDangerous=True)]
    add(vault, made(*calls))
    assert render(vault) == (
        "Tool memory:\n"
        "- Files changed: new.go\n"
        "- Files deleted: old.go\n"
        "- Failed bash: make (exit 2) ×3, then passed\n"
        "- Failed bash: deploy --all (exit 1)\n"
        "- Dangerous bash: git push --force\n"
        "- Dangerous bash: deploy --all\n"
    )


def test_addresses_lose_users_and_queries_and_secrets_are_redacted(vault):
    key = "ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    command = f"curl https://me:pw@example.com/x?token=1 -H 'X: {key}'"
    add(vault, made(bash(command, 1)))
    assert render(vault) == (
        "Tool memory:\n"
        "- Failed bash: curl https://example.com/x -H 'X: [redacted]' (exit 1)\n"
    )
    assert all(key.encode() not in data for data in vault.files().values())


def test_a_session_outlives_compaction_and_resumption(vault):
    session = Claude()
    first = [session.user("Go."), session.call("Edit", "a", file_path="/w/app/a.go")]
    first.append(session.result("a", "done"))
    vault.write("log", jsonl(*first))
    vault.call("turn", "add", "log")
    compacted = session.user("This session is being continued …", isCompactSummary=True)
    second = [session.user("On."), session.call("Edit", "b", file_path="/w/app/b.go")]
    second.append(session.result("b", "done"))
    vault.write("log", jsonl(compacted, *second))
    vault.call("turn", "add", "log")
    assert render(vault) == "Tool memory:\n- Files changed: a.go, b.go\n"


def test_turns_that_were_added_are_still_searched_for_decrees(vault):
    add(vault, made(edit("a.go"), said="Never use sudo."))
    given = made(edit("a.go"), said="Never use sudo.")
    args = ("capture", "-", "--session", "s-1", "--since-last", "--json")
    found = json.loads(vault.call(*args, stdin=given).stdout)
    assert [entry["action"] for entry in found["decrees"]] == ["created"]
    assert json.loads(vault.call(*args, stdin=given).stdout)["decrees"] == []


def test_what_runs_on_without_a_message_belongs_to_the_turn_before(vault):
    capture = ("capture", "-", "--session", "s-1")
    vault.call(*capture, stdin=made(edit("a.go")))
    more = [{"role": "assistant", "tool_calls": [edit("b.go")]}]
    vault.call(*capture, stdin=json.dumps({"messages": more}))
    assert render(vault, "--last", "1") == "Tool memory:\n- Files changed: a.go, b.go\n"
    [row] = json.loads(vault.call("stats", "edit", "--json").stdout)
    assert row["calls"] == 2


@pytest.mark.parametrize("shape", ["calls", "listed", "lines"])
def test_calls_alone_are_a_turn(vault, shape):
    for calls in ([bash("make", 2), edit("a.go")], [bash("make", 2)]):
        given = {
            "calls": json.dumps(calls),
            "listed": json.dumps({"tool_calls": calls}),
            "lines": "\n".join(map(json.dumps, calls)),
        }[shape]
        add(vault, given)
    assert render(vault, "--last", "1") == (
        "Tool memory:\n- Failed bash: make (exit 2)\n"
    )
    assert render(vault) == (
        "Tool memory:\n- Files changed: a.go\n- Failed bash: make (exit 2) ×2\n"
    )


@pytest.mark.parametrize("together", [False, True], ids=["apart", "together"])
def test_a_command_that_passes_in_a_later_turn_is_no_open_failure(vault, together):
    parts = [made(bash("make", 2)), made(bash("make"), said="Fix it.")]
    parts.append(made(bash("mypy", 1), said="Now the types."))
    if together:
        messages = [m for part in parts for m in json.loads(part)["messages"]]
        parts = [json.dumps({"messages": messages})]
    for part in parts:
        add(vault, part)
    assert render(vault) == (
        "Tool memory:\n- Failed bash: make (exit 2), then passed\n"
        "- Failed bash: mypy (exit 1)\n"
    )
    add(vault, made(bash("make", 2), said="And once more."))
    assert "- Failed bash: make (exit 2) ×2\n" in render(vault)


def test_statistics_are_sums_and_never_outputs(vault):
    calls = [bash("make", 2, duration_ms=100), bash("make", duration_ms=300)]
    calls.append(
        {"name": "edit", "args": {"path": "a"}, "error": "permission denied: a"}
    )
    add(vault, made(*calls))
    add(vault, made(bash("ls")), session="s-2")
    assert vault.call("stats").stdout == (
        "bash  3 calls  1 failed  200 ms  exit code 2\n"
        "edit  1 call   1 failed  -       permission denied\n"
    )
    assert json.loads(vault.call("stats", "EDIT", "--json").stdout) == [
        {
            "tool": "edit",
            "calls": 1,
            "successes": 0,
            "failures": 1,
            "mean_ms": None,
            "errors": [{"class": "permission_denied", "line": ""}],
            "rules": [],
        }
    ]
    vault.run("stats", "nothing").exits(12)
    vault.stderr("toolmem: no tool 'nothing'\n")


def test_the_last_five_distinct_errors_are_told_newest_first(vault):
    words = ("timeout", "not found", "permission", "connection", "syntax", "unlucky")
    for number, word in enumerate(words):
        vault.clock(days=1)
        call = {"name": "fetch", "args": {}, "error": f"{word} {number}"}
        add(vault, made(call, said=f"Turn {number}."))
    [row] = json.loads(vault.call("stats", "fetch", "--json").stdout)
    assert [error["class"] for error in row["errors"]] == [
        "error",
        "parse_error",
        "connection_error",
        "permission_denied",
        "not_found",
    ]


def test_sessions_are_listed_newest_first(vault):
    add(vault, SEED_TURN, session="old")
    vault.clock(days=1)
    add(vault, SEED_TURN, session="new")
    assert vault.call("turn", "list").stdout == (
        "new  1 turn  2026-04-21T12:00:00Z\nold  1 turn  2026-04-20T12:00:00Z\n"
    )


def test_turns_of_long_ago_are_forgotten_when_a_session_begins(vault):
    add(vault, SEED_TURN, session="old")
    vault.clock(days=91)
    add(vault, SEED_TURN, session="new")
    rows = json.loads(vault.call("turn", "list", "--json").stdout)
    assert [row["session"] for row in rows] == ["new"]


def test_a_session_must_be_named(vault):
    vault.run("turn", "add", stdin=SEED_TURN).exits(2)
    vault.stderr("toolmem: --session is missing: name the session\n")
    done = vault.call("turn", "render")
    assert (done.code, done.stderr.splitlines()[-1]) == (
        2,
        "Error: Missing option '--session'.",
    )
