import json

from hypothesis import given
from hypothesis import strategies as st

from toolmem.core.turns.document import turn_document, turn_from
from toolmem.core.turns.memory import FailedCommand, TurnMemory

TEXTS = st.lists(st.text(max_size=8), max_size=4, unique=True).map(tuple)
FAILED = st.builds(
    FailedCommand,
    st.text(max_size=8),
    st.none() | st.integers(-5, 300),
    st.just("timeout"),
    st.integers(1, 9),
    st.booleans(),
)


def test_a_turn_reads_as_the_contract_says():
    memory = TurnMemory(
        ("a.py", "b.py"),
        ("c.py",),
        (
            FailedCommand("make", 2, "error", 3, True),
            FailedCommand("x", None, "timeout"),
        ),
        ("rm -rf /",),
        ("b.py",),
    )
    assert turn_document(memory) == {
        "files": [
            {"path": "a.py", "change": "edited"},
            {"path": "b.py", "change": "created"},
        ],
        "failed": [
            {"command": "make", "exit_code": 2, "count": 3, "fixed": True},
            {
                "command": "x",
                "exit_code": None,
                "count": 1,
                "fixed": False,
                "error": "timeout",
            },
        ],
        "deleted": ["c.py"],
        "dangerous": ["rm -rf /"],
    }


@given(TEXTS, TEXTS, st.lists(FAILED, max_size=3).map(tuple), TEXTS)
def test_a_turn_is_read_back_as_it_was(changed, deleted, failed, dangerous):
    known = tuple(
        entry if entry.exit_code is None else FailedCommand(
            entry.command, entry.exit_code, "error", entry.count, entry.then_passed
        )
        for entry in failed
    )  # fmt: skip
    memory = TurnMemory(changed, deleted, known, dangerous, changed[1:])
    assert turn_from(json.loads(json.dumps(turn_document(memory)))) == memory
