import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.turns.made import bash, edit, turn, use, write
from toolmem.core.turns.memory import FailedCommand, TurnMemory, turn_memory
from toolmem.core.turns.render import append_to, render, strip_block

BLOCK = (
    "Tool memory:\n- Files changed: a.go, b.go\n- Failed bash: go test ./... (exit 1)"
)


def test_the_block_of_the_design():
    made = turn_memory(
        turn(write("a.go"), edit("b.go"), bash("go test ./...", 1)), "/w"
    )
    assert render([made]) == BLOCK
    assert append_to("Updated the parser.", BLOCK) == f"Updated the parser.\n\n{BLOCK}"


def test_every_kind_of_line():
    made = turn_memory(
        turn(
            write("a, b.go"),
            use("delete_file", {"path": "old.go"}),
            *[bash("go test ./...\n  -run X", 1)] * 3,
            bash("go test ./... -run X"),
            bash("git push --force", 128),
        ),
        "/w",
    )
    assert render([made]) == (
        "Tool memory:\n"
        '- Files changed: "a, b.go"\n'
        "- Files deleted: old.go\n"
        "- Failed bash: go test ./... -run X (exit 1) ×3, then passed\n"
        "- Failed bash: git push --force (exit 128)\n"
        "- Dangerous bash: git push --force"
    )


def test_a_failure_without_a_code_names_its_class():
    made = TurnMemory(failed=(FailedCommand("make", None, "timeout"),))
    assert render([made]) == "Tool memory:\n- Failed bash: make (timeout)"


@pytest.mark.parametrize("memories", [[], [None], [TurnMemory()]])
def test_nothing_to_say_is_no_block(memories):
    assert render(memories) == ""


def test_long_lists_end_in_a_number():
    made = TurnMemory(
        tuple(f"f{number}" for number in range(60)),
        dangerous=tuple(f"rm -rf /{number}" for number in range(25)),
    )
    lines = render([made]).split("\n")
    assert lines[1].endswith(", f49, … (10 more)")
    assert lines[-1] == "- Dangerous bash: … (5 more)"
    assert len(lines) == 23


@pytest.mark.parametrize(
    ("message", "block", "expected"),
    [
        ("", BLOCK, BLOCK),
        ("said\n\n", BLOCK, f"said\n\n{BLOCK}"),
        (
            f"said\n\n{BLOCK}",
            "Tool memory:\n- Files changed: x",
            "said\n\nTool memory:\n- Files changed: x",
        ),
        ("said", "", "said"),
        (f"said\n\n{BLOCK}", "", f"said\n\n{BLOCK}"),
    ],
)
def test_a_block_stands_after_one_blank_line_and_once(message, block, expected):
    assert append_to(message, block) == expected


@pytest.mark.parametrize(
    ("message", "rest"),
    [
        (BLOCK, ""),
        (f"said\n\n{BLOCK}", "said"),
        (f"said\n\n{BLOCK}\n\n", "said"),
        (f"said\n  \n{BLOCK}", "said"),
        ("said", "said"),
        ("", ""),
        # Not a block of ours: not at the end, no blank line, other lines, no header.
        (f"{BLOCK}\n\nsaid", f"{BLOCK}\n\nsaid"),
        (f"said\n{BLOCK}", f"said\n{BLOCK}"),
        (f"said\n\n{BLOCK}\n- note: x", f"said\n\n{BLOCK}\n- note: x"),
        ("said\n\nTool memory:", "said\n\nTool memory:"),
        ("said\n\n- Files changed: a", "said\n\n- Files changed: a"),
        (
            "About Tool memory:\n- Files changed: a",
            "About Tool memory:\n- Files changed: a",
        ),
        (f"> said\n\n  {BLOCK}", f"> said\n\n  {BLOCK}"),
    ],
)
def test_only_a_block_at_the_very_end_is_taken_off(message, rest):
    assert strip_block(message) == rest


TARGETS = st.text(min_size=1, max_size=30).filter(lambda t: t.strip())


@given(
    st.lists(TARGETS, max_size=4),
    st.lists(st.tuples(TARGETS, st.integers(1, 255)), max_size=4),
    st.text(max_size=60),
)
def test_any_turn_renders_to_lines_that_can_be_taken_off_again(
    paths, commands, message
):
    uses = [write(path) for path in paths] + [bash(*command) for command in commands]
    block = render([turn_memory(turn(*uses), "/w")])
    if block:
        header, *lines = block.split("\n")
        assert header == "Tool memory:"
        assert all(
            line.startswith(("- Files ", "- Failed ", "- Dang")) for line in lines
        )
        assert all(line.isprintable() for line in lines)
        assert strip_block(append_to(message, block)) == strip_block(message).rstrip()
