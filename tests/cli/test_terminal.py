"""Colour and weight: on a terminal only, and as its user wants it."""

import os
import subprocess

import pytest

from tests.client import toolmem
from tests.program import ROOT
from tests.pseudoterminal import printed

pty = pytest.importorskip("pty")
_HEAD = "\x1b[1mID        PRIORITY  TOOL        SCOPE   EFFECT       RULE\x1b[0m\n"
_ROW = "a0000001  {}  every tool  system  advice only  never share a password\n"
PLAIN = _ROW.format("critical")
RED = _ROW.format("\x1b[1;31mcritical\x1b[0m")
CLEAR = dict.fromkeys(("NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"), "") | {
    "TERM": "xterm"
}


def shown(world, *args, terminal=True, **environment):
    """What a command prints, on a terminal or into a pipe."""
    words = [*toolmem(), "--vault", str(world.root), *args]
    given = {**os.environ, **CLEAR, **environment}
    env = {name: value for name, value in given.items() if value}
    if not terminal:
        return subprocess.run(
            words, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True
        ).stdout
    return printed(words, env)


def test_an_empty_list_says_on_a_terminal_alone_what_was_searched(world):
    words = [*toolmem(), "--vault", str(world.vault("empty").root), "rule", "list"]
    env = {**os.environ, **CLEAR}
    hint = "toolmem: no rules yet: `toolmem rule add` adds one\n"
    assert printed(words, env, errors=True) == hint
    done = subprocess.run(words, cwd=ROOT, env=env, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.fixture
def vault(world):
    return world.vault("scopes")


RULES = ("rule", "list", "_any")


def test_a_terminal_shows_heads_and_makes_critical_rules_stand_out(vault):
    assert shown(vault, *RULES) == _HEAD + RED


@pytest.mark.parametrize(
    ("terminal", "environment", "text"),
    [
        (False, {}, PLAIN),
        (False, {"CLICOLOR_FORCE": "1"}, RED),
        (False, {"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, PLAIN),
        (False, {"CLICOLOR_FORCE": "0"}, PLAIN),
        (True, {"NO_COLOR": "1"}, _HEAD[4:-5] + "\n" + PLAIN),
        (True, {"CLICOLOR": "0"}, _HEAD[4:-5] + "\n" + PLAIN),
        (True, {"TERM": "dumb"}, _HEAD[4:-5] + "\n" + PLAIN),
        (True, {"TERM": "dumb", "CLICOLOR_FORCE": "1"}, _HEAD + RED),
    ],
)
def test_the_environment_decides_about_colour(vault, terminal, environment, text):
    assert shown(vault, *RULES, terminal=terminal, **environment) == text


def test_no_document_and_no_prompt_block_has_colour(vault):
    for args in ((*RULES, "--json"), ("prompt", "--only", "rules")):
        text = shown(vault, *args, CLICOLOR_FORCE="1")
        assert text == shown(vault, *args, terminal=False)
        assert "\x1b" not in text


def test_a_verdict_and_the_file_of_a_hit_stand_out(world):
    vault = world.vault("template").write("system/memory/a-000001.md", "# Blue paint\n")
    denied = shown(vault, "guard", "shell", "--input", '{"command": "sudo ls"}')
    assert denied.startswith("\x1b[")
    assert shown(vault, "search", "paint") == (
        "\x1b[1msystem/memory/a-000001.md\x1b[0m: Blue paint  "
        "\x1b[2m[system 0.33]\x1b[0m\n    Blue paint\n"
    )


def test_text_of_a_vault_brings_no_colour_of_its_own(world):
    world.vault("empty").write(
        "system/rules/shell/x-a0000001.toml",
        'id = "a0000001"\ntool = "shell"\nrule = "a \\u001b[31m red one"\n',
    )
    assert shown(world, "rule", "list", CLICOLOR_FORCE="1", terminal=False) == (
        "a0000001  \x1b[2mnormal\x1b[0m  shell  system  advice only  a [31m red one\n"
    )
