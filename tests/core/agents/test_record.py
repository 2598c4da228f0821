"""Record of a call that is stored until its turn ends."""

import json

import pytest

from toolmem.core import limits
from toolmem.core.agents.event import AFTER_TOOL, TOOL_FAILED, Event
from toolmem.core.agents.record import call_record
from toolmem.core.transcript.events import START, CallStatus
from toolmem.core.transcript.read import read_transcript
from toolmem.core.transcript.tools import make_call

PATCH = (
    "cd sub && apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a.py\n@@\n"
    "-secret old line\n+secret new line\n*** Add File: b.py\n+x\n"
    "*** Delete File: c.py\n*** End Patch\nEOF"
)


def use_of(event: Event):
    message = {"role": "assistant", "tool_calls": [call_record(event)]}
    document = json.dumps({"messages": [message]}).encode()
    [turn] = read_transcript(document, format="toolmem").turns
    [use] = turn.uses
    return use


def event(tool="Bash", given=None, kind=AFTER_TOOL, **more) -> Event:
    return Event("claude", kind, "", tool=tool, input=given or {}, cwd="/w", **more)


def test_a_call_of_which_nobody_knows_how_it_ended_has_not_passed():
    use = use_of(event("Bash", {"command": "make"}, unfinished=True))
    assert use.status is CallStatus.UNKNOWN


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Bash", {"command": "ls -la", "description": "x"}),
        ("shell", {"command": ["bash", "-lc", "ls"], "workdir": "src"}),
        ("exec_command", {"cmd": "ls", "workdir": "/x"}),
        ("Write", {"file_path": "/w/a.py", "content": "x"}),
        ("Edit", {"file_path": "/w/a.py", "old_string": "a", "new_string": "b"}),
        ("NotebookEdit", {"notebook_path": "/w/a.ipynb", "new_source": "x"}),
        ("replace", {"file_path": "a.py", "old_string": "a"}),
        ("write", {"filePath": "a.py", "content": "x"}),
        ("create", {"path": "a.py", "file_text": "x"}),
        ("read_many_files", {"paths": ["a.py", "b.py"]}),
        ("delete_file", {"target_file": "a.py"}),
        ("apply_patch", {"input": PATCH}),
        ("Bash", {"command": PATCH, "isDangerous": True}),
        ("mcp__mail__send_email", {"to": "bob@example.com"}),
    ],
)
def test_what_turn_memory_needs_of_a_call_is_kept(tool, given):
    whole = make_call("", tool, {**given, "cwd": given.get("cwd", "/w")}, START, None)
    kept = use_of(event(tool, given)).call
    for name in ("tool", "kind", "paths", "deleted", "created", "cwd"):
        assert getattr(kept, name) == getattr(whole, name)
    assert kept.declared_dangerous is whole.declared_dangerous
    if PATCH not in given.values():
        assert kept.command == whole.command


def test_contents_of_files_and_outputs_are_not_kept():
    text = json.dumps(call_record(event("apply_patch", {"input": PATCH})))
    assert "secret" not in text
    written = event("Write", {"file_path": "a", "content": "hidden", "edits": [{}]})
    assert call_record(written)["args"] == {"file_path": "a", "cwd": "/w"}


def test_what_is_long_is_cut():
    record = call_record(event(given={"command": "x" * 1_000_000}))
    assert len(record["args"]["command"]) == limits.HOOK_CALL_CHARS


@pytest.mark.parametrize(
    ("made", "status", "code"),
    [
        (event(), CallStatus.OK, None),
        (event(exit_code=0), CallStatus.OK, 0),
        (event(kind=TOOL_FAILED, error="boom"), CallStatus.FAILED, None),
        (
            event(kind=TOOL_FAILED, error="Exit code 2\nx", exit_code=2),
            CallStatus.FAILED,
            2,
        ),
        (
            event(kind=TOOL_FAILED, error="x", interrupted=True),
            CallStatus.CANCELLED,
            None,
        ),
        (
            event(kind=AFTER_TOOL, error="no", interrupted=True),
            CallStatus.CANCELLED,
            None,
        ),
    ],
)
def test_how_a_call_ended_is_read_back(made, status, code):
    use = use_of(made)
    assert (use.status, use.result.exit_code) == (status, code)


def test_the_duration_is_read_back():
    assert use_of(event(duration_ms=42)).result.duration_ms == 42
