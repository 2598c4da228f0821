"""Editing a file of the vault in the user's editor, losing nothing that was typed."""

import os
import shlex
import subprocess
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

from toolmem.core.model import Scope
from toolmem.errors import InvalidFileError, ToolmemError, UsageError
from toolmem.ops import memory_change, rule_change
from toolmem.store.layout import slug
from toolmem.store.vault import Vault

_Result = TypeVar("_Result")


def edit_rule(
    vault: Vault, rule_id: str, scope: Scope | None, *, allow_secret: bool = False
) -> rule_change.Changed:
    """Let the user edit a rule file; see ``_edited`` for what can go wrong."""
    path, before = rule_change.rule_source(vault, rule_id, scope)
    put = partial(rule_change.replace_source, allow_secret=allow_secret)
    return _edited(vault, path, before, put)


def edit_memory(
    vault: Vault, memory_id: str, *, allow_secret: bool = False
) -> memory_change.MemoryChange:
    """Let the user edit a memory; see ``_edited`` for what can go wrong."""
    path, before = memory_change.memory_source(vault, memory_id)
    put = partial(memory_change.replace_memory, allow_secret=allow_secret)
    return _edited(vault, path, before, put)


def _edited(
    vault: Vault,
    path: str,
    before: bytes,
    put: Callable[[Vault, str, bytes, bytes], _Result],
) -> _Result:
    """Edit a copy of a file, check it, and put it in place.

    Raises ``UsageError`` without an editor, and the file's own error when the
    edited text is not valid; the copy is then kept and named.
    """
    vault.require_writable()
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not editor:
        raise UsageError("no $EDITOR is set: say with flags what to change")
    copy = _copy(path, before)
    try:
        changed = put(vault, path, before, _run(editor, copy))
    except InvalidFileError as error:
        raise InvalidFileError(
            error.path, error.line, f"{error.reason}; your text is kept in {copy}"
        ) from error
    except ToolmemError as error:
        raise type(error)(f"{error}; your text is kept in {copy}") from error
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
