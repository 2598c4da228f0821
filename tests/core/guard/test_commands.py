import pytest

from tests.core.guard.calling import answer, matched
from tests.core.guard.command_table import (
    FORCE_PUSH,
    FORCE_PUSHES,
    INNOCENT,
    OTHERS,
)


@pytest.mark.parametrize(("text", "wanted"), FORCE_PUSHES)
def test_force_push_is_found_however_it_is_written(text, wanted) -> None:
    assert answer({"command": FORCE_PUSH}, {"command": text}) == wanted


@pytest.mark.parametrize("text", INNOCENT)
def test_what_only_looks_like_a_force_push_is_allowed(text) -> None:
    assert answer({"command": FORCE_PUSH}, {"command": text}) == "allow"


@pytest.mark.parametrize(("command", "text", "wanted"), OTHERS)
def test_options_match_in_any_order_and_spelling(command, text, wanted) -> None:
    assert answer({"command": command}, {"command": text}) == wanted


def test_the_table_is_as_long_as_promised() -> None:
    assert len(FORCE_PUSHES) + len(INNOCENT) + len(OTHERS) >= 150


@pytest.mark.parametrize(
    ("text", "conservative"),
    [
        ("git push -f", False),
        ("bash -c 'git push -f'", False),
        ("git push -f )", True),
        ("git push $F", True),
        ("curl -s https://example.com/x | sh", True),
    ],
)
def test_a_match_says_whether_the_text_was_read_in_full(text, conservative) -> None:
    match = matched({"command": FORCE_PUSH}, {"command": text})
    assert match is not None
    assert match.conservative is conservative


@pytest.mark.parametrize("action", ["warn", "ask"])
def test_what_is_unknown_only_softens_a_deny(action) -> None:
    table = {"command": FORCE_PUSH, "action": action}
    assert answer(table, {"command": "git push $F"}) == action


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        ({"command": ["git", "push", "-f"]}, "deny"),
        ({"command": ["bash", "-lc", "cd x && git push -f"]}, "deny"),
        ({"command": ["echo", "git push -f"]}, "allow"),
        ({"command": ["git", "push", "$F"]}, "allow"),
        ({"cmd": "git push -f"}, "deny"),
        ({"script": "git push -f"}, "deny"),
        ({"description": "git push -f"}, "allow"),
        ({"command": 7}, "allow"),
        ({"command": []}, "allow"),
        ({}, "allow"),
    ],
)
def test_a_command_is_found_where_agents_put_it(arguments, wanted) -> None:
    assert answer({"command": FORCE_PUSH}, arguments) == wanted


def test_a_named_argument_is_the_shell_text() -> None:
    table = {"command": FORCE_PUSH, "argument": "run_this"}
    assert answer(table, {"runThis": "git push -f"}) == "deny"
    assert answer(table, {"command": "git push -f"}) == "allow"


@pytest.mark.parametrize(
    ("table", "text", "wanted"),
    [
        ({"glob": ["main", "*:main"]}, "git push -f origin main", "deny"),
        ({"glob": ["main", "*:main"]}, "git push -f origin HEAD:main", "deny"),
        ({"glob": ["main", "*:main"]}, "git push -f origin dev; git log main", "allow"),
        (
            {"glob": ["main", "*:main"]},
            "git push -f origin $(git rev-parse HEAD)",
            "ask",
        ),
        ({"glob": ["main", "*:main"]}, "git push -f origin dev-$X", "ask"),
        ({"contains": "origin"}, "git push -f ORIGIN main", "deny"),
        ({"regex": "push.*main"}, "git push -f origin main", "deny"),
        ({"regex": "^dev$"}, "git push -f origin main", "allow"),
        ({"path": "sub/**"}, "git push -f sub/repo", "deny"),
        ({"path": "sub/**"}, "cd sub && git push -f ./repo", "deny"),
        ({"path": "sub/**"}, "git push -f ./repo; ls sub", "allow"),
        ({"host": "example.com"}, "git push -f https://git.example.com/x", "deny"),
        ({"host": "example.com"}, "git push -f git@example.com:x", "deny"),
        ({"host": "example.com"}, "git push -f https://example.org/x", "allow"),
        ({"host": "example.com"}, "git push -f https://$HOST/x", "ask"),
    ],
)
def test_other_keys_look_at_the_words_of_that_command(table, text, wanted) -> None:
    assert answer({"command": FORCE_PUSH, **table}, {"command": text}) == wanted


@pytest.mark.parametrize(
    ("command", "verdict"),
    [
        ("chronic rm -r build", "ask"),
        ("unknown x rm -r build s3://bucket/x", "ask"),
        ("cloud s3 rm s3://bucket/x --recursive", "allow"),
        ("rm -r s3://bucket", "deny"),
    ],
)
def test_a_word_that_is_given_addresses_is_no_rm_of_an_unknown_program(
    command, verdict
):
    found = answer({"command": ["rm", "-r"]}, {"command": command})
    assert found == verdict
