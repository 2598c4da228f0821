"""Sentences of docstrings in Python sources."""

import ast
import re
import tarfile
import warnings
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

_SENTENCE_END = re.compile(r"(?<=[.;:]) ")
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_STANDARD_LIBRARY = "package/python_stdlib.zip"


def sentences_of_library(archive: Path) -> Iterator[str]:
    """Yield every sentence of the standard library in pyodide's npm package."""
    with tarfile.open(archive) as package:
        data = _content(package, _STANDARD_LIBRARY)
    with ZipFile(BytesIO(data)) as sources:
        for name in sorted(sources.namelist()):
            if name.endswith(".py"):
                for docstring in _docstrings(sources.read(name)):
                    yield from _sentences(docstring)


def summaries_of_sources(archive: Path, folder: str) -> Iterator[str]:
    """Yield the first sentence of each docstring below a folder of a source archive."""
    with tarfile.open(archive) as package:
        for name in sorted(package.getnames()):
            if name.startswith(folder) and name.endswith(".py"):
                for docstring in _docstrings(_content(package, name)):
                    yield next(_sentences(docstring))


def _content(package: tarfile.TarFile, name: str) -> bytes:
    file = package.extractfile(name)
    if file is None:
        raise ValueError(f"{name} is not a file")
    return file.read()


def _docstrings(source: bytes) -> Iterator[str]:
    with warnings.catch_warnings(action="ignore"):  # escapes in old sources
        try:
            tree = ast.parse(source)
        except SyntaxError:  # a template
            return
    for node in ast.walk(tree):
        if isinstance(node, _DOCUMENTED) and (found := ast.get_docstring(node)):
            yield found


def _sentences(docstring: str) -> Iterator[str]:
    for paragraph in docstring.split("\n\n"):
        yield from _SENTENCE_END.split(" ".join(paragraph.split()))
