"""Editing a file of the vault in the user's editor, losing nothing that was typed."""

import os
import shlex
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from toolmem.errors import InvalidFileError, ToolmemError, UsageError
from toolmem.store.files.layout import slug
from toolmem.store.vault.vault import Vault

_Result = TypeVar("_Result")


def edited(
    vault: Vault,
    path: str,
    before: bytes,
    put: Callable[[Vault, str, bytes, bytes], _Result],
) -> _Result:
    """Edit a copy of a file, check it, and replace the file.

    Raises ``UsageError`` without an editor, and the file's own error if the edited text
    is invalid; the copy is then preserved and named.
    """
    vault.require_writable()
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not editor:
        raise UsageError("$EDITOR is not set: set it, or change the item with flags")
    copy = _copy(path, before)
    try:
        changed = put(vault, path, before, _run(editor, copy))
    except InvalidFileError as error:
        raise InvalidFileError(
            error.path, error.line, f"{error.reason}; your text was saved in {copy}"
        ) from error
    except ToolmemError as error:
        raise type(error)(f"{error}; your text was saved in {copy}") from error
    copy.unlink(missing_ok=True)
    return changed


def _copy(path: str, data: bytes) -> Path:
    stem, _, suffix = path.rpartition("/")[2].rpartition(".")
    handle, name = tempfile.mkstemp(prefix=f"{slug(stem)}-", suffix=f".{suffix}")
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    return Path(name)


def _run(editor: str, copy: Path) -> bytes:
    try:
        done = subprocess.run([*shlex.split(editor), str(copy)], check=False)
    except (OSError, ValueError) as error:
        raise UsageError(f"$EDITOR {editor!r} cannot be run: {error}") from error
    if done.returncode:
        raise UsageError(f"$EDITOR {editor!r} ended with {done.returncode}")
    try:
        return copy.read_bytes()
    except OSError as error:
        raise UsageError(f"$EDITOR {editor!r} left no file: {error}") from error
