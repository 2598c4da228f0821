"""The modules of the package: texts, syntax trees, docstrings, comments and strings."""

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "toolmem"
SOURCES = {
    path.relative_to(PACKAGE).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(PACKAGE.rglob("*.py"))
}
"""Path in the package → text."""
_SCOPES = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_LEAVES = (ast.Name, ast.alias, ast.expr_context, ast.operator)
_DATA = (
    "cli/examples.py",
    "core/access/agent_bounds.py",
    "core/capture/",
    "core/comparison/opposites.py",
    "core/guard/derivation/",
    "core/memories/topics.py",
    "core/secrets/nouns.py",
    "core/secrets/prose.py",
    "core/secrets/shapes.py",
    "core/shell/flags.py",
    "core/shell/ordinary.py",
    "core/shell/programs.py",
    "core/transcript/",
)
"""Modules of tables: their strings are words, flags, commands or styles, not prose.

So is every other string that is split into words where it is written.
"""


class Text(NamedTuple):
    """A docstring, comment, name or string and the line where it begins."""

    kind: str
    line: int
    text: str
    error: str = ""
    """The exception that a string is the message of."""


@cache
def tree(name: str) -> ast.Module:
    """Return the syntax tree of a module; only the tests that need it pay for it."""
    return ast.parse(SOURCES[name])


@cache
def nodes(name: str) -> tuple[ast.AST, ...]:
    """Return every node of a module's tree."""
    return tuple(ast.walk(tree(name)))


def strings(name: str) -> Iterator[Text]:
    """Strings of a module; one of several parts is one text with ``{name}``."""
    return iter(()) if name.startswith(_DATA) else _strings(tree(name), "")


def texts(name: str) -> Iterator[Text]:
    """Texts of one module."""
    yield from _texts(SOURCES[name], nodes(name))
    yield from strings(name)


def texts_of(source: str) -> Iterator[Text]:
    """Texts of code that is in no file."""
    parsed = ast.parse(source)
    yield from _texts(source, ast.walk(parsed))
    yield from _strings(parsed, "")


def _texts(source: str, parsed: Iterable[ast.AST]) -> Iterator[Text]:
    """Docstrings (also those below an attribute or a constant), names and comments."""
    for node in parsed:
        for statement in node.body if isinstance(node, _SCOPES) else ():
            if (text := _bare_string(statement)) is not None:
                yield Text("docstring", statement.lineno, text)
        match node:
            case ast.ClassDef(name=name):
                yield Text("class", node.lineno, _words(name))
            case ast.FunctionDef(name=name) | ast.arg(arg=name):
                yield Text("name", node.lineno, _words(name))
            case ast.Name(id=name, ctx=ast.Store()):
                yield Text("name", node.lineno, _words(name))
    yield from _comments(source)


def _comments(source: str) -> Iterator[Text]:
    if "#" not in source:
        return
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield Text("comment", token.start[0], token.string.lstrip("# "))


def _bare_string(node: ast.AST) -> str | None:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return node.value.value if isinstance(node.value.value, str) else None
    return None


def _words(name: str) -> str:
    return re.sub(r"_+|(?<=[a-z])(?=[A-Z])", " ", name).strip()


def _strings(node: ast.AST, error: str) -> Iterator[Text]:
    if isinstance(node, _LEAVES) or _bare_string(node) or _is_word_list(node):
        return
    if isinstance(node, ast.Call):
        called = ast.unparse(node.func).rpartition(".")[2]
        error = called if called.endswith("Error") else error
    template = _template(node)
    if template is not None:
        yield Text("string", getattr(node, "lineno", 0), template, error)
    else:
        for child in ast.iter_child_nodes(node):
            yield from _strings(child, error)


def _is_word_list(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Constant(), attr="split")):
            return True
    return False


def _template(node: ast.AST) -> str | None:
    """Text of a string, f-string or sum of them, or None."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(_template(part) or _placeholder(part) for part in parts)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            texts = _template(left), _template(right)
            if texts == (None, None):
                return None
            return "".join(
                _placeholder(part) if text is None else text
                for text, part in zip(texts, (left, right), strict=True)
            )
    return None


def _placeholder(node: ast.AST) -> str:
    """``{name}`` for a name or attribute, ``{…}`` for anything else."""
    if isinstance(node, ast.FormattedValue):
        node = node.value
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return f"{{{name}}}"
    return "{…}"
