"""The rules of the house that a machine can check."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "toolmem"
MODULES = sorted(PACKAGE.rglob("*.py"))
_MOST_LINES = 350
_MOST_BODY = 40
_PRINTERS = {"cli/output.py", "hooks/supervise.py", "cli/progress.py"}
_WORDS = re.compile(
    r"\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X|NotImplemented" + r"Error)\b"
)
# What the quoted word may stand in: it is one of those that begin a remark.
_QUOTED = {"core/facts/parse.py", "core/facts/edit.py"}


def _name(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


@pytest.mark.parametrize("path", MODULES, ids=_name)
def test_a_module_is_short(path):
    lines = path.read_text(encoding="utf-8").count("\n")
    assert lines <= (_MOST_LINES + 100 if _name(path) in _TABLES else _MOST_LINES)


_TABLES = {"core/shell/flags.py", "core/limits.py"}
"""Tables of data."""


@pytest.mark.parametrize("path", MODULES, ids=_name)
def test_the_body_of_a_function_is_short(path):
    for function in _functions(_tree(path)):
        first, last = function.body[0], function.body[-1]
        assert (last.end_lineno or 0) - first.lineno < _MOST_BODY, function.name


@pytest.mark.parametrize("path", MODULES, ids=_name)
def test_own_modules_are_imported_at_the_top_only(path):
    if _name(path) == "__main__.py":
        return  # the short way for hooks, before the command line is imported
    for function in _functions(_tree(path)):
        for node in ast.walk(function):
            if isinstance(node, ast.ImportFrom):
                assert not (node.module or "").startswith("toolmem"), function.name


@pytest.mark.parametrize("path", MODULES, ids=_name)
def test_only_the_output_module_prints(path):
    text = path.read_text(encoding="utf-8")
    if _name(path) not in _PRINTERS:
        assert "print(" not in re.sub(r"fingerprint\(", "", text)
        assert "sys.stdout.write" not in text


@pytest.mark.parametrize("path", MODULES, ids=_name)
def test_no_intention_stands_in_the_source(path):
    if _name(path) not in _QUOTED:
        assert not _WORDS.search(path.read_text(encoding="utf-8"))


def test_no_module_imports_in_a_circle():
    graph = {_dotted(path): set(_imports(path)) for path in MODULES}
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


def _dotted(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


_NAMES = frozenset(map(_dotted, MODULES))


def _imports(path: Path) -> Iterator[str]:
    """The modules of the package that a module imports, also for type checkers."""
    for node in ast.walk(_tree(path)):
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
