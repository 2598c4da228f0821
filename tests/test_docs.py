"""The documents say what the program does: they are run, parsed and compared."""

import re
import shutil
import subprocess
import sys
import tomllib

import pytest
from typer.core import TyperGroup

from tests.client import client
from tests.command_tree import command_tree
from tests.docs import generated, pictures
from tests.docs.manual import leaves
from tests.documents import blocks
from tests.program import ROOT, environment_with_toolmem
from tests.readme import README, fresh
from tests.world import TEMPLATE

DOCUMENTS = (
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "man/toolmem-vault.5",
    "man/toolmem-capture.5",
    "man/toolmem-access.5",
    "vault-template/README.md",
)
_CALL = re.compile(r"(?:`|^\$ |^    |\\fB\\%)toolmem((?: [a-z-]+)+)", re.MULTILINE)


@pytest.fixture(scope="module")
def program() -> TyperGroup:
    tree = command_tree()
    assert isinstance(tree, TyperGroup)
    return tree


def text_of(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def test_generated_files_are_those_of_the_program(program):
    held = {name: text_of(name) for name in generated(program)}
    assert held == generated(program), "`make generate` writes them anew"


def test_completions_holds_generated_files_only(program):
    held = {f"completions/{p.name}" for p in (ROOT / "completions").iterdir()}
    assert held == {name for name in generated(program) if name.startswith("comp")}


def test_the_transcripts_of_the_readme_are_what_is_printed(tmp_path):
    text = README.read_text("utf-8")
    assert fresh(text, tmp_path) == text, "`make generate` writes them anew"


def test_the_picture_of_a_denied_call_is_that_session():
    assert pictures.session() == pictures.SESSION.read_text("utf-8")


def test_the_readme_names_the_completions_that_are_installed():
    build = tomllib.loads(text_of("pyproject.toml"))["tool"]["hatch"]["build"]
    shared = build["targets"]["wheel"]["shared-data"].items()
    wanted = {to.removeprefix("share/") for of, to in shared if of.startswith("comp")}
    assert {one for one in wanted if one not in text_of("README.md")} == set()


def test_other_shell_lines_of_the_readme_are_targets_or_tested_elsewhere():
    lines = [
        line.partition("  #")[0]
        for block in blocks(README)
        if block.language not in ("console", "session", "python", "json", "toml")
        for line in block.text.splitlines()
    ]
    # `pip install .` is run by tests/process/test_package.py.
    assert lines == ["pip install '.[mcp]'", "make demo", "make test"]


@pytest.mark.parametrize(
    ("name", "most"), [("README.md", 220), ("CONTRIBUTING.md", 245)]
)
def test_documents_stay_short(name, most):
    assert len(text_of(name).splitlines()) <= most


def test_the_python_of_the_readme_runs(tmp_path):
    shutil.copytree(TEMPLATE, tmp_path / "vault")
    [script] = [one.text for one in blocks(README) if one.language == "python"]
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout == "created normal\npytest tests/ -v\ndeny True\n"


@pytest.mark.skipif(not shutil.which("make"), reason="make is not installed")
@pytest.mark.parametrize(
    "target", ["demo", "test", "bench", "soak", "semantic", "generate"]
)
def test_make_knows_the_target(target):
    subprocess.run(
        ["make", "--dry-run", target], cwd=ROOT, check=True, capture_output=True
    )


def test_every_command_and_option_says_what_it_does(program):
    silent = [
        " ".join([*words, parameter.name or ""])
        for words, command in leaves(program)
        for parameter in command.params
        if not getattr(parameter, "help", "") or not command.help
    ]
    assert silent == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_documents_name_no_command_that_is_not_there(program, name):
    unknown = []
    for call in _CALL.findall(text_of(name).replace(" \\%", " ")):
        command = program
        for word in call.split():
            if not isinstance(command, TyperGroup):
                break
            if word not in command.commands:
                unknown.append(call)
                break
            command = command.commands[word]
    assert unknown == []


def test_no_line_of_the_changelog_is_too_long_to_read():
    lines = text_of("CHANGELOG.md").splitlines()
    assert [line for line in lines if len(line) > 96] == []


def test_changelog_begins_with_what_is_not_released():
    headings = re.findall(r"^## (.+)$", text_of("CHANGELOG.md"), re.MULTILINE)
    assert headings[0] == "[Unreleased]"
    kinds = re.findall(r"^### (.+)$", text_of("CHANGELOG.md"), re.MULTILINE)
    allowed = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert set(kinds) <= allowed


@pytest.mark.parametrize(
    "name",
    ["toolmem.1", "toolmem-vault.5", "toolmem-capture.5", "toolmem-access.5"],
)
def test_roff_finds_nothing_wrong_with_a_page(name):
    groff = shutil.which("groff")
    if groff is None:
        pytest.skip("groff is not installed")
    done = subprocess.run(
        [groff, "-man", "-Tutf8", "-ww", "-z", ROOT / "man" / name],
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""


def test_demo_denies_a_call_and_shows_block_and_diff(tmp_path):
    done = subprocess.run(
        ["sh", ROOT / "tests" / "demo.sh"],
        env=environment_with_toolmem(tmp_path, client()),
        check=True,
        capture_output=True,
        text=True,
    )
    shown = dict(re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", done.stdout, re.MULTILINE))
    outputs = {words.partition(" --")[0]: text for words, text in shown.items()}
    assert "\n- **[critical]** never email Sarah" in outputs["toolmem prompt"]
    assert outputs["toolmem guard send_email"].startswith("deny\nrule: never email")
    assert "added" in outputs["toolmem diff"]
    assert "Learn a rule of send_email" in outputs["toolmem commit"]
