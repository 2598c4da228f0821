"""How what local state keeps becomes a value again; what cannot is told."""

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
    """The value that a kept document (or its JSON) is of; ``times`` are its moments.

    Raises ``StorageError`` for one that somebody has tampered with.
    """
    try:
        is_text = isinstance(document, str | bytes)
        held = dict(json.loads(document) if is_text else document)
        for key in times:
            held[key] = in_utc(datetime.fromisoformat(held[key]))
        for key, value in held.items():
            read = _READ.get(key)
            if read is not None:
                held[key] = read(value)
            elif not isinstance(value, str | datetime):
                raise TypeError(f"{key} is no text")
        return make(**held)
    except (ValueError, TypeError, KeyError, RecursionError, OverflowError) as error:
        raise StorageError(
            f"{STATE}/state.db: the local state cannot be read ({error}); it holds "
            "no rules and no memories: delete it to go on"
        ) from error


def is_of_project(project: str, vault: Vault) -> bool:
    """True if what belongs to a project may be seen from a vault's own.

    What belongs to none is seen from everywhere; without a project all is seen.
    """
    return project in ("", project_of(vault) or project)


def project_of(vault: Vault) -> str:
    """The project that the vault is used for; empty without one."""
    return vault.setting("project") or ""
