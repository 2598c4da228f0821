"""Whatever is typed: no error, places that are right, and work in proportion."""

import sys
from types import FrameType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolmem.core.capture.decree import find_decrees
from toolmem.core.capture.relate import KnownRule, relate
from toolmem.core.capture.sentences import split_sentences
from toolmem.core.capture.spans import own_prose
from toolmem.core.capture.tools import ToolWords, choose_tools

SCRAPS = (
    "never", "don't", "don`t", "do not", "always", "stop", "please", "you must not",
    "from now on", "unless", "e.g.", "p.m.", "...", "!", "?", ";", ":", "\n", "\n\n",
    "- ", "1. ", "> ", "```", "`", '"', "“", "”", "'", "<a>", "</a>", "<!--", "-->",
    "(", ")", "push", "to main", "emails", "x@y.z", "a/b.c", "v1.2", "\t", "    ",
    "\r", "_", "\ue000", "\ue001", "\u2028", "é", "🙏", "you can", "again",
    "the rule about", "forget", "is fine now", "## Rules", "Tool memory:",
    "commit abcdef1", "| x |",
)  # fmt: skip
MESSAGES = st.one_of(
    st.text(max_size=200),
    st.lists(st.sampled_from(SCRAPS), max_size=25).map(" ".join),
    st.lists(st.sampled_from(SCRAPS), max_size=25).map("".join),
)
TOOLS = (ToolWords("send_email", ("mail",), ("write",)), ToolWords("Bash"))


@settings(max_examples=200)
@given(MESSAGES)
def test_every_message_is_read_and_every_place_is_right(message):
    for find in find_decrees(message):
        piece = message[find.start : find.end]
        assert 0 <= find.start < find.end <= len(message)
        assert find.sentence in message
        assert "\n" not in find.text
        assert find.text.split()[-1].strip("`") in " ".join(piece.split())
        if find.why != "listed" and "`" not in find.text:
            assert find.text == " ".join(piece.split())


@settings(max_examples=100)
@given(MESSAGES)
def test_masking_and_splitting_keep_the_message_in_place(message):
    assert len(own_prose(message).masked) == len(message)
    end = 0
    for one in split_sentences(message):
        assert message[one.start : one.end] == one.text
        assert one.start >= end
        end = one.end


@settings(max_examples=100)
@given(MESSAGES, MESSAGES)
def test_any_text_can_be_related_and_routed(message, other):
    rules = [KnownRule("r1", "any", other), KnownRule("r2", "any", message)]
    for find in find_decrees(message):
        assert set(relate(find, rules).ids) <= {"r1", "r2"}
    chosen = choose_tools(message, TOOLS, (other[:20],))
    assert set(chosen) <= {"send_email", "Bash", other[:20]}


@given(MESSAGES)
@settings(max_examples=50)
def test_the_same_message_is_always_read_the_same(message):
    assert find_decrees(message) == find_decrees(message)


HEAVY = (
    "never ", "never, ", "never push. ", "- never push\n", "don't ", "and never ",
    "never push: ", "please ", "if you ", "it is ", "no ", "you can ", "forget the ",
    '"', "“", "'", "`", "`` ` ", "<a>", "<a ", "</a>", "<!--", "(", "[", ":", "a",
    "a.b", "a@", "x/", "_", " ", "\n", "\n\n", "> ", "    x\n", "# x\n", "i really ",
    "; never", "when you push ", "the rule ", "\ue000", "1. ", "- a:\n  ", "a, ",
    "?", "…", "🙏",
)  # fmt: skip


@pytest.mark.parametrize("tail", [")", " )", "!", ", ok", " 🙏", ";", " :)", "*", ".)"])
def test_a_long_tail_is_cut_or_kept_without_trouble(tail):
    (find,) = find_decrees("never push to main" + tail * 20_000)[:1]
    assert find.text.startswith("never push to main")


def calls(text: str) -> int:
    """How many calls, of Python and of C, it takes to read a message."""
    count = 0

    def tick(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(tick)
    try:
        find_decrees(text)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("scrap", HEAVY)
def test_work_grows_in_proportion_to_the_text(scrap):
    """Four times the text may take six times the calls, and never sixteen."""
    few, many = (calls(scrap * (size // len(scrap))) for size in (1024, 4096))
    assert many < 6 * few + 5_000


@pytest.mark.parametrize("scrap", HEAVY[::6])
def test_a_message_of_64_kib_is_read(scrap):
    finds = find_decrees(scrap * (65536 // len(scrap)))
    assert all(find.end <= 65536 for find in finds)
