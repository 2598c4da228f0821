"""Help: every command in a section, with a short summary and examples that work."""

import shlex
from itertools import chain

import pytest
from typer._click.core import Context
from typer.core import TyperGroup

from tests.command_tree import command_tree
from tests.docs.manual import leaves
from toolmem.cli.examples import EXAMPLES
from toolmem.cli.main import run_program
from toolmem.cli.program import SECTIONS
from toolmem.cli.run import Run

PROGRAM = command_tree()
LEAVES = {" ".join(words): command for words, command in leaves(PROGRAM)}


def output(capsys, *words: str) -> str:
    assert run_program(words, Run()) == 0
    text: str = capsys.readouterr().out
    return text


def test_every_command_is_in_one_section():
    assert isinstance(PROGRAM, TyperGroup)
    assert sorted(chain(*SECTIONS.values())) == sorted(PROGRAM.commands)


@pytest.mark.parametrize("words", LEAVES)
def test_a_summary_fits_the_line_of_a_list(words):
    assert 10 < len(LEAVES[words].get_short_help_str(1000)) <= 56


@pytest.mark.parametrize("width", [72, 80, 200])
def test_no_line_of_help_is_cut_or_wider_than_the_terminal(capsys, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    for words in ([], ["rule"], ["scratch"], ["rule", "add"]):
        text = output(capsys, *words, "--help").partition("\nExamples:")[0]
        assert "..." not in text.replace("[ARGS]...", "")
        assert max(map(len, text.splitlines())) <= min(width, 100)


def test_every_command_has_examples():
    assert sorted(EXAMPLES) == sorted(LEAVES)


@pytest.mark.parametrize(
    "line", [line for lines in EXAMPLES.values() for line in lines]
)
def test_an_example_is_a_command_line_of_the_program(line):
    """Parsed by the program's own parser, up to the call of the command."""
    words = shlex.split(line.partition(" < ")[0])[1:]
    context = Context(PROGRAM, info_name="toolmem", obj=Run())
    command = PROGRAM.commands[words.pop(0)]
    while isinstance(command, TyperGroup):
        command = command.commands[words.pop(0)]
    command.make_context(command.name, words, parent=context)


def test_help_of_a_command_shows_its_examples(capsys):
    text = output(capsys, "rule", "why", "--help")
    assert text.endswith("\nExamples:\n  toolmem rule why 683f83b0 --project app\n")


def test_help_takes_the_words_of_a_command(capsys):
    assert output(capsys, "help") == output(capsys, "--help")
    assert output(capsys, "help", "rule") == output(capsys, "rule", "--help")
    assert output(capsys, "help", "rule", "add") == output(
        capsys, "rule", "add", "--help"
    )


def test_help_of_an_unknown_command_names_the_group_that_lists_them(capsys):
    assert run_program(["help", "rule", "ad"], Run()) == 2
    assert capsys.readouterr().err == (
        "toolmem: toolmem rule has no command 'ad': `toolmem rule --help` lists them\n"
    )


def test_the_short_option_prints_the_version(capsys):
    assert output(capsys, "-V") == output(capsys, "--version")
