import pytest

from toolmem.core.candidates.captured import draft_of, refusal, with_exception
from toolmem.core.capture.decree import SURE, Decree
from toolmem.core.model import Priority


def decree(text, kind="ban", sentence=""):
    return Decree("k1", kind, SURE, sentence or text, text, (0, len(text)))


@pytest.mark.parametrize(
    ("text", "kind", "priority"),
    [
        ("never do that", "ban", Priority.CRITICAL),
        ("don't run docker", "ban", Priority.CRITICAL),
        ("don't delete branches", "ban", Priority.CRITICAL),
        ("stop leaving TODO comments", "ban", Priority.HIGH),
        ("no semicolons", "ban", Priority.HIGH),
        ("run the linter", "demand", Priority.HIGH),
    ],
)
def test_a_ban_of_harm_is_critical_and_a_taste_high(text, kind, priority):
    draft = draft_of(decree(text, kind), 0, ("k",), "", ("bash",))
    assert draft.priority is priority


@pytest.mark.parametrize(
    ("place", "evidence"),
    [
        ("session s-1", "“Never use sudo.” (session s-1, turn 3)"),
        ("", "“Never use sudo.” (turn 3)"),
        ("se\nssion", "“Never use sudo.” (se ssion, turn 3)"),
    ],
)
def test_evidence_is_the_sentence_and_where(place, evidence):
    made = decree("Never use sudo", sentence="Never use sudo.")
    assert draft_of(made, 3, ("k",), place, ("bash",)).evidence == evidence


def test_a_long_sentence_is_shortened_after_its_secrets_are_gone():
    secret = "ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    draft = draft_of(decree("x", sentence="y" * 480 + f" {secret}"), 0, ("k",), "", ())
    assert len(draft.sentence) <= 500
    assert "ghp_" not in draft.evidence


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("never use sudo", ""),
        ("never use AKIAZ5GTKLMN7QRS2TUV", "contains a secret (AWS access key)"),
        ("never \u200b", "contains U+200B ZERO WIDTH SPACE"),
        ("x" * 4001, "is too long for a rule"),
    ],
)
def test_what_no_rule_may_be_made_of(text, reason):
    assert refusal(text, text) == reason


def test_an_exception_stands_behind_its_rule():
    assert with_exception("Never push to main.", "you may\npush for releases") == (
        "Never push to main (exception: you may push for releases)"
    )
