"""The modules of the package as texts and as syntax trees."""

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "toolmem"
SOURCES = {
    path.relative_to(PACKAGE).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(PACKAGE.rglob("*.py"))
}
"""Path in the package → text."""


@cache
def tree(name: str) -> ast.Module:
    """The syntax tree of a module; only the tests that need it pay for it."""
    return ast.parse(SOURCES[name])
