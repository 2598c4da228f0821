from typing import Any

import pytest

from tests.core.turns.made import bash, edit, turn, use, write
from toolmem.core.transcript.events import CallStatus, ToolResult, ToolUse
from toolmem.core.turns.memory import (
    FailedCommand,
    TurnMemory,
    merged,
    passed_commands,
    turn_memory,
    with_passed,
)

CWD = "/w/app"


def memory(*uses: ToolUse, cwd: str = CWD) -> Any:
    return turn_memory(turn(*uses), cwd)


def test_changed_files_are_listed_once_in_the_order_first_seen():
    made = memory(write("a.go"), edit("a.go"), edit("b.go"))
    assert made == TurnMemory(changed=("a.go", "b.go"), created=("a.go",))


def test_a_file_that_was_read_or_edited_before_it_was_written_is_not_new():
    read = use("read_file", {"path": "b.go"})
    made = memory(edit("a.go"), write("a.go"), read, write("b.go"), write("c.go"))
    assert made == TurnMemory(changed=("a.go", "b.go", "c.go"), created=("c.go",))


def test_a_patch_says_which_files_it_adds_and_where_one_moves():
    patch = (
        "*** Begin Patch\n*** Add File: new.py\n+x\n*** Update File: old.py\n"
        "*** Update File: a.py\n*** Move to: b.py\n*** End Patch"
    )
    made = memory(use("apply_patch", {"input": patch}))
    assert made == TurnMemory(
        changed=("new.py", "old.py", "b.py"),
        deleted=("a.py",),
        created=("new.py", "b.py"),
    )


def test_what_the_agent_says_of_a_written_file_counts():
    known, new = (
        ToolUse(call := write("a.go").call, ToolResult("", CallStatus.OK, created=said))
        for said in (False, True)
    )
    assert call.paths == ("a.go",)
    assert memory(known) == TurnMemory(changed=("a.go",))
    assert memory(known, new) == TurnMemory(changed=("a.go",))
    assert memory(new) == TurnMemory(changed=("a.go",), created=("a.go",))


def test_only_failed_commands_are_kept():
    made = memory(bash("go test ./...", 1), bash("go vet ./...", 0))
    assert made == TurnMemory(failed=(FailedCommand("go test ./...", 1),))


def test_paths_are_seen_from_the_working_folder():
    assert memory(write("/w/app/dir/file.go")).changed == ("dir/file.go",)


@pytest.mark.parametrize(
    "uses",
    [
        (),
        (use("read_file", {"path": "a.go"}),),
        (bash("ls"),),
        (bash("rg nothing", 0),),
        (edit("a.go", CallStatus.FAILED),),
        (edit("a.go", CallStatus.REJECTED),),
        (edit("a.go", CallStatus.DENIED_BY_HOOK),),
        (edit("a.go", CallStatus.CANCELLED),),
        (edit("a.go", None),),
        (use("mcp__fs__write_file", {"path": "a.go"}),),
        (use("bash", {"command": "make"}, CallStatus.REJECTED),),
        (use("bash", {"command": "make"}, CallStatus.CANCELLED),),
        (use("bash", {}, CallStatus.FAILED, 1),),
    ],
)
def test_a_turn_that_left_nothing_has_no_memory(uses):
    assert memory(*uses) is None


def test_a_write_of_which_no_result_was_recorded_counts():
    assert memory(edit("a.go", CallStatus.UNKNOWN)).changed == ("a.go",)


def test_repeats_are_counted_and_a_later_pass_is_marked():
    assert memory(*[bash("make", 2)] * 3, bash("make")).failed == (
        FailedCommand("make", 2, count=3, then_passed=True),
    )


def test_a_command_that_fails_again_did_not_pass():
    assert memory(bash("make", 2), bash("make"), bash("make", 2)).failed == (
        FailedCommand("make", 2, count=2),
    )


def test_different_exit_codes_are_told_apart():
    assert memory(bash("make", 2), bash("make", 1), bash("make")).failed == (
        FailedCommand("make", 2, then_passed=True),
        FailedCommand("make", 1, then_passed=True),
    )


def test_a_failure_without_a_code_is_told_by_its_class():
    slow = use(
        "bash", {"command": "make"}, CallStatus.FAILED, None, "Command timed out"
    )
    assert memory(slow).failed == (FailedCommand("make", None, "timeout"),)


def test_commands_that_differ_in_blanks_are_one():
    assert memory(bash("make  all", 1), bash("make\nall", 1)).failed == (
        FailedCommand("make all", 1, count=2),
    )


def test_dangerous_commands_are_kept_once_unless_they_never_ran():
    made = memory(
        bash("git push --force"),
        bash("git push --force"),
        bash("deploy", isDangerous=True),
        use("bash", {"command": "send"}, declared=True),
        use("bash", {"command": "rm -rf /"}, CallStatus.REJECTED),
        use("bash", {"command": "rm -rf ~"}, CallStatus.DENIED_BY_HOOK),
        bash("ls 2>&1"),
    )
    assert made == TurnMemory(dangerous=("git push --force", "deploy", "send"))


def test_a_file_counts_as_what_was_done_to_it_last():
    made = memory(write("a"), write("b"), use("delete_file", {"path": "a"}))
    assert (made.changed, made.deleted) == (("b",), ("a",))
    again = memory(use("delete_file", {"path": "a"}), write("a"))
    assert (again.changed, again.deleted) == (("a",), ())


def test_a_patch_changes_moves_and_deletes():
    patch = (
        "*** Begin Patch\n*** Update File: a.py\n*** Move to: b.py\n"
        "*** Delete File: c.py\n*** End Patch"
    )
    made = memory(use("apply_patch", patch))
    assert (made.changed, made.deleted) == (("b.py",), ("a.py", "c.py"))


def test_deletions_by_command_are_seen_from_where_it_ran():
    made = memory(
        bash("rm a.txt && cd sub && git rm b.txt", workdir="/w/app/pkg"),
        bash("rm gone.txt", 1),
    )
    assert made.deleted == ("pkg/a.txt", "pkg/sub/b.txt")


def test_a_forced_rm_deletes_what_the_turn_itself_wrote():
    made = memory(write("tmp.py"), bash("rm -f tmp.py other.py"))
    assert (made.changed, made.deleted) == ((), ("tmp.py",))


def test_what_lies_in_a_deleted_folder_is_no_longer_changed():
    wrote = (write("sub/a.py"), write("sub/deep/b.py"), write("subject.py"))
    for command in ("rm -r sub", "rm -rf sub/", "git rm -r sub"):
        made = memory(*wrote, bash(command))
        assert (made.changed, made.deleted) == (("subject.py",), ("sub",))
    again = memory(*wrote, bash("rm -r sub"), write("sub/a.py"))
    assert again.changed == ("subject.py", "sub/a.py")
    turns = (memory(*wrote), memory(bash("rm -r sub")))
    assert merged(turns).changed == ("subject.py",)


def test_secrets_never_stay():
    key = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    made = memory(
        bash(f"curl -H 'Authorization: token {key}' x", 22), bash(f"X={key} y", 1)
    )
    assert key not in str(made)
    assert [entry.command for entry in made.failed] == [
        "curl -H 'Authorization: token [redacted]' x",
        "X=[redacted] y",
    ]


def test_several_turns_become_one_in_order():
    one = TurnMemory(("a", "b"), ("c",), (FailedCommand("make", 1),), ("rm -rf /",))
    two = TurnMemory(("c",), ("a",), (FailedCommand("make", 1, then_passed=True),))
    assert merged([one, None, two]) == TurnMemory(
        ("b", "c"),
        ("a",),
        (FailedCommand("make", 1, count=2, then_passed=True),),
        ("rm -rf /",),
    )
    assert merged([]) == TurnMemory()


def test_the_last_run_of_a_command_says_whether_it_passed():
    failed, passed = FailedCommand("make", 1), FailedCommand("make", 2)
    one = TurnMemory(failed=(failed._replace(then_passed=True),))
    assert merged([one, TurnMemory(failed=(passed,))]).failed == (failed, passed)


def test_a_command_that_passed_last_is_fixed_in_an_earlier_turn():
    later = turn(bash("pytest -q", 1), bash("pytest -q"), bash("make", 0))
    passed = passed_commands(later)
    assert passed == ("pytest -q", "make")
    before = TurnMemory(failed=(FailedCommand("make", 2), FailedCommand("mypy", 1)))
    assert with_passed(before, passed).failed == (
        FailedCommand("make", 2, then_passed=True),
        FailedCommand("mypy", 1),
    )


def test_a_turn_of_many_different_failures_costs_no_more_than_their_number():
    uses = [bash(f"make target{number}", 1) for number in range(2_000)]
    assert len(memory(*uses).failed) == 2_000
