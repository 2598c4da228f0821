"""How rule files are written: under the vault's lock, whole, and never over others."""

from collections.abc import Mapping
from typing import Any

from toolmem.core import limits
from toolmem.core.toml_edit import edit_toml
from toolmem.store import files, layout
from toolmem.store.vault import Vault, decode


def read_rule_text(vault: Vault, path: str) -> tuple[bytes, str]:
    """The bytes and text of a rule file as it is now."""
    data = vault.tree.read(path, limits.RULE_FILE_BYTES)
    return data, decode(data, path)


def create_file(vault: Vault, path: str, text: str) -> None:
    """Write a new file; the lock must be held. Never overwrites."""
    files.create(vault.root, path, text.encode())


def edit_file(vault: Vault, path: str, changes: Mapping[str, Any]) -> str:
    """Change top-level keys of a rule file; the lock must be held.

    Returns the new text. Raises ``InvalidFileError`` for a file that is no TOML.
    """
    data, text = read_rule_text(vault, path)
    edited = edit_toml(text, changes, path)
    if edited != text:
        files.replace(vault.root, path, edited.encode(), expected=data)
    return edited


def archive_file(vault: Vault, path: str, changes: Mapping[str, Any]) -> str:
    """Move a file to the archive with changed keys; returns its new path."""
    data, text = read_rule_text(vault, path)
    edited = edit_toml(text, changes, path)
    target = layout.free_path(vault.tree, layout.archived(path))
    files.move(vault.root, path, target, expected=data, data=edited.encode())
    return target


def delete_file(vault: Vault, path: str) -> None:
    """Delete a file as it was read; the lock must be held."""
    data = vault.tree.read(path, limits.TEXT_FILE_BYTES)
    files.delete(vault.root, path, expected=data)
