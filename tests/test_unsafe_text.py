"""Invisible, bidirectional and control characters: refused, shown, reported.

The core knows every such character (``core/test_safetext.py``); here each way into
and out of a vault is tried with a few of every kind.
"""

import json
import sys

import pytest

from tests.examples import pairs
from toolmem.core.facts.edit import set_fact
from toolmem.core.names import clean_name
from toolmem.core.rules.compose import clean_line, clean_rule_text
from toolmem.core.text.safetext import find_unsafe
from toolmem.errors import UsageError

BAD = {
    "escape": "\x1b[2J",
    "clipboard": "\x1b]52;c;ZXZpbA==\x07",
    "one-byte csi": "\x9b31m",
    "backspace": "\x08",
    "nul": "\x00",
    "delete": "\x7f",
    "override": "\u202e",
    "isolate": "\u2066",
    "zero width": "\u200b",
    "joiner": "\u200d",
    "mark": "\ufeff",
    "tag": "\U000e0041",
    "selector": "\U000e0100",
    "filler": "\u3164",
    "braille": "\u2800",
    "private": "\ue000",
    "noncharacter": "\uffff",
    "separator": "\u2028",
    "surrogate": "\udc80",
    "soft hyphen": "\xad",
}
KINDS = pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
WRITERS = {
    "rule text": ("rule", "add", "shell", "never {} push"),
    "tool": ("rule", "add", "she{}ll", "never push"),
    "tag": ("rule", "add", "shell", "never push", "--tag", "a{}b"),
    "evidence": ("rule", "add", "shell", "never push", "--evidence", "a{}b"),
    "id": ("rule", "add", "shell", "never push", "--id", "a{}b"),
    "scope": ("rule", "add", "shell", "never push", "--scope", "project:a{}b"),
    "project": ("rule", "add", "shell", "never push", "--project", "a{}b"),
    "agent type": ("rule", "add", "shell", "never push", "--agent-type", "a{}b"),
    "new text": ("rule", "edit", "one", "--text", "never {} push"),
    "new tag": ("rule", "edit", "one", "--tag", "a{}b"),
    "reason": ("rule", "archive", "one", "--reason", "a{}b"),
    "override": ("rule", "override", "one", "--scope", "project:p", "--text", "a{}b"),
    "fact value": ("fact", "set", "key", "a{}b"),
    "fact key": ("fact", "set", "a{}b", "value"),
    "namespace": ("fact", "set", "key", "value", "--namespace", "a{}b"),
}
RULE = 'id = "one"\ntool = "shell"\nrule = "never pull"\npriority = "high"\n'


@pytest.fixture
def vault(world):
    return world.vault("empty").write("system/rules/shell/one.toml", RULE)


def is_clean(text: str) -> bool:
    """Return True if a terminal only displays this text."""
    lines = text.split("\n")
    return all(find_unsafe(line.replace("\t", "")) is None for line in lines)


@pytest.mark.parametrize(("bad", "field"), pairs(BAD, (*WRITERS,)))
def test_it_is_refused_on_write_and_named_without_being_shown(vault, field, bad):
    before = vault.files()
    done = vault.call(*(word.format(bad) for word in WRITERS[field]))
    assert (done.code, done.stdout) == (2, "")
    assert is_clean(done.stderr)
    assert len(done.stderr.splitlines()) == 1
    assert vault.files() == before


@KINDS
def test_it_is_refused_from_standard_input(vault, bad):
    data = f"never {bad} push".encode("utf-8", "surrogatepass")
    before = vault.files()
    done = vault.call("rule", "add", "shell", "-", stdin=data)
    assert (done.code, done.stdout) == (2, "")
    assert is_clean(done.stderr)
    assert vault.files() == before


def test_every_refused_character_is_refused_in_every_field():
    fields = [
        clean_rule_text,
        clean_name,
        lambda text: clean_line(text, "tag"),
        lambda text: set_fact("", "project", "key", text),
        lambda text: set_fact("", "project", text, "value"),
        lambda text: set_fact("", text, "key", "value"),
    ]
    missed = []
    # All but the private planes, of which a few are enough.
    numbers = (*range(0xE000), *range(0xF8F0, 0x10000), *range(0xE0000, 0xE1000))
    for number in (*numbers, *range(0x10000, sys.maxunicode + 1, 997)):
        text = f"a{chr(number)}b"
        if find_unsafe(text) is None or chr(number) in "\t\n\r":
            continue
        for position, field in enumerate(fields):
            try:
                field(text)
            except UsageError:
                continue
            missed.append((hex(number), position))
    assert missed == []


def in_toml(text: str) -> str:
    return "".join(
        f"\\U{ord(char):08x}" if find_unsafe(char) else char for char in text
    )


IN_FILES = {name: bad for name, bad in BAD.items() if name != "surrogate"}


@pytest.mark.parametrize("bad", IN_FILES.values(), ids=IN_FILES)
def test_in_a_file_it_is_shown_spelled_out_and_reported_and_hides_no_rule(vault, bad):
    spelled = "".join(f"\\u{{{ord(c):x}}}" if find_unsafe(c) else c for c in bad)
    shown = " " if bad in ("\x08", "\x00", "\x7f", "\u2028") else spelled
    line = f'"never{in_toml(bad)}push"'
    vault.write(
        "system/rules/shell/two.toml",
        f'id = "two"\ntool = "shell"\nrule = {line}\npriority = "critical"\n'
        f"evidence = {line}\n",
    )
    vault.write("system/facts.md", f"key: a{bad}b\n")
    vault.write("system/guidance/g.md", f"text{bad}more\n")
    commands = (
        ("prompt",),
        ("prompt", "--format", "xml"),
        ("prompt", "--explain"),
        ("rule", "list"),
        ("rule", "show", "two"),
        ("rule", "why", "two"),
        ("fact", "list"),
        ("fact", "get", "key"),
        ("check",),
    )
    for words in commands:
        done = vault.call(*words)
        assert done.code == (1 if words == ("check",) else 0)
        assert is_clean(done.stdout + done.stderr), words
    text = vault.call("prompt").stdout
    if bad[0] not in "\x1b\x9b":
        assert f"- **[critical]** never{shown}push\n" in text
    assert len([one for one in text.split("\n") if one.startswith("- **[crit")]) == 1
    told = {(p["path"], p["code"]) for p in report(vault)}
    assert {
        ("system/facts.md", "unsafe-text"),
        ("system/guidance/g.md", "invisible-character"),
        ("system/rules/shell/two.toml", "invisible-character"),
    } <= told


def report(world) -> list[dict[str, str]]:
    problems: list[dict[str, str]] = json.loads(world.call("check", "--json").stdout)[
        "problems"
    ]
    return problems


@pytest.mark.parametrize("bad", IN_FILES.values(), ids=IN_FILES)
def test_json_loses_nothing_and_shows_nothing(vault, bad):
    vault.write("system/facts.md", f"key: a{bad}b\n")
    done = vault.call("fact", "get", "key", "--json")
    assert is_clean(done.stdout)
    if bad not in ("\u2028",):
        assert json.loads(done.stdout)["value"] == f"a{bad}b"


READERS = (
    "rule show {}",
    "rule list --scope {}",
    "rule list -p {}",
    "rule why {}",
    "fact get {}",
    "fact delete {}",
    "prompt --only {}",
    "prompt --format {}",
    "prompt --project {}",
    "prompt --at {}",
    "prompt --check {}",
    "prompt --session {}",
    "settings --vault /no{}where",
    "rule {}",
    "{}",
    "rule add --{} x",
)
"""Commands; the word in braces is not what they want."""


@pytest.mark.parametrize(("bad", "words"), pairs(BAD, READERS))
def test_no_remark_repeats_it_raw(vault, words, bad):
    done = vault.call(*(word.format(f"a{bad}b") for word in words.split(" ")))
    assert done.code != 3, done.stderr
    assert is_clean(done.stdout)
    assert is_clean(done.stderr)
