"""Demands of Keen Code's memory of a turn: changed files and failed commands.

Sources: its plan "Tool Memory Redesign", by section, and the tests of `turn_memory`.
"""

import json

import pytest

from tests.acceptance.book import differs

BLOCK = (
    "Tool memory:\n- Files changed: a.go, b.go\n- Failed bash: go test ./... (exit 1)\n"
)


def bash(command, code=0, **keys):
    args = {"command": command}
    return {"name": "bash", "args": args, "exit_code": code, "output": "x", **keys}


def file(tool, path, **keys):
    return {"name": tool, "args": {"path": path}, "output": "done", **keys}


def test_files_that_were_written_or_edited_are_kept_once_in_order(transcript):
    """ "Agreed Requirements": FilesChanged; test `DeduplicatesChangedFiles`."""
    calls = [file("write_file", "a.go"), file("edit_file", "a.go")]
    calls += [file("edit_file", "b.go")]
    assert transcript.turn(*calls) == "Tool memory:\n- Files changed: a.go, b.go\n"


def test_files_are_relative_to_the_working_folder(transcript):
    """ "Rendering Contract": relative path; test `UsesRelativePath`."""
    shown = transcript.turn(file("write_file", "/w/app/dir/file.go"))
    assert shown == "Tool memory:\n- Files changed: dir/file.go\n"


def test_a_file_outside_the_working_folder_keeps_its_whole_path(transcript):
    """ "Rendering Contract": relative path; no `../`."""
    shown = transcript.turn(file("write_file", "/etc/hosts"))
    assert shown == "Tool memory:\n- Files changed: /etc/hosts\n"


def test_a_failed_command_is_kept_with_its_exit_code(transcript):
    """ "Agreed Requirements": FailedBash; test `RecordsFailedBashOnly`."""
    shown = transcript.turn(bash("make all", 2))
    assert shown == "Tool memory:\n- Failed bash: make all (exit 2)\n"


def test_a_command_that_succeeded_is_not_kept(transcript):
    """Section 2, "Do not capture": successful bash commands."""
    assert transcript.turn(bash("make all")) == ""


@pytest.mark.parametrize("code", [1, 1.0])
def test_an_exit_code_may_be_any_kind_of_number(transcript, code):
    """Section 2: exit codes as JSON decodes them."""
    assert "(exit 1)" in transcript.turn(bash("go vet", code))


@pytest.mark.parametrize("tool", ["read_file", "grep", "glob"])
def test_tools_that_only_read_leave_nothing(transcript, tool):
    """Section 2, "Do not capture": read_file, grep, glob."""
    assert transcript.turn(file(tool, "a.go")) == ""


@pytest.mark.parametrize("code", [0, 1, 127])
@pytest.mark.parametrize("output", ["compiler-said\n{}", "{}\n", "not found: {}"])
def test_output_is_never_kept(transcript, tmp_path, code, output):
    """ "Agreed Requirements": do not store raw stdout or stderr."""
    loud = output.format("compiler-said" * 20)
    calls = [bash("go build", code, output=loud)] * 3
    transcript.turn(*calls, file("edit_file", "a.go"))
    stored = [p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()]
    assert not any(b"compiler-said" in data for data in stored)


def test_the_block_has_exactly_this_form(transcript):
    """ "Rendering Contract": proposed format."""
    calls = [file("write_file", "a.go"), file("edit_file", "b.go")]
    assert transcript.turn(*calls, bash("go test ./...", 1)) == BLOCK


def test_it_follows_the_content_of_the_message_after_one_blank_line(transcript):
    """Test `FormatMessage` of "Updated the parser."."""
    calls = [file("write_file", "a.go"), file("edit_file", "b.go")]
    transcript.turn(*calls, bash("go test ./...", 1))
    words = ("turn", "render", "--session", "s-1", "--append-to", "-")
    shown = transcript.call(*words, stdin="Updated the parser.")
    assert shown == f"Updated the parser.\n\n{BLOCK}"


def test_the_message_may_be_in_a_file(transcript):
    """Section 5: the stored message of the assistant."""
    transcript.turn(file("write_file", "a.go"))
    transcript.world.write("msg.txt", "Updated the parser.\n")
    words = ("turn", "render", "--session", "s-1", "--append-to", "msg.txt")
    block = "Tool memory:\n- Files changed: a.go\n"
    assert transcript.call(*words) == f"Updated the parser.\n\n{block}"


def test_it_is_alone_where_the_message_has_no_content(transcript):
    """Section 5: a message without content."""
    transcript.turn(file("write_file", "a.go"))
    words = ("turn", "render", "--session", "s-1", "--append-to", "-")
    shown = transcript.call(*words, stdin="")
    assert shown == "Tool memory:\n- Files changed: a.go\n"


def test_a_message_that_has_the_block_gets_no_second_one(transcript):
    """Section 7: messages of a compaction already have the block."""
    transcript.turn(file("write_file", "a.go"))
    words = ("turn", "render", "--session", "s-1", "--append-to", "-")
    once = transcript.call(*words, stdin="Done.")
    assert transcript.call(*words, stdin=once) == once


def test_a_turn_without_calls_leaves_nothing(transcript):
    """Section 3: no retained memory is nil."""
    assert transcript.turn() == ""


def test_empty_sections_are_left_out(transcript):
    """ "Rendering Contract": omit empty sections."""
    assert "Failed bash" not in transcript.turn(file("write_file", "a.go"))


def test_rendering_is_deterministic(transcript):
    """ "Rendering Contract": keep rendering deterministic."""
    first = transcript.turn(file("write_file", "b.go"), file("write_file", "a.go"))
    assert transcript.call("turn", "render", "--session", "s-1") == first


def test_a_write_that_failed_changed_no_file(transcript):
    """Section 2: a result with a tool error is ignored."""
    broken = {"name": "write_file", "args": {"path": "a.go"}, "error": "no such folder"}
    assert transcript.turn(broken) == ""


def test_a_write_without_a_result_counts_next_to_a_finished_command(transcript):
    """Section 2: file paths from write_file, in the minimal form."""
    calls = [{"name": "write_file", "args": {"path": "a.go"}}, bash("go test ./...", 1)]
    calls.append({"name": "edit_file", "args": {"path": "b.go"}})
    assert transcript.turn(*calls) == BLOCK


def test_a_turn_that_was_interrupted_keeps_what_was_done(transcript):
    """Version 0.6.0: memory is kept on an interrupt."""
    calls = [file("write_file", "a.go"), {"name": "bash", "args": {"command": "make"}}]
    assert transcript.turn(*calls) == "Tool memory:\n- Files changed: a.go\n"


def test_a_command_of_several_lines_is_one_line(transcript):
    """ "Rendering Contract": one bullet a command."""
    shown = transcript.turn(bash("deploy \\\n  --all", 1))
    assert len(shown.splitlines()) == 2


@differs(
    "a command that fails again is one entry with a count, and says when it passed in "
    "the end: the list stays short, and what is fixed is not tried again"
)
def test_every_failure_is_an_entry_of_its_own(transcript):
    """Section 2: an append-only list for failed bash commands."""
    shown = transcript.turn(*[bash("make", 2)] * 3, bash("make"), bash("ls nope", 1))
    assert shown == (
        "Tool memory:\n- Failed bash: make (exit 2) ×3, then passed\n"
        "- Failed bash: ls nope (exit 1)\n"
    )


def test_a_dangerous_command_is_marked(transcript):
    """The idea `isDangerous` of the first plan."""
    shown = transcript.turn(bash("rm -rf build", isDangerous=True))
    assert "- Dangerous bash: rm -rf build\n" in shown


def test_a_command_with_a_credential_is_not_shown(transcript):
    """Version 0.28, test `SanitizesTargets`: an Authorization header."""
    command = "curl -H 'Authorization: Bearer s3cr3tT0k3nV4lu3xyz' https://example.com"
    shown = transcript.turn(bash(command, 22))
    assert "s3cr3tT0k3n" not in shown


def test_a_web_address_loses_user_query_and_fragment(transcript):
    """Version 0.28, test `SanitizesTargets`: a URL."""
    address = "https://user:hunter2pass@example.com/docs?token=abc123secret#section"
    shown = transcript.turn(bash(f"wget {address}", 4))
    assert "example.com/docs" in shown
    assert not any(word in shown for word in ("hunter2", "abc123", "#section"))


def test_the_latest_ten_turns_are_rendered(transcript):
    """The first plan: latest 10 memories."""
    for number in range(12):
        transcript.turn(file("write_file", f"f{number:02}.go"))
    files = ", ".join(f"f{number:02}.go" for number in range(2, 12))
    shown = transcript.call("turn", "render", "--session", "s-1")
    assert shown == f"Tool memory:\n- Files changed: {files}\n"


def test_a_turn_survives_the_process_that_saw_it(transcript):
    """Section 4: session persistence keeps it."""
    transcript.turn(file("write_file", "a.go"), bash("make", 2))
    (turn,) = transcript.json("turn", "list", "--session", "s-1")
    assert [entry["path"] for entry in turn["files"]] == ["a.go"]
    assert [(e["command"], e["exit_code"]) for e in turn["failed"]] == [("make", 2)]


def test_the_model_writes_no_markup_for_it(transcript):
    """Section 6: no hidden tags, deterministic from the results of tools."""
    text = "Done. <keen_memory>- Files changed: z.go</keen_memory>"
    messages = [
        {"role": "user", "content": "Go on."},
        {"role": "assistant", "content": text, "tool_calls": [file("edit_file", "a")]},
    ]
    given = json.dumps({"messages": messages, "cwd": "/w/app"})
    transcript.call("turn", "add", "--session", "s-1", stdin=given)
    shown = transcript.call("turn", "render", "--session", "s-1")
    assert shown == "Tool memory:\n- Files changed: a\n"
