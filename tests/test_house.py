"""Conventions of the project that a program can check."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.source import ROOT, SOURCES, nodes

_MOST_LINES = 350
_MOST_BODY = 40
_TABLES = {"core/shell/flags.py"}
"""Tables of data."""
_PRINTERS = {"cli/output.py", "hooks/supervise.py", "cli/progress.py"}
_WORDS = re.compile(
    r"\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X|NotImplemented" + r"Error)\b"
)
# Modules that may contain the quoted word: it begins a remark, or is banned by a rule.
_QUOTED = {
    "core/facts/parse.py",
    "core/facts/edit.py",
    "core/guard/contents/literals.py",
}


def _functions() -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """The functions of every module, with the module's path."""
    for name in SOURCES:
        for node in nodes(name):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield name, node


def test_a_module_is_short():
    counts = {name: text.count("\n") for name, text in SOURCES.items()}
    most = {name: _MOST_LINES + 100 * (name in _TABLES) for name in SOURCES}
    assert [name for name in SOURCES if counts[name] > most[name]] == []


def test_the_body_of_a_function_is_short():
    long = [
        f"{name}: {function.name}"
        for name, function in _functions()
        if (function.body[-1].end_lineno or 0) - function.body[0].lineno >= _MOST_BODY
    ]
    assert long == []


def test_own_modules_are_imported_at_the_top_only():
    later = [
        f"{name}: {function.name}"
        for name, function in _functions()
        for node in ast.walk(function)
        if isinstance(node, ast.ImportFrom)
        and (node.module or "").startswith("toolmem")
        and name != "__main__.py"  # the short way for hooks, before the command line
    ]
    assert later == []


def test_only_the_output_module_prints():
    printing = re.compile(r'(?<!finger)(?<!")print\(|sys\.stdout\.write')
    printers = {name for name, text in SOURCES.items() if printing.search(text)}
    assert printers - _PRINTERS == set()


def test_no_intention_stands_in_the_source():
    intentions = {name for name, text in SOURCES.items() if _WORDS.search(text)}
    assert intentions - _QUOTED == set()


def test_no_module_imports_in_a_circle():
    graph = {_dotted(name): set(_imports(name)) for name in SOURCES}
    visiting: list[str] = []
    done: set[str] = set()

    def visit(name: str) -> None:
        assert name not in visiting, " > ".join([*visiting, name])
        if name in done or name not in graph:
            return
        visiting.append(name)
        for other in sorted(graph[name]):
            visit(other)
        done.add(visiting.pop())

    for name in sorted(graph):
        visit(name)


def _dotted(name: str) -> str:
    parts = ("toolmem", *name.removesuffix(".py").split("/"))
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


_NAMES = frozenset(map(_dotted, SOURCES))


def _imports(name: str) -> Iterator[str]:
    """The modules of the package that a module imports, also for type checkers."""
    for node in nodes(name):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
            "toolmem"
        ):
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in _NAMES else str(node.module)


_LOADED = """
import sys
from toolmem.cli.main import run_program
from toolmem.cli.run import Run
code = run_program(sys.argv[1:], Run())
assert code == 0, code
sys.stderr.write(" ".join(
    name
    for name, module in sys.modules.items()
    if type(module).__name__ != "UnloadedModule"
))
"""
_HEAVY = {"tantivy", "rapidfuzz", "frontmatter", "yaml", "tomli_w", "sqlite3"}


@pytest.mark.one_of(2)
@pytest.mark.parametrize(
    ("words", "heavy"),
    [
        (("--version",), _HEAVY | {"toolmem.ops.prompt.build"}),
        (("prompt", "--project", "mech-fighters"), _HEAVY),
        (("rule", "list"), _HEAVY),
        (("fact", "list"), _HEAVY),
        (("rule", "add", "shell", "never use sudo"), _HEAVY - {"tomli_w"}),
    ],
    ids=["--version", "prompt", "rule list", "fact list", "rule add"],
)
def test_a_command_loads_only_what_it_needs(words, heavy, tmp_path):
    vault = ROOT / "vault-template"
    if words[0] == "rule":
        vault = tmp_path
        vault.joinpath("toolmem.toml").write_text("schema = 1\n")
    args = words if words[0] == "--version" else ("--vault", str(vault), *words)
    done = subprocess.run(
        [sys.executable, "-c", _LOADED, *args],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    loaded = set(done.stderr.decode().splitlines()[-1].split())
    assert loaded & (heavy | {"hypothesis", "pydantic", "numpy", "mcp"}) == set()
