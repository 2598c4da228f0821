"""Editing a rule file in the user's editor, without losing what was typed."""

import os
import shlex
import subprocess
import tempfile
from pathlib import Path

from toolmem.core.model import Scope
from toolmem.errors import InvalidFileError, ToolmemError, UsageError
from toolmem.ops import rule_change
from toolmem.store.vault import Vault


def edit_rule(
    vault: Vault, rule_id: str, scope: Scope | None, *, allow_secret: bool = False
) -> rule_change.Changed:
    """Let the user edit a copy of a rule file, check it, and put it in place.

    Raises ``UsageError`` without an editor, and the file's own error when the
    edited text is no rule; the copy is then kept and named.
    """
    vault.require_writable()
    path, before = rule_change.rule_source(vault, rule_id, scope)
    copy = _copy(path, before)
    try:
        _run_editor(copy)
        after = copy.read_bytes()
        changed = rule_change.replace_source(
            vault, path, before, after, allow_secret=allow_secret
        )
    except InvalidFileError as error:
        raise InvalidFileError(
            error.path, error.line, f"{error.reason}; your text is kept in {copy}"
        ) from error
    except ToolmemError as error:
        raise type(error)(f"{error}; your text is kept in {copy}") from error
    copy.unlink(missing_ok=True)
    return changed


def _copy(path: str, data: bytes) -> Path:
    stem = path.rpartition("/")[2].removesuffix(".toml")
    handle, name = tempfile.mkstemp(prefix=f"{stem}-", suffix=".toml")
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    return Path(name)


def _run_editor(copy: Path) -> None:
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not editor:
        copy.unlink(missing_ok=True)
        raise UsageError("no $EDITOR is set: give --text, -p, --tag or --expires")
    argv = [*shlex.split(editor), str(copy)]
    try:
        done = subprocess.run(argv, check=False)
    except OSError as error:
        raise UsageError(f"$EDITOR {editor!r} cannot be run: {error}") from error
    if done.returncode:
        raise UsageError(f"$EDITOR {editor!r} ended with {done.returncode}")
