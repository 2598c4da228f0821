"""Plain command lines are parsed without Typer, and to the same values."""

import contextlib
import io
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.program import ROOT
from tests.world import World
from toolmem.cli import names, offers, plain_line, typer_tree
from toolmem.cli.run import Run
from toolmem.cli.tree import DeclaredGroup, Option, RunContext

Called = tuple[str, str, dict[str, Any]]
SEEN: list[tuple[str, dict[str, Any]]] = []
LINES = [
    ["search", "how do I undo a commit"],
    ["--vault", "v", "search", "-n", "3", "--json", "--topic=git", "undo a commit"],
    ["search", "--vault=v", "--importance-min", "0.5", "--only", "rule", "-"],
    ["memory", "save", "A note."],
    ["memory", "list", "--project", "p"],
    ["rule", "add", "git", "never force push", "-p", "critical", "--tag", "a"],
    ["commit", "one", "two", "-m", "message"],
    ["git", "merge-driver", "base", "ours", "theirs", "path"],
    ["prompt"],
    ["check", "--strict"],
]
OTHERS = [
    [],
    ["--version"],
    ["--help"],
    ["help", "search"],
    ["serch", "x"],
    ["rule"],
    ["rule", "--help"],
    ["rule", "ad", "x", "y"],
    ["search"],
    ["search", "one", "two"],
    ["search", ""],
    ["search", "-x"],
    ["search", "--", "-x"],
    ["search", "x", "-n3"],
    ["search", "x", "-n", "three"],
    ["search", "x", "-n", "-3"],
    ["search", "x", "-n"],
    ["search", "x", "--json=yes"],
    ["search", "x", "--topi", "git"],
    ["search", "x", "--importance-min", "nan"],
    ["turn", "list", "--last", "0"],
    ["memory", "edit", "x", "--private"],
]


def recorder(name: str, function: Callable[..., None]) -> Callable[..., None]:
    """A function with the same parameters, which records its call."""
    code = function.__code__
    parameters = code.co_varnames[: code.co_argcount]
    place: dict[str, Any] = {"seen": SEEN, "name": name}
    body = f"def call({', '.join(parameters)}): seen.append((name, locals()))"
    exec(body, place)
    call: Callable[..., None] = place["call"]
    call.__annotations__ = function.__annotations__
    call.__defaults__ = function.__defaults__
    return call


COMMANDS = {name: recorder(name, names.command_of(name)) for name in names.COMMANDS}
GROUPS: dict[str, DeclaredGroup] = {}
for group_name in names.GROUPS:
    original = names.group_of(group_name)
    GROUPS[group_name] = DeclaredGroup(original.about)
    GROUPS[group_name].hidden = original.hidden
    for command_name, declared in original.commands.items():
        recorded = recorder(f"{group_name} {command_name}", declared)
        GROUPS[group_name].commands[command_name] = recorded
EVERY = {(name,): function for name, function in COMMANDS.items()} | {
    (group, name): function
    for group, app in GROUPS.items()
    for name, function in app.commands.items()
}


@pytest.fixture(scope="module", autouse=True)
def recorders() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(names, "command_of", COMMANDS.__getitem__)
        patch.setattr(names, "group_of", GROUPS.__getitem__)
        yield


def by_typer(argv: list[str]) -> Called | None:
    """The command that Typer calls, its values and the vault; None if it refuses."""
    SEEN.clear()
    run, out = Run(vault="default"), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        code = typer_tree.run_parsed(argv, run)
    if not SEEN:
        return None
    assert code == 0
    return without_context(run)


def by_hand(argv: list[str]) -> Called | None:
    """The same without Typer; None if the line is not plain."""
    SEEN.clear()
    call = plain_line.parse_plain(argv)
    if call is None:
        return None
    run = Run(vault=call.vault or "default")
    call.function(*((RunContext(run),) if call.takes_run else ()), **call.values)
    return without_context(run)


def without_context(run: Run) -> Called:
    [(name, values)] = SEEN
    values = dict(values)
    context = values.pop("ctx", None)
    assert context is None or context == RunContext(run)
    return name, run.vault, values


PLAIN = ("x", "two words", "3", "0.5", "-")
VALUES = ("x", "two words", "3", "0", "007", "1.5", "-3", "1e3", "nan", "-", "", "é")
MARKS = ("--", "-n3", "--help", "-h", "--unknown", "--vault", "--vault=v", "--json")


@st.composite
def lines(draw: st.DrawFn) -> list[str]:
    path = draw(st.sampled_from(sorted(EVERY)))
    hints = EVERY[path].__annotations__.values()
    options = [
        name
        for hint in hints
        if isinstance(hint, tuple) and isinstance(hint[1], Option)
        for names_of in hint[1].names
        for name in names_of.split("/")
    ]
    plain = draw(st.booleans())
    value = st.sampled_from(PLAIN if plain else VALUES)
    option = st.sampled_from(options or ["--vault"])
    word = st.one_of(
        value.map(lambda text: [text]),
        st.tuples(option, value).map(list),
        st.builds("{}={}".format, option, value).map(lambda text: [text]),
        option.map(lambda text: [text]),
        st.sampled_from(MARKS[-2:] if plain else MARKS).map(lambda text: [text]),
    )
    before = draw(st.sampled_from([[], ["--vault", "w"], ["--vault=w"], ["--vault="]]))
    return [*before, *path, *(w for part in draw(st.lists(word)) for w in part)]


@given(lines())
def test_a_plain_line_has_the_values_that_typer_gives_it(argv):
    plain = by_hand(argv)
    if plain is not None:
        assert plain == by_typer(argv)


@pytest.mark.parametrize("argv", LINES, ids=" ".join)
def test_usual_lines_are_plain(argv):
    assert by_hand(argv) == by_typer(argv) is not None


@pytest.mark.parametrize("argv", OTHERS, ids=" ".join)
def test_other_lines_are_left_to_typer(argv):
    assert plain_line.parse_plain(argv) is None


def test_completions_are_left_to_typer(monkeypatch):
    monkeypatch.setenv(typer_tree.COMPLETING, "complete_bash")
    assert plain_line.parse_plain(["prompt"]) is None


def test_every_completion_exists():
    for function in EVERY.values():
        for hint in function.__annotations__.values():
            if isinstance(hint, tuple) and hint[1].offers:
                assert callable(getattr(offers, hint[1].offers))


@pytest.mark.parametrize(
    "argv", [["prompt"], ["search", "x"], ["memory", "list"], ["rule", "list"]]
)
def test_a_plain_line_loads_no_typer(tmp_path, argv):
    World(tmp_path).vault("template")
    program = (
        "import sys\nfrom toolmem.__main__ import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        "print(*sorted({'typer', 'inspect'} & {*sys.modules}), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "--vault", str(tmp_path), *argv],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=ROOT,
        text=True,
        timeout=60,
    )
    assert done.stderr.splitlines()[-1] == ""
