"""Read the demands out of the tests of this folder, and write them as a table.

The name of a test is the demand and its docstring the place that demands it. The first
fixtures that it asks for are the surfaces that it goes through. ``@differs(reason)``
marks a demand that toolmem meets in another way on purpose.
"""

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, TypeVar

FOLDER = Path(__file__).parent
TABLE = FOLDER.parents[1] / "docs" / "acceptance.md"
SEEDS = {
    "test_openhuman.py": "OpenHuman: rules of tools",
    "test_keen_code.py": "Keen Code: memory of a turn",
    "test_agent_queue.py": "agent-queue: scopes, tiers and topics",
    "test_si.py": "Si: tools that ask",
}
SURFACES = {
    "command": "command line",
    "rpc": "JSON-RPC",
    "mcp": "MCP",
    "hook": "hook",
    "transcript": "transcript",
}
"""Fixture → surface."""
HOLDS = "holds"

_HEAD = """\
# Acceptance

Four systems had parts of what toolmem does before it did. Each demand that their
documents and tests make is a test of `tests/acceptance/`, run through the surface that
its users have: the command line, JSON-RPC, MCP, an agent's hook or a transcript.
`make acceptance` runs them and prints this table. {count} demands: {held} hold, and
{differing} are decided in another way on purpose, with the reason.
"""

Test = TypeVar("Test", bound=Callable[..., object])


def differs(reason: str) -> Callable[[Test], Test]:
    """Mark a demand that is met in another way; the test pins what is done instead."""
    assert reason
    return lambda test: test


class Demand(NamedTuple):
    """One row: ``reason`` is empty where the demand holds as it is made."""

    file: str
    test: str
    surface: str
    source: str
    reason: str

    @property
    def text(self) -> str:
        """The demand as a sentence."""
        words = self.test.removeprefix("test_").replace("_", " ")
        return words[:1].upper() + words[1:]


def demands() -> list[Demand]:
    """Every demand, in the order of the files and of the tests in them."""
    return [demand for file in SEEDS for demand in _of_file(file)]


def _of_file(file: str) -> Iterator[Demand]:
    tree = ast.parse((FOLDER / file).read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            asked = (SURFACES.get(argument.arg, "") for argument in node.args.args)
            surface = ", ".join(filter(None, asked))
            source = " ".join((ast.get_docstring(node) or "").split())
            yield Demand(file, node.name, surface, source, _reason(node))


def _reason(node: ast.FunctionDef) -> str:
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "differs":
            return str(ast.literal_eval(decorator.args[0]))
    return ""


def table(rows: Iterable[Demand], results: Mapping[str, str] | None = None) -> str:
    """The book as Markdown; ``results`` by test, else every test is taken to pass."""
    rows = list(rows)
    differing = sum(bool(row.reason) for row in rows)
    parts = [
        _HEAD.format(count=len(rows), held=len(rows) - differing, differing=differing)
    ]
    for file, title in SEEDS.items():
        parts.append(f"\n## {title}\n\n| demand | surface | result | source |\n")
        parts.append("|---|---|---|---|\n")
        for row in rows:
            if row.file == file:
                result = f"differs: {row.reason}" if row.reason else HOLDS
                if results is not None and results.get(row.test, "") != "passed":
                    result = results.get(row.test, "not run")
                cells = (row.text, row.surface, result, row.source)
                parts.append(f"| {' | '.join(map(_cell, cells))} |\n")
    return "".join(parts)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
