"""Addresses in guards: whole ones, and those that a call sends to."""

import pytest

from tests.core.guard.calling import answer
from toolmem.core.guard.derive import derive_guards

SARAH = "sarah@example.com"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (SARAH, "deny"),
        ("Sarah <SARAH@Example.com>", "deny"),
        ("bob@x.org,sarah@example.com;", "deny"),
        ("Write to sarah@example.com.", "deny"),
        ("mailto:sarah%40example.com?subject=x", "deny"),
        ("notsarah@example.com", "allow"),
        ("not.sarah@example.com", "allow"),
        ("x+sarah@example.com", "allow"),
        ("sarah@example.com.au", "allow"),
        ("sarah@example.community", "allow"),
        ("sarah@example.com-x.org", "allow"),
        ("notsarah@example.com, sarah@example.com", "deny"),
        ('{"text": "x\\nsarah@example.com"}', "deny"),
        ("\\u003csarah@example.com\\u003e", "deny"),
    ],
)
@pytest.mark.parametrize("key", ["contains", "recipient"])
def test_an_address_counts_only_as_a_whole_one(key, text, wanted) -> None:
    assert answer({key: SARAH}, {"to": text}) == wanted


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        ("mail -s hi sarah@example.com", "deny"),
        ("mail -csarah@example.com bob@x.org", "deny"),
        ("mail sar'ah@example'.com", "deny"),
        ('curl -d \'{"text": "a\\tsarah@example.com"}\' x.org', "deny"),
        ("mail -s hi not-sarah@example.com", "allow"),
    ],
)
def test_it_counts_anywhere_in_a_shell_text(command, wanted) -> None:
    assert answer({"recipient": SARAH}, {"command": command}) == wanted


@pytest.mark.parametrize(
    "key",
    ["to", "cc", "Bcc", "recipients", "to_recipients", "recipient_email", "send_to",
     "attendees", "email", "emailAddress", "address", "to-addresses"],
)  # fmt: skip
def test_where_a_call_names_who_gets_it_only_that_counts(key) -> None:
    sent, body = {"recipient": SARAH}, f"Ask {SARAH}, who knows."
    assert answer(sent, {key: ["bob@x.org"], "body": body, "from": SARAH}) == "allow"
    assert answer(sent, {key: ["bob@x.org", SARAH], "body": "Hi."}) == "deny"
    assert answer(sent, {key: {"name": "S", "address": SARAH}}) == "deny"


def test_where_it_names_none_every_argument_counts() -> None:
    for arguments in ({"raw": f"To: {SARAH}\n\nHi."}, {"to": "", "body": SARAH}):
        assert answer({"recipient": SARAH}, arguments) == "deny"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("never email Sarah at sarah@example.com", "recipient"),
        ("don't ever write to sarah@example.com", "recipient"),
        ("never send anything to sarah@example.com", "recipient"),
        ("never share files with sarah@example.com", "recipient"),
        ("never mention sarah@example.com", "contains"),
        ("never use sarah@example.com", "contains"),
    ],
)
def test_a_ban_on_sending_is_about_who_gets_it(text, key) -> None:
    assert derive_guards(text, "send_email") == ({"action": "deny", key: SARAH},)


@pytest.mark.parametrize(
    "words", ["on production", "into a file", "about salaries", "from my account"]
)
def test_words_after_an_address_limit_the_ban(words) -> None:
    (table,) = derive_guards(f"never send sarah@example.com {words}.", "send_email")
    assert (table["action"], table["note"]) == ("ask", words)
