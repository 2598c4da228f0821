"""Sentences of docstrings."""

import ast
import re
from collections.abc import Iterator
from zipfile import ZipFile

_SENTENCE_END = re.compile(r"(?<=[.;:]) ")
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def sentences_of_docstrings(archive: ZipFile) -> Iterator[str]:
    """Yield sentences of the docstrings in a ZIP file of Python sources."""
    for name in sorted(archive.namelist()):
        if name.endswith(".py"):
            tree = ast.parse(archive.read(name))
            for node in ast.walk(tree):
                if isinstance(node, _DOCUMENTED):
                    yield from _sentences(ast.get_docstring(node) or "")


def _sentences(docstring: str) -> Iterator[str]:
    for paragraph in docstring.split("\n\n"):
        yield from _SENTENCE_END.split(" ".join(paragraph.split()))
