"""What a simple matcher of substrings gets wrong, case by case."""

import pytest

from tests.core.capture.reading import applied, lasting, proposed
from toolmem.core.capture.relate import KnownRule, relate
from toolmem.core.capture.tools import ToolWords, choose_tools

SEND_EMAIL = ToolWords("send_email", ("email", "mail"))

CAUGHT = (
    (
        "Never email Sarah at sarah@example.com.",
        [("ban", "Never email Sarah at sarah@example.com")],
    ),
    (
        "Never edit config.yaml or v1.2.3 tags.",
        [("ban", "Never edit config.yaml or v1.2.3 tags")],
    ),
    (
        "Never run rm -rf / or use sudo, e.g. sudo rm.",
        [("ban", "Never run rm -rf / or use sudo, e.g. sudo rm")],
    ),
    ("Don’t email Sarah.", [("ban", "Don’t email Sarah")]),
    ("dont email sarah", [("ban", "dont email sarah")]),
    ("Please stop using the browser.", [("ban", "Please stop using the browser")]),
    ("ok; stop using shell", [("ban", "stop using shell")]),
    (
        "Avoid sudo. You must not push to main.",
        [("ban", "Avoid sudo"), ("ban", "You must not push to main")],
    ),
    (
        "Under no circumstances push to main!",
        [("ban", "Under no circumstances push to main")],
    ),
    (
        "Always use the staging server",
        [("mandate", "Always use the staging server")],
    ),
    (
        "Don't push to main! Never force push!",
        [("ban", "Don't push to main"), ("ban", "Never force push")],
    ),
)
NOTHING = (
    "I don't know why the email bounced.",
    "Why don't you email Sarah?",
    "Never mind.",
    "I never got the invoice, please email them again.",
    "You do not need to ask me before emailing.",
    "Don't forget to email Sarah.",
    "```\n# never run this in prod\nrm -rf /\n```",
    "Send Sarah an update when you can.",
)


@pytest.mark.parametrize(("message", "rules"), CAUGHT)
def test_the_whole_sentence_becomes_the_rule(message, rules):
    assert applied(message) == rules


@pytest.mark.parametrize("message", NOTHING)
def test_nothing_is_taken_for_a_rule(message):
    assert (applied(message), proposed(message)) == ([], [])


def test_the_tool_is_found_by_whole_words_only():
    tools = [ToolWords("slack_post", ("slack", "dm")), ToolWords("admin_panel")]
    assert choose_tools("Never touch the admin panel", tools, ()) == ("admin_panel",)
    assert choose_tools("Never touch the admin panel", tools[:1], ()) == ()


def test_a_decree_finds_its_tool_among_all_that_are_known():
    tools = [SEND_EMAIL, ToolWords("calendar")]
    chosen = choose_tools("Never email Sarah", tools, ("calendar",))
    assert chosen == ("send_email",)


def test_a_decree_about_no_known_tool_is_about_any_tool():
    assert choose_tools("Never email Sarah", (), ()) == ()


def test_a_decree_that_only_points_is_about_the_call_of_the_turn():
    assert choose_tools("Never do that automatically", (), ("calendar",)) == (
        "calendar",
    )


def test_the_same_decree_in_five_sessions_is_one_rule():
    known = [KnownRule("r1", "send_email", "Never email Sarah.")]
    relations = {
        relate(find, known).kind
        for said in (
            "Never email Sarah",
            "never email Sarah!",
            "NEVER email Sarah.",
            "please never email Sarah",
            "Don't ever email Sarah",
        )
        for find in lasting(said)
    }
    assert relations == {"same"}
