"""What a message takes back itself is no decree of it."""

import pytest

from toolmem.core.candidates.withdrawn import without_withdrawn
from toolmem.core.capture.decree import BACK
from toolmem.core.capture.find import find_decrees

BANS = ["Never use curl.", "Never run docker compose.", "Do not touch the database."]
DISMISSALS = [
    "Actually, scratch that.",
    "Never mind.",
    "No, never mind.",
    "Wait, forget that!",
]


def texts(message):
    return [
        (one.kind, one.text)
        for one in without_withdrawn(message, find_decrees(message))
    ]


@pytest.mark.parametrize("ban", BANS)
@pytest.mark.parametrize("dismissal", DISMISSALS)
def test_words_that_name_nothing_take_back_what_is_before_them(ban, dismissal):
    assert texts(f"{ban} {dismissal}") == []
    [(kind, text)] = texts(f"Always run the linter. {ban} {dismissal}")
    assert (kind, text) == ("demand", "Always run the linter")
    [(kind, text)] = texts(f"{ban} {dismissal} Always run the linter.")
    assert (kind, text) == ("demand", "Always run the linter")


@pytest.mark.parametrize("lead", ["", "Hmm, no, ", "Wait, ", "Actually "])
@pytest.mark.parametrize("thing", ["curl", "docker compose"])
@pytest.mark.parametrize("end", ["fine", "okay", "allowed", "fine now"])
def test_a_ban_that_the_message_permits_again_is_none(lead, thing, end):
    assert texts(f"Never run {thing}. {lead}{thing} is {end}.") == []


@pytest.mark.parametrize(
    "rest",
    [
        "wget is fine.",
        "curl is not fine.",
        "curl isn't allowed.",
        "curl on the staging host is fine.",
        "Everything else is fine.",
        "The tests are fine.",
    ],
)
def test_a_ban_stays_where_the_rest_is_about_something_else(rest):
    for message in (f"Never use curl. {rest}", f"{rest} Never use curl."):
        bans = [text for kind, text in texts(message) if kind == "ban"]
        assert any(text.startswith("Never use curl") for text in bans)


@pytest.mark.parametrize("text", ["never mind", "Never mind that."])
def test_a_dismissal_is_no_ban(text):
    assert {kind for kind, _ in texts(text)} <= {BACK}


def test_a_sentence_that_names_nothing_is_joined_to_the_one_before_it():
    text = "you should always announce each step. don't, just do it"
    found = without_withdrawn(text, find_decrees(text))
    assert [one.text for one in found] in ([text], [])


def test_a_taking_back_in_two_sentences_is_one():
    text = "You don't have to use the old clock any more. So drop that rule."
    found = without_withdrawn(text, find_decrees(text))
    assert [(one.kind, one.text) for one in found] == [(BACK, text.rstrip("."))]
