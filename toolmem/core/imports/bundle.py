"""Write and read a whole vault as one JSON document, byte for byte.

``files`` has an object for each file, by path: ``path`` and ``text`` if both are UTF-8,
else ``path_base64`` and ``base64`` with the bytes themselves.
"""

import base64
import binascii
import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from toolmem.core.imports.kinds import EXPORT_KEY
from toolmem.errors import UsageError

FORMAT = 1


class BundleFile(NamedTuple):
    """A file of a vault; bytes of ``path`` that are not UTF-8 are surrogate escapes."""

    path: str
    data: bytes


class BundleProblem(NamedTuple):
    """An entry of a document that is not a file of a vault, and the reason."""

    path: str
    message: str


def bundle_document(files: Iterable[BundleFile]) -> dict[str, Any]:
    """Return the document of these files, by path."""
    ordered = sorted(files, key=lambda file: _bytes_of(file.path))
    return {EXPORT_KEY: FORMAT, "files": [_entry(file) for file in ordered]}


def read_bundle(text: str) -> Iterator[BundleFile | BundleProblem]:
    """Yield the files of a document in order, and a problem for each invalid entry.

    Raises ``UsageError`` for any other document.
    """
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"is not JSON: {error}") from error
    listed = document.get("files") if isinstance(document, dict) else None
    if not isinstance(listed, list):
        raise UsageError("is not what `toolmem export json` writes")
    version = document.get(EXPORT_KEY)
    if version != FORMAT:
        raise UsageError(f"has {EXPORT_KEY} {version!r}, this toolmem reads {FORMAT}")
    for number, entry in enumerate(listed, 1):
        yield _read(entry, number)


def _entry(file: BundleFile) -> dict[str, str]:
    name = _bytes_of(file.path)
    entry = (
        {"path": file.path}
        if name == file.path.encode("utf-8", "replace")
        else {"path_base64": base64.b64encode(name).decode("ascii")}
    )
    try:
        return entry | {"text": file.data.decode()}
    except UnicodeDecodeError:
        return entry | {"base64": base64.b64encode(file.data).decode("ascii")}


def _bytes_of(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")


def _read(entry: Any, number: int) -> BundleFile | BundleProblem:
    unnamed = f"files[{number - 1}]"
    if not isinstance(entry, dict):
        return BundleProblem(unnamed, "is not an object")
    try:
        path = _path(entry)
    except ValueError:
        return BundleProblem(unnamed, "has no path")
    if isinstance(entry.get("text"), str):
        try:
            return BundleFile(path, entry["text"].encode())
        except UnicodeEncodeError:
            return BundleProblem(path, "has text that is not Unicode")
    try:
        return BundleFile(path, _decoded(entry.get("base64")))
    except ValueError:
        return BundleProblem(path, "has neither a text nor bytes in base64")


def _path(entry: dict[str, Any]) -> str:
    if isinstance(entry.get("path"), str):
        path: str = entry["path"]
        path.encode()  # a lone surrogate is invalid in a name
        return path
    return _decoded(entry.get("path_base64")).decode("utf-8", "surrogateescape")


def _decoded(text: Any) -> bytes:
    if not isinstance(text, str):
        raise ValueError
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError from error
