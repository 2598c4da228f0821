"""Write rule files: under the vault's lock, whole, and never over others."""

from collections.abc import Mapping
from typing import Any

from toolmem.core import limits
from toolmem.core.formats import toml_edit
from toolmem.core.formats.toml_text import parse_toml
from toolmem.core.guard.derivation.stored import without_stored
from toolmem.core.rules.rule_file import OWN_REASON, as_written
from toolmem.errors import ExistsError, InvalidFileError, UsageError
from toolmem.store.files import files, layout
from toolmem.store.vault.vault import Vault, decode


def read_rule_text(vault: Vault, path: str) -> tuple[bytes, str]:
    """Return the bytes and text of a rule file as it is now.

    Raises ``ExistsError`` if it was deleted since it was found.
    """
    data = _read(vault, path, limits.RULE_FILE_BYTES)
    return data, decode(data, path)


def create_file(vault: Vault, path: str, text: str) -> None:
    """Write a new file under the lock; never overwrites."""
    data = _encoded(path, text)
    if not vault.dry_run:
        files.create(vault.root, path, data)


def edit_file(vault: Vault, path: str, changes: Mapping[str, Any]) -> str:
    """Change keys of a rule file, under the lock.

    Guards that an older version derived and stored are removed. Returns the new text.
    Raises ``InvalidFileError`` for a file that is not TOML.
    """
    data, text = read_rule_text(vault, path)
    edited = _edited(text, changes, path)
    after = _encoded(path, edited)
    if edited != text and not vault.dry_run:
        files.replace(vault.root, path, after, expected=data)
    return edited


def replace_file(vault: Vault, path: str, before: bytes, after: bytes) -> None:
    """Replace a file whose content is ``before``, under the lock."""
    text = _edited(decode(after, path), {}, path)
    files.replace(vault.root, path, _encoded(path, text), before)


def _edited(text: str, changes: Mapping[str, Any], path: str) -> str:
    raw = parse_toml(text, path)
    keys = as_written({**without_stored(raw, path.split("/")[-2]), **changes}, raw)
    return toml_edit.edit_toml(text, keys, path)


def archive_file(vault: Vault, path: str, changes: Mapping[str, Any]) -> str:
    """Move a file to the archive with changed keys; return its new path.

    A file there from an interrupted move is completed. An existing reason, as in an
    override, is preserved next to the new one.
    """
    data, text = read_rule_text(vault, path)
    own = parse_toml(text, path).get("reason")
    if own is not None:
        changes = {**changes, OWN_REASON: own}
    edited = _encoded(path, toml_edit.edit_toml(text, changes, path))
    target = layout.archived(path)
    begun = _begun(vault, target, text, changes)
    if begun is None:
        target = layout.free_path(vault.tree, target)
    elif begun != edited:
        files.replace(vault.root, target, edited, expected=begun)
    files.move(vault.root, path, target, expected=data, data=edited)
    return target


def _begun(
    vault: Vault, target: str, text: str, changes: Mapping[str, Any]
) -> bytes | None:
    """Return the archived file, if it is this text except for the changed keys."""
    without = dict.fromkeys(changes)
    try:
        data, present = read_rule_text(vault, target)
        same = toml_edit.edit_toml(present, without, target) == toml_edit.edit_toml(
            text, without, target
        )
    except (ExistsError, InvalidFileError):
        return None
    return data if same else None


def delete_file(vault: Vault, path: str) -> None:
    """Delete a file as it was read, under the lock."""
    data = _read(vault, path, limits.TEXT_FILE_BYTES)
    files.delete(vault.root, path, expected=data)


def _read(vault: Vault, path: str, limit: int) -> bytes:
    try:
        return vault.tree.read(path, limit)
    except FileNotFoundError:
        raise ExistsError(f"{path}: was deleted since it was read") from None


def _encoded(path: str, text: str) -> bytes:
    """Return the bytes to write; raise ``UsageError`` if they are too many to read."""
    data = text.encode()
    if len(data) > limits.RULE_FILE_BYTES:
        size = limits.RULE_FILE_BYTES // 1024
        raise UsageError(f"{path}: a rule file has at most {size} KiB")
    return data
