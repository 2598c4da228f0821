"""The detector over the project's own sentences: found, noted, and left alone."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.growth import is_linear
from toolmem.core.capture.find import Context, find_decrees
from toolmem.core.capture.relate.names import ToolWords
from toolmem.core.capture.relate.rules import KnownRule
from toolmem.core.capture.sure.forms import BACK_FORMS, FORMS
from toolmem.core.capture.text.masking import mask_message
from toolmem.core.capture.text.sentences import split_sentences

DATA = Path(__file__).parents[3] / "bench" / "capture_sentences"
CAPTURE = Path(__file__).parents[3] / "toolmem" / "core" / "capture"
LANGUAGES = ("de", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "tr", "zh")


def share_found(texts):
    return sum(bool(find_decrees(text)) for text in texts) / len(texts)


def sentences(name, mark):
    lines = (DATA / f"{name}.txt").read_text("utf-8").splitlines()
    return [line[2:] for line in lines if line[0] == mark]


def earlier(*labels):
    lines = (DATA / "earlier.jsonl").read_text("utf-8").splitlines()
    rows = map(json.loads, lines)
    return [row for row in rows if row["label"] in labels]


@pytest.mark.parametrize("name", LANGUAGES)
def test_lasting_sentences_of_a_language_are_noticed_and_few_ordinary_ones(name):
    assert share_found(sentences(name, "+")) >= 0.8
    assert share_found(sentences(name, "-")) <= 0.3


def test_lasting_english_sentences_are_noticed_more_often_than_ordinary_ones():
    assert share_found(sentences("en", "+")) >= 0.85
    assert share_found(sentences("en", "-")) <= 0.4


def test_decrees_of_earlier_tests_are_noticed():
    texts = [row.get("message", row["text"]) for row in earlier("lasting")]
    assert share_found(texts) >= 0.9


def test_nothing_ordinary_of_earlier_tests_is_sure():
    texts = [row["text"] for row in earlier("not", "once", "foreign")]
    sure = [text for text in texts if any(one.sure for one in find_decrees(text))]
    assert len(sure) <= len(texts) // 100


def test_pasted_and_handed_over_texts_make_no_rule_and_few_candidates():
    texts = (DATA / "pasted.txt").read_text("utf-8").split("\n=====\n")
    found = [one for text in texts for one in find_decrees(text)]
    assert len(texts) >= 50
    assert [one.text for one in found if one.sure] == []
    assert len(found) <= 5


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.shown)
def test_the_example_of_each_sure_form_is_sure(form):
    assert [one.tier for one in find_decrees(form.example)] == ["sure"]


RULES = (
    KnownRule("tabs", "edit", "Never use tabs"),
    KnownRule("main", "Bash", "Never push to main"),
    KnownRule("sudo", "Bash", "Never use sudo"),
)


@pytest.mark.parametrize("form", BACK_FORMS, ids=lambda form: form.shown)
def test_the_example_of_each_form_that_takes_back_is_sure_with_its_rule(form):
    [found] = find_decrees(form.example, Context(rules=RULES))
    assert (found.kind, found.tier, len(found.rules)) == ("back", "sure", 1)


@pytest.mark.parametrize(
    "message",
    [
        "Never push to main. Then fix the login form.",
        "Never push to main?",
        'He said "never push to main".',
        "never return null from this endpoint",
        "always show the total at the bottom of the page",
        "Never push to main.\n\n```\nmake\n```",
        "From now on it fails with a timeout.",
        "Slogans for the poster\n\nNever give up. Always smile.",
        "# Project rules\n\n- Never commit to main",
        "error text\n\nNever unplug the device.",
        "Tip of the day:\nAlways back up your data.",
        "never mind",
    ],
)
def test_a_task_a_question_a_product_or_a_paste_makes_nothing_sure(message):
    assert [one for one in find_decrees(message) if one.sure] == []


SCRAPS = (
    "never", "don't", "don`t", "do not", "always", "stop", "please", "you must not",
    "from now on", "unless", "e.g.", "p.m.", "...", "!", "?", ";", ":", "\n", "\n\n",
    "- ", "1. ", "> ", "```", "`", '"', "“", "”", "'", "<a>", "</a>", "<!--", "-->",
    "(", ")", "push", "to main", "emails", "x@y.z", "a/b.c", "v1.2", "\t", "    ",
    "\r", "_", "\ue000", "\ue001", "\u2028", "é", "🙏", "you can", "again", "不要",
    "the rule about", "forget", "## Rules", "Tool memory:", "From: a", "NAME", "nie",
)  # fmt: skip
MESSAGES = st.one_of(
    st.text(max_size=200),
    st.lists(st.sampled_from(SCRAPS), max_size=25).map(" ".join),
    st.lists(st.sampled_from(SCRAPS), max_size=25).map("".join),
)


@examples(150, deadline=None)
@given(MESSAGES, MESSAGES)
def test_every_message_is_read_and_every_place_is_right(message, other):
    tools = (ToolWords("send_email", ("mail",), ("write",)), ToolWords("Bash"))
    context = Context("s", tools, (other[:20],), (KnownRule("r", "Bash", other),))
    for found in find_decrees(message, context):
        start, end = found.span
        assert 0 <= start < end <= len(message)
        assert found.sentence in message
        assert "\n" not in found.text
        assert set(found.rules) <= {"r"}
        assert 0 <= found.score <= 1


@examples(100, deadline=None)
@given(MESSAGES)
def test_masking_and_splitting_keep_the_message_in_place(message):
    masked = mask_message(message)
    assert len(masked.masked) == len(message)
    end = 0
    for one in split_sentences(masked):
        assert message[one.start : one.end] == one.text
        assert one.start >= end
        end = one.end


SHAPES = (
    "never ", "never push. ", "- never push\n", '"', "`", "<a>", "(", "a.b ", "> ",
    "you can ", "; never", "# x\n", "不要", "from: a\n", "never ever. ",
)  # fmt: skip


@pytest.mark.one_of(3)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_message_takes_time_by_its_size(shape):
    assert is_linear(find_decrees, lambda size: shape * (size // len(shape)))


def test_capture_stays_small():
    modules = list(CAPTURE.rglob("*.py"))
    packages = {path.parent for path in modules} - {CAPTURE}
    assert sum(path.read_text("utf-8").count("\n") for path in modules) <= 2_630
    assert {path.name for path in packages} == {"text", "detect", "sure", "relate"}


def test_a_ban_after_a_lead_in_is_noticed_next_to_a_task():
    message = (
        "ah, the queue. ok, use 5 workers. While you are at it: dont ever post to a "
        'customer\'s channel from a test here, last month 40 people got a "demo over".'
    )
    assert [one.kind for one in find_decrees(message)] == ["ban"]


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("You must never open network connections.", "ban"),
        ("You must not push to main.", "ban"),
        ("Always make sure that you never commit secrets.", "ban"),
        ("You must use tabs, never spaces.", "demand"),
        ("Always add tests, never skip them.", "demand"),
    ],
)
def test_a_negation_below_must_or_always_makes_a_ban(message, kind):
    assert [one.kind for one in find_decrees(message)] == [kind]


def test_a_name_of_a_file_is_no_word_of_another_language():
    [found] = find_decrees(
        "mi.json and de.json come from Oslo, only ever edit en.json."
    )
    assert found.kind == "demand"
