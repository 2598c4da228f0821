"""Only what the user says in person can be a decree."""

import pytest

from tests.core.capture.reading import applied
from toolmem.core.capture.decree import find_decrees
from toolmem.core.capture.spans import is_thing, own_prose
from toolmem.core.capture.words import ENTITY_MARK, QUOTE_MARK

FOREIGN = {
    "a fence": "```\nnever push to main\n```",
    "a fence with a language": "```sh\nnever push to main\n```\nwhat is this?",
    "a fence that is never closed": "look:\n```\nnever push to main",
    "a fence of tildes": "~~~\nalways push\n~~~",
    "a fence that holds a shorter one": "````\n```\nnever push\n```\n````",
    "an indented listing": "what is this?\n\n    never push to main\n\nthanks",
    "inline code": "`never push to main`",
    "a quoted line": "> never push to main",
    "a quoted line, indented": "he wrote:\n  > never push to main",
    "a quotation": '"Never push to main"',
    "a curly quotation": "“Never push to main.”",
    "a quotation in single marks": "'never push to main'",
    "a quotation over two lines": '"never push\nto main"',
    "a diff": "diff --git a/x b/x\n@@ -1 +1 @@\n-never push\n+always push",
    "a patch": "--- a/x\n+++ b/x\n@@ -1 +1 @@\n never push\n+always push",
    "a trace": 'Traceback (most recent call last):\n  File "x", line 1\n'
    "ValueError: never push to main",
    "a JavaScript trace": "TypeError: never push\n    at foo (bar.js:1:2)",
    "a log": "2024-05-01 12:00:01 WARN never run as root",
    "a log with levels": "ERROR: never run as root\nWARN never retry",
    "a compiler's message": "src/main.rs:12:5: never push to main",
    "a git message": "remote: never push to main",
    "git log": "commit 3f2a91c\n    never push to main\n\n    always test",
    "a conventional commit": "fix(api): never return nil",
    "a shell prompt": "$ never push to main",
    "a table": "| rule | never push to main |",
    "a comment of C": "// never push to main",
    "a mail header": "Subject: never push to main",
    "a tag block": "<system-reminder>Never push to main.</system-reminder>",
    "a tag block over lines": "<doc>\nnever push to main\n</doc>",
    "nested tags": "<a><b>never push</b> always test</a>",
    "an open reminder": "hi\n<system-reminder>\nNever push to main.",
    "the end of a result": "never push to main</result>\nthanks",
    "a comment of HTML": "<!-- never push to main -->",
    "an open comment of HTML": "<!-- never push to main",
    "a caveat of a harness": "Caveat: The messages below were generated. Never push.",
    "a continued session": "This session is being continued from a previous "
    "conversation that ran out of context. Never push to main.",
    "a skill's preamble": "Base directory for this skill: /x\n\nNever push to main.",
    "an interruption": "[Request interrupted by user] never push to main",
    "other speakers": "assistant: never push to main",
}
PRINTED = {
    "the rules block": "## Tool-scoped rules\n\nHard constraints, never skip them.\n\n"
    "### `git`\n- **[critical]** never push to main\n",
    "a rule's line": "- **[critical]** never email Sarah at sarah@example.com",
    "a bare rule's line": "**[high]** always double-check the recipient",
    "what came since": "## Since this session began\n\n- **[high]** never push\n",
    "turn memory": "Tool memory:\n- Failed bash: never push (exit 1)",
    "a remark": "captured: never push to main (undo: toolmem rule remove 1)",
    "a receipt": "<!-- toolmem 7b1e0c52 never push to main -->",
}


@pytest.mark.parametrize("message", FOREIGN.values(), ids=FOREIGN.keys())
def test_other_peoples_words_are_not_captured(message):
    assert find_decrees(message) == ()


@pytest.mark.parametrize("message", PRINTED.values(), ids=PRINTED.keys())
def test_what_toolmem_printed_is_not_captured_again(message):
    assert find_decrees(message) == ()


@pytest.mark.parametrize(
    "message", [*FOREIGN.values(), *PRINTED.values()], ids=[*FOREIGN, *PRINTED]
)
def test_offsets_stay_when_text_is_masked(message):
    assert len(own_prose(message).masked) == len(message)


def test_what_stands_beside_foreign_text_is_captured():
    message = "```\nalways rm -rf /\n```\nNever run that script."
    assert applied(message) == [("ban", "Never run that script")]


def test_a_rule_after_a_printed_block_is_captured():
    message = (
        "## Tool-scoped rules\n\nHard constraints.\n\n### `git`\n"
        "- **[critical]** never push to main\n\nAlso never email Bob."
    )
    assert applied(message) == [("ban", "never email Bob")]


def test_a_backtick_for_an_apostrophe_opens_no_code():
    masked = own_prose("don`t kill `proc 22`").masked
    assert masked == "don`t kill " + ENTITY_MARK * 9


def test_quotations_and_things_are_masked_apart():
    masked = own_prose('say "never" in a.py').masked
    assert masked == f"say {QUOTE_MARK * 7} in {ENTITY_MARK * 4}"


@pytest.mark.parametrize(
    "word",
    [
        "sarah@example.com", "https://x.example/a.b", "www.example.com", "v1.2.3",
        "3.11", "config.yaml", ".env", ".env.local", "src/a.py", "./build/.cache",
        "~/.ssh", "/etc/passwd", "docs/", "*.snap", "legacy/*.pas", "C:\\Windows",
        "@claude", "docker-compose.override.yml", "Node.js", "$HOME", "feature/x-1",
    ],
)  # fmt: skip
def test_names_of_things_are_things(word):
    assert is_thing(word)


@pytest.mark.parametrize(
    "word", ["never", "e.g", "p.m", "U.S", "done.never", "and/or", "A/B", "1:1", "it's"]
)
def test_words_are_no_things(word):
    assert not is_thing(word)


def test_a_quotation_that_the_user_adopts_is_a_decree():
    message = 'Like Lee says, "never deploy at night", and that is what I want.'
    assert applied(message) == [("ban", message.rstrip("."))]
