"""Restore values from documents in local state."""

import json
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, TypeVar

from toolmem.core.times import in_utc
from toolmem.errors import StorageError
from toolmem.store.files.layout import STATE
from toolmem.store.vault.vault import Vault

_Made = TypeVar("_Made")
_READ: dict[str, Callable[[Any], Any]] = {
    "confidence": float,
    "tags": lambda value: tuple(map(str, value)),
    "context": dict,
    "metadata": dict,
    "turn": lambda value: None if value is None else int(value),
}


def revived(make: Callable[..., _Made], document: Any, times: Iterable[str]) -> _Made:
    """Restore a value from its document (or JSON); ``times`` are keys of times.

    Raises ``StorageError`` for a document that was tampered with.
    """
    try:
        is_text = isinstance(document, str | bytes)
        fields = dict(json.loads(document) if is_text else document)
        for key in times:
            fields[key] = in_utc(datetime.fromisoformat(fields[key]))
        for key, value in fields.items():
            read = _READ.get(key)
            if read is not None:
                fields[key] = read(value)
            elif not isinstance(value, str | datetime):
                raise TypeError(f"{key} is not text")
        return make(**fields)
    except (ValueError, TypeError, KeyError, RecursionError, OverflowError) as error:
        raise StorageError(
            f"{STATE}/state.db: the local state cannot be read ({error}); it contains "
            "no rules and no memories: delete it to go on"
        ) from error


def is_of_project(project: str, vault: Vault) -> bool:
    """Return True if a value of a project is visible in a vault's own.

    Values of no project are visible everywhere; without a project all are.
    """
    return project in ("", project_of(vault) or project)


def project_of(vault: Vault) -> str:
    """Return the project that the vault is used for; empty without one."""
    return vault.setting("project") or ""
