"""The hook carries out one simple ``toolmem rule keep`` and nothing like it."""

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmem.core.candidates.command import KeepCommand, read_keep_command


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("toolmem rule keep k3", KeepCommand("keep", ("k3",))),
        (
            "toolmem rule keep k3 k4 --tool Bash --tool=git --json",
            KeepCommand("keep", ("k3", "k4"), tools=("Bash", "git"), json=True),
        ),
        (
            'toolmem rule keep --quote "don\'t push (ever)" -p high --scope system',
            KeepCommand(
                "keep", quote="don't push (ever)", priority="high", scope="system"
            ),
        ),
        (
            "toolmem rule retract k3 --which 3f2a91c0",
            KeepCommand("retract", ("k3",), which="3f2a91c0"),
        ),
    ],
)
def test_a_simple_command_is_read(command, words):
    assert read_keep_command(command) == words


@pytest.mark.parametrize(
    "command",
    [
        "toolmem rule keep",
        "toolmem rule add Bash x",
        "toolmem rule keep k3; rm -rf /",
        "toolmem rule keep k3 && git push",
        "toolmem rule keep k3 | sh",
        "toolmem rule keep k3 > ~/.bashrc",
        "toolmem rule keep k3 &",
        "toolmem rule keep $(id)",
        'toolmem rule keep --quote "$(id)"',
        'toolmem rule keep --quote "`id`"',
        "toolmem rule keep k3\nrm -rf /",
        "toolmem rule keep k* --tool Bash",
        "toolmem rule keep k3 --unknown x",
        "toolmem rule keep k3 --tool",
        "toolmem --vault /tmp/other rule keep k3",
        "X=1 toolmem rule keep k3",
        "/tmp/toolmem rule keep k3",
        "sudo toolmem rule keep k3",
        "toolmem rule keep 'k3",
        "toolmem rule keep k3 \\; id",
        "echo toolmem rule keep k3",
        "toolmem rule keep --quote " + "x" * 5000,
    ],
)
def test_any_other_command_is_not(command):
    assert read_keep_command(command) is None


@given(st.text(alphabet="abc 'é.,-()*!?", min_size=1, max_size=60))
def test_a_quotation_in_single_quotes_is_read_back(quote):
    command = f"toolmem rule keep --quote={shlex.quote(quote)}"
    found = read_keep_command(command)
    if "'" not in quote:
        assert found == KeepCommand("keep", quote=quote)
    else:
        assert found is None or found.quote == quote


@given(st.text(max_size=80))
def test_what_a_shell_would_act_on_is_refused(tail):
    found = read_keep_command(f"toolmem rule keep k3 {tail}")
    if found is not None:
        assert (
            not set(tail.strip()) & set(";|&<>$`\n\r\\") or "'" in tail or '"' in tail
        )
