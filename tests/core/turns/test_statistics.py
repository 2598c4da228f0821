from tests.core.turns.made import bash, turn, use
from toolmem.core.transcript.events import CallStatus
from toolmem.core.turns.statistics import ToolStatistics, statistics


def test_calls_are_counted_by_tool_and_errors_by_class():
    turns = [
        turn(
            bash("a", 1, "Exit code 1\nno such file: x", tool="Bash"),
            bash("b", tool="bash"),
            use("Read", {}, CallStatus.REJECTED),
            use("Read", {}, None),
        ),
        turn(
            bash("c", 1, "other not found", tool="Bash"),
            bash("d", 124, "", tool="Bash"),
            use("Read", {}, CallStatus.OK, duration=10),
            use("Read", {}, CallStatus.OK, duration=21),
        ),
    ]
    bash_statistics, read_statistics = statistics(turns)
    assert bash_statistics == ToolStatistics(
        tool="Bash",
        calls=4,
        successes=1,
        failures=3,
        timed=0,
        total_ms=0,
        errors=(("not_found", "exit code 1"), ("timeout", "exit code 124")),
    )
    assert read_statistics == ToolStatistics("Read", 4, 2, 0, 2, 31)
    assert (bash_statistics.mean_ms, read_statistics.mean_ms) == (None, 16)


def test_no_turns_have_no_statistics():
    assert statistics([]) == ()


def test_no_output_is_kept():
    (made,) = statistics([turn(bash("x", 1, "line one\nline two " + "z" * 500))])
    assert made.errors == (("error", "exit code 1"),)
