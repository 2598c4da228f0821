"""Where sentences end, and what a rule's text keeps of them."""

import pytest

from tests.core.capture.reading import applied
from toolmem.core.capture.sentences import Sentence, split_sentences

SPLITS: tuple[tuple[str, list[str]], ...] = (
    ("One. Two! Three?", ["One.", "Two!", "Three?"]),
    ("Mail a@b.co. See x.y/z. Use v1.2.", ["Mail a@b.co.", "See x.y/z.", "Use v1.2."]),
    ("Not on Fri. after 3 p.m. or so.", ["Not on Fri. after 3 p.m. or so."]),
    ("Stop at 5 p.m. Never later.", ["Stop at 5 p.m.", "Never later."]),
    ("Ask Mr. Lee vs. Dr. Kim.", ["Ask Mr. Lee vs. Dr. Kim."]),
    ("Logs, traces, etc. are fine.", ["Logs, traces, etc. are fine."]),
    ("never ever.... touch it", ["never ever.... touch it"]),
    ("well... Never touch it.", ["well...", "Never touch it."]),
    ("done.never push", ["done.", "never push"]),
    ('He said "stop." Never mind.', ['He said "stop."', "Never mind."]),
    ("NEVER. SKIP. TESTS.", ["NEVER. SKIP. TESTS."]),
    ("Never push. Unless I say so.", ["Never push. Unless I say so."]),
    ("Never push\nunless I say so", ["Never push\nunless I say so"]),
    ("never push\nalways test", ["never push", "always test"]),
    (
        "This line was wrapped by hand because it is long enough\nto need it.",
        ["This line was wrapped by hand because it is long enough\nto need it."],
    ),
    ("(Never push.) Thanks.", ["(Never push.)", "Thanks."]),
    ("", []),
    ("...", []),
)


@pytest.mark.parametrize(("text", "sentences"), SPLITS)
def test_sentences_end_where_people_end_them(text, sentences):
    assert [one.text for one in split_sentences(text)] == sentences


def test_a_list_item_knows_its_kind_its_place_and_what_announces_it():
    text = "Rules\n  a. Never push.\n  b. Always test."
    assert split_sentences(text) == (
        Sentence("Rules", 0, 5, "prose"),
        Sentence("Never push.", 11, 22, "item", "rules"),
        Sentence("Always test.", 28, 40, "item", "rules"),
    )


def test_a_heading_announces_what_stands_under_it():
    found = split_sentences("## Rules\n\nUse pnpm.\n\n# Task\n- Add a page.")
    assert [(one.text, one.kind, one.lead) for one in found] == [
        ("Rules", "heading", ""),
        ("Use pnpm.", "prose", "rules"),
        ("Task", "heading", ""),
        ("Add a page.", "item", "task"),
    ]


def test_a_nested_item_is_announced_by_the_item_above_it():
    found = split_sentences("- Git:\n  - never push\n- always test")
    assert [(one.text, one.lead) for one in found] == [
        ("Git:", ""),
        ("never push", "git"),
        ("always test", ""),
    ]


@pytest.mark.parametrize(
    "marker", ["- ", "* ", "+ ", "• ", "1. ", "12) ", "(3) ", "a. ", "- [ ] ", "❌ "]
)
def test_list_markers_are_no_part_of_a_rule(marker):
    assert applied(f"{marker}Never push to main.") == [("ban", "Never push to main")]


WORDS_KEPT = (
    ("Never push to main", "Never push to main"),
    ("Hi! Never push to main.", "Never push to main"),
    ("hey claude, never push to main", "never push to main"),
    ("Thanks, that worked. Never push to main!!", "Never push to main"),
    ("ok so never push to main", "never push to main"),
    ("and never push to main, ok?", "never push to main"),
    ("Never push to main, thanks!", "Never push to main"),
    ("never push to main :)", "never push to main"),
    ("never push to main 🙏", "never push to main"),
    ("Please never push to main.", "Please never push to main"),
    ("Never push to main, except for hotfixes.", None),
    ("Never push to main unless I say so.", None),
    ("If CI is red, never push to main.", None),
    ("never   push\tto main", "never push to main"),
    ("**Never** push to `main`.", "**Never** push to `main`"),
    ("Never push after 5 p.m.", "Never push after 5 p.m."),
    ("Never push to /etc.", "Never push to /etc"),
    ("(Never push to main.)", "Never push to main"),
    ("<b>Never</b> push to main.", "Never push to main"),
    ("~~Always~~ *Never* push to main.", "*Never* push to main"),
    ("Never push to main.\r\n\r\nThanks.\r\n", "Never push to main"),
    ("Now: never push to main.", "never push to main"),
    ("Never run this:\n```\nrm -rf /\n```", "Never run this: `rm -rf /`"),
)


@pytest.mark.parametrize(("message", "text"), WORDS_KEPT)
def test_the_rule_is_the_users_own_words(message, text):
    assert applied(message) == [("ban", text or message.rstrip("."))]


def test_each_item_under_a_head_of_bans_is_a_ban():
    message = "Never:\n- push to main\n- use sudo\n\nAlways:\n- run the tests"
    assert applied(message) == [
        ("ban", "Never: push to main"),
        ("ban", "Never: use sudo"),
        ("mandate", "Always: run the tests"),
    ]


def test_semicolons_part_decrees_that_stand_by_themselves():
    message = "Don't page Sam; don't mail orders; and stop queuing reports."
    assert applied(message) == [
        ("ban", "Don't page Sam"),
        ("ban", "don't mail orders"),
        ("ban", "stop queuing reports"),
    ]


def test_a_semicolon_keeps_what_only_explains():
    message = "Never run `pip install`; use `uv add` instead."
    assert applied(message) == [("ban", message.rstrip("."))]


def test_of_a_sentence_that_is_too_long_for_a_rule_its_clause_is_taken():
    tale = "the build was slow and " * 30
    message = f"{tale}it took all day, so please never run it on my laptop again."
    assert applied(message) == [("ban", "never run it on my laptop again")]
