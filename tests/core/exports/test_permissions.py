"""Guards that other programs can express, and those they cannot."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmem.core.exports.permissions import claude_permissions, codex_rules
from toolmem.core.model import SYSTEM, Priority, Rule, Source

SEVERAL = "several options, which may be in any order"
ON_PATH = "permissions cannot check `path`"
ON_TEXT = "permissions cannot check `contains` of an argument"


def rule(*guards, tool="shell"):
    return Rule(
        "r-1",
        tool,
        "say “no”",
        Priority.CRITICAL,
        Source.USER_EXPLICIT,
        (),
        None,
        None,
        SYSTEM,
        "x.toml",
        guards=guards,
    )


@pytest.mark.parametrize(
    ("guard", "tool", "said"),
    [
        ({"command": "npm ci"}, "shell", ["Bash(npm ci)", "Bash(npm ci *)"]),
        ({"host": "example.com"}, "WebFetch", ["WebFetch(domain:example.com)"]),
        ({"path": "/etc"}, "Edit", ["Edit(//etc)"]),
        ({"path": "~/.ssh"}, "Read", ["Read(~/.ssh)"]),
        ({"path": "./a.lock"}, "Write", ["Edit(**/a.lock)"]),
        ({}, "mcp__mail__send", ["mcp__mail__send"]),
        ({}, "WebSearch", ["WebSearch"]),
    ],
)  # fmt: skip
def test_claude_code_is_told(guard, tool, said):
    denies, unsaid = claude_permissions([rule(guard, tool=tool)])
    assert (list(denies.deny), unsaid) == (said, ())


def test_an_option_stands_anywhere_and_in_any_spelling():
    denies, _ = claude_permissions([rule({"command": "git push --force"})])
    assert "Bash(git push * -f)" in denies.deny
    assert len(denies.deny) == 8


def test_asking_is_asked_unless_it_is_denied():
    ask = {"action": "ask", "command": "npm publish"}
    denies, _ = claude_permissions([rule(ask), rule({"command": "npm publish"})])
    assert denies.ask == ()


@pytest.mark.parametrize(
    ("guard", "tool", "reason"),
    [
        ({"action": "warn", "command": "ls"}, "shell", "warns only"),
        ({"command": "rm -r -f"}, "shell", SEVERAL),
        ({"command": ["rm", "*"]}, "shell", "a pattern in a command"),
        ({"command": "rm", "path": "/x"}, "shell", ON_PATH),
        ({"contains": "x"}, "send_email", ON_TEXT),
        ({"path": "/x"}, "shell", "a file in a call of shell"),
        ({"path": "a)b"}, "Edit", "a file with an odd name"),
        ({"host": "*.x.com"}, "WebFetch", "a host with a pattern"),
        ({"host": "x.com"}, "shell", "a host in a call of shell"),
        ({}, "send_email", "every call of send_email, not a tool of the program"),
        ({"nonsense": 1}, "shell", "the guard is broken"),
    ],
)  # fmt: skip
def test_what_has_no_words_is_listed(guard, tool, reason):
    denies, unsaid = claude_permissions([rule(guard, tool=tool)])
    assert denies == ((), ())
    assert [one.reason for one in unsaid] == [reason]


def test_codex_gets_prefixes():
    text, unsaid = codex_rules([rule({"command": ["git", "push", "--force"]})])
    assert text == (
        "prefix_rule(\n"
        '    pattern = ["git", "push", ["--force", "-f"]],\n'
        '    decision = "forbidden",\n'
        '    justification = "say “no”",\n'
        '    match = ["git push --force"],\n'
        ")\n"
    )
    assert [one.reason for one in unsaid] == [
        "`git push --force` matches only in this order"
    ]


@given(
    st.dictionaries(
        st.sampled_from(
            ["action", "argument", "contains", "glob", "command", "path", "host", "x"]
        ),
        st.one_of(
            st.text(max_size=12),
            st.lists(st.text('a-*/().,"\\\n ', max_size=6), max_size=3),
            st.sampled_from(["deny", "ask", "warn", "git push -f"]),
        ),
        max_size=4,
    ),
    st.sampled_from(["shell", "_any", "Edit", "WebFetch", "x"]),
)
def test_any_guard_is_said_or_listed(guard, tool):
    denies, unsaid = claude_permissions([rule(guard, tool=tool)])
    assert denies.deny or denies.ask or unsaid
    assert not any("\n" in one or "-->" in one for one in (*denies.deny, *denies.ask))
    text, left = codex_rules([rule(guard, tool=tool)])
    assert text or left
    compile(text, "rules", "exec")  # a call with plain values reads as Python, too
