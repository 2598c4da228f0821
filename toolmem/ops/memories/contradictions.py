"""Two memories that contradict each other name each other, while both are there."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from toolmem.core import limits
from toolmem.core.memories.memory_edit import edit_header
from toolmem.core.memories.memory_text import ParsedMemory, parse_memory
from toolmem.core.memories.merge import united
from toolmem.core.search.doc import CONTESTED
from toolmem.errors import ExistsError, InvalidFileError
from toolmem.store.files import files, layout
from toolmem.store.vault.memory_files import memory_paths
from toolmem.store.vault.vault import Vault, decode


def contested_by(known: ParsedMemory, other: str) -> dict[str, Any]:
    """What changes in the header of a memory that another one contradicts."""
    return {
        "contested_with": list(united(known.contested_with, (other,))),
        "tags": list(united(known.tags, (CONTESTED,))),
    }


def link_rivals(vault: Vault, back: ParsedMemory) -> None:
    """Name a memory that is back in those that it contradicts; the lock is held."""
    _edit_each(vault, back, lambda known: contested_by(known, back.id))


def unlink_rivals(vault: Vault, gone: ParsedMemory) -> None:
    """Nothing is contradicted by a memory that is not there; the lock is held."""

    def settled(known: ParsedMemory) -> dict[str, Any]:
        left = [one for one in known.contested_with if one != gone.id]
        if len(left) == len(known.contested_with):
            return {}
        tags = [tag for tag in known.tags if left or tag != CONTESTED]
        return {"contested_with": left or None, "tags": tags or None}

    _edit_each(vault, gone, settled)


def _edit_each(
    vault: Vault, named: ParsedMemory, change: Callable[[ParsedMemory], dict[str, Any]]
) -> None:
    """Edit what one is contested with in its scope; what cannot be read stays."""
    scope = layout.scope_of(named.path)
    if scope is None or not named.contested_with:
        return
    for where in memory_paths(vault.tree, (scope,)):
        if where.id not in named.contested_with or where.id == named.id:
            continue
        with suppress(FileNotFoundError, InvalidFileError, ExistsError):
            data = vault.tree.read(where.path, limits.TEXT_FILE_BYTES)
            text = decode(data, where.path)
            known = parse_memory(text, path=where.path)
            edited = edit_header(text, change(known), path=where.path).encode()
            if edited != data:
                files.replace(vault.root, where.path, edited, expected=data)
