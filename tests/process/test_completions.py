"""Completions, driven as the shells drive them, on a vault with hostile texts."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.client import client
from tests.program import ROOT, environment_with_toolmem

SCRIPTS = ROOT / "completions"
HOSTILE = (
    r"""say \$(touch pwned) `touch pwned` $(touch pwned) "x" 'y' [/bold] and: no"""
)
SHOWN = HOSTILE.replace("[/bold]", "(/bold)")
PROJECT = "mech-fighters"
SENT = "send_email"
SUB = f"{PROJECT}/coding"
Place = tuple[Path, dict[str, str]]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """Make a vault to work in, and the environment to call toolmem from there."""
    folder = tmp_path_factory.mktemp("completions")
    environment = environment_with_toolmem(folder, client())
    vault = folder / "vault"
    for command in (
        ["toolmem", "init", "--sample", str(vault)],
        [
            "toolmem",
            "--vault",
            str(vault),
            "rule",
            "add",
            "My Tool",
            HOSTILE,
            "--id",
            "evil",
        ],
    ):
        subprocess.run(command, env=environment, check=True, capture_output=True)
    return vault, environment


def run(place: Place, *command: str) -> list[str]:
    vault, environment = place
    done = subprocess.run(
        command,
        cwd=vault,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stderr == ""
    assert not (vault / "pwned").exists()
    return done.stdout.splitlines()


def offers(place: Place, *words: str) -> list[str]:
    """Return toolmem's answer to bash for the last word."""
    assignments = (
        "_TOOLMEM_COMPLETE=complete_bash",
        f"COMP_WORDS={' '.join(words)}",
        f"COMP_CWORD={len(words) - 1}",
    )
    return list(filter(None, run(place, "env", *assignments, "toolmem")))


@pytest.mark.one_of(3)
@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["toolmem", "ru"], ["rule"]),
        (["toolmem", "gen"], []),
        (["toolmem", "rule", "sho"], ["show"]),
        (["toolmem", "rule", "add", "s"], [SENT, "shell"]),
        (["toolmem", "rule", "list", ""], ["*", "My Tool", "edit", SENT, "shell"]),
        (["toolmem", "rule", "show", "9"], ["90c192cf", "9531985d"]),
        (["toolmem", "rule", "show", "3"], ["36f675cc"]),  # and its override
        (["toolmem", "rule", "show", "e"], ["evil"]),
        (["toolmem", "rule", "show", "zz"], []),
        (["toolmem", "prompt", "--project", ""], [PROJECT]),
        (["toolmem", "prompt", "--agent-type", ""], ["coding"]),
        (
            ["toolmem", "rule", "show", "--scope", ""],
            ["agent-type:coding", f"project:{PROJECT}", f"project:{SUB}",
             "system"],
        ),
        (["toolmem", "rule", "add", "x", "y", "-p", "c"], ["critical"]),
        (["toolmem", "fact", "get", "test_"], ["test_command"]),
        (["toolmem", "search", "x", "--semantic", ""], ["table", "model", "off"]),
        (["toolmem", "search", "x", "--only", "f"], ["fact"]),
        (["toolmem", "agent", "install", "co"], ["codex", "continue", "copilot"]),
        (["toolmem", "--vault", "nowhere", "rule", "show", ""], []),
    ],
)  # fmt: skip
def test_what_the_vault_holds_is_offered(place, words, wanted):
    assert offers(place, *words) == wanted


def test_outside_a_vault_nothing_is_offered_and_nothing_is_said(place):
    vault, environment = place
    assert offers((vault.parent, environment), "toolmem", "rule", "show", "") == []


BASH = r"""
source {script}
COMP_LINE=$1 COMP_POINT=${{#1}}; shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_toolmem_completion toolmem
[[ ${{#COMPREPLY[@]}} == 0 ]] || printf '%s\n' "${{COMPREPLY[@]}}"
"""


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is not installed")
@pytest.mark.parametrize(
    ("line", "words", "wanted"),
    [
        ("toolmem rule list ", ["rule", "list", ""],
         [r"\*", r"My\ Tool", "edit", SENT, "shell"]),
        ("toolmem rule show e", ["rule", "show", "e"], ["evil"]),
        # Readline breaks words at : and = and puts the rest in their place.
        ("toolmem rule show --scope project:me",
         ["rule", "show", "--scope", "project", ":", "me"], [PROJECT, SUB]),
        ("toolmem rule show --scope project:",
         ["rule", "show", "--scope", "project", ":"], [PROJECT, SUB]),
        ("toolmem rule show --scope=agent",
         ["rule", "show", "--scope", "=", "agent"], ["agent-type:coding"]),
        ("toolmem rule show --scope=agent-type:",
         ["rule", "show", "--scope", "=", "agent-type", ":"], ["coding"]),
        ("toolmem rule add x 'a: b' --tag t -p  c",
         ["rule", "add", "x", "'a: b'", "--tag", "t", "-p", "c"], ["critical"]),
    ],
)  # fmt: skip
def test_bash_gets_quoted_words_without_what_it_has(place, line, words, wanted):
    script = BASH.format(script=SCRIPTS / "toolmem.bash")
    command = ("bash", "--norc", "-c", script, "-", line, "toolmem", *words)
    assert run(place, *command) == wanted


# The two functions are zsh's own; here they print what they are given.
ZSH = r"""
autoload -Uz compinit && compinit -u -D
source {script}
_describe() {{ print -rl -- "${{(@P)@[-1]}}" }}
_files() {{ print -r -- files }}
words=("$@"); CURRENT=$#words
_toolmem
"""


@pytest.mark.one_of(3)
@pytest.mark.skipif(not shutil.which("zsh"), reason="zsh is not installed")
@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["rule", "show", "9"],
         ["90c192cf:edit: always run `make assets-check` after changing anything under "
          "`data/`", "9531985d:shell: never force-push to a shared branch"]),
        (["rule", "show", "e"], [f"evil:My Tool: {SHOWN}"]),
        (["prompt", "--project", ""], [PROJECT]),
        (["rule", "show", "--scope", "agent"], [r"agent-type\:coding"]),
        (["check", "x"], ["files"]),
    ],
)  # fmt: skip
def test_zsh_gets_values_with_help_and_evaluates_neither(place, words, wanted):
    script = ZSH.format(script=SCRIPTS / "_toolmem")
    assert run(place, "zsh", "-f", "-c", script, "-", "toolmem", *words) == wanted


TAB = r"""
zmodload zsh/zpty
zpty inner zsh -f -i
zpty -w inner "fpath=({folder} \$fpath)"
zpty -w inner "autoload -Uz compinit; compinit -u -D; print o''k"
zpty -r inner said '*ok*'
zpty -w -n inner $'toolmem rule show e\t'
zpty -r inner said '*toolmem rule show evil*'
zpty -d inner
"""


@pytest.mark.skipif(not shutil.which("zsh"), reason="zsh is not installed")
def test_the_tab_key_in_zsh_completes_and_runs_nothing(place):
    script = TAB.format(folder=SCRIPTS)
    assert run(place, "zsh", "-f", "-c", script) == []


@pytest.mark.skipif(not shutil.which("fish"), reason="fish is not installed")
@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("toolmem rule show e", [f"evil\tMy Tool: {SHOWN}"]),
        ("toolmem prompt --project ", [PROJECT]),
        ("toolmem rule show --scope project:",
         [f"project:{PROJECT}", f"project:{SUB}"]),
    ],
)  # fmt: skip
def test_fish_offers_values_with_help(place, line, wanted):
    script = f"source {SCRIPTS / 'toolmem.fish'}; complete -C '{line}'"
    assert run(place, "fish", "--no-config", "-c", script) == wanted


@pytest.mark.parametrize(
    ("shell", "name"),
    [
        (("bash", "--norc"), "toolmem.bash"),
        (("zsh", "-f"), "_toolmem"),
        (("fish", "--no-config"), "toolmem.fish"),
    ],
)
def test_sourcing_a_script_says_nothing(place, shell, name):
    if not shutil.which(shell[0]):
        pytest.skip(f"{shell[0]} is not installed")
    ready = "autoload -Uz compinit && compinit -u -D; " if shell[0] == "zsh" else ""
    assert run(place, *shell, "-c", f"{ready}source {SCRIPTS / name}") == []
