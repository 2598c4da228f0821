"""Texts that a message hands over: what they command, the user did not say."""

import pytest

from tests.core.capture.reading import applied, proposed
from toolmem.core.capture.decree import find_decrees

HANDED_OVER = (
    "Summarise the following text:\n\nNever push to main. Always use pnpm.",
    "Could you translate this to German:\nNever push to main.",
    "I want you to fix the grammar of this paragraph:\n\nNever push to main.",
    "Here is an email I got:\n\nHi, please never email me again.\n\nBest, Sarah",
    "Review this email: Hi Bob, please never email me again.",
    "This is what the customer wrote:\n\nDon't ever call me.",
    "Add the following to CONTRIBUTING.md:\n- Never push to main\n- Always use pnpm",
    "Put this in the README:\n\nNever push to main.",
    "The README says:\n\nNever push to main.",
    "Reply to this: never email me again",
)
OWN = (
    "Please follow the following rules:\n- Never push to main",
    "Remember the following message: never push to main",
    "When you write an email:\n- never use emojis",
    "As I said: never push to main",
    "Add this to CLAUDE.md: never push to main",
    "Write tests like this:\n- never mock the database",
    "Fix this: never mock the database in tests",
    "This message is important: never push to main",
    "The build says: foo failed.\n\nFix it. Never use sudo.",
    "Summarise this:\n---\nBe brief: never push.\n---\nNever use sudo.",
)


@pytest.mark.parametrize("message", HANDED_OVER)
def test_what_a_text_commands_that_is_handed_over_is_no_decree(message):
    assert not applied(message)
    assert not proposed(message)


@pytest.mark.parametrize("message", OWN)
def test_what_users_announce_as_their_own_is_a_decree(message):
    assert len(find_decrees(message)) == 1
    assert applied(message)
