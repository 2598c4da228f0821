"""Two memories that contradict each other name each other, while both are there."""

from collections.abc import Callable, Set
from contextlib import suppress
from typing import Any

from toolmem.core import limits
from toolmem.core.memories.memory_edit import edit_header
from toolmem.core.memories.memory_text import ParsedMemory, parse_memory
from toolmem.core.memories.merge import united
from toolmem.core.search.doc import CONTESTED
from toolmem.errors import ExistsError, InvalidFileError
from toolmem.store.files import files
from toolmem.store.vault.memory_files import every_memory
from toolmem.store.vault.vault import Vault, decode


def contested_by(known: ParsedMemory, other: str) -> dict[str, Any]:
    """Header changes of a memory that another one contradicts."""
    return {
        "contested_with": list(united(known.contested_with, (other,))),
        "tags": list(united(known.tags, (CONTESTED,))),
    }


def settled_with(known: ParsedMemory, *what: str) -> dict[str, Any]:
    """Header changes of a memory about which a person has decided something.

    ``what`` are ids of other memories, or facts, about which ``reflect`` proposes no
    more with it.
    """
    return {"settled": list(united(known.settled, what))}


def link_rivals(vault: Vault, back: ParsedMemory) -> None:
    """Name a memory that is back in those that it contradicts; the lock is held."""
    _edit_each(vault, _rivals(back), lambda known: contested_by(known, back.id))


def part_from(vault: Vault, back: str, successor: str) -> None:
    """Note in the successor of a memory that this is back; the lock is held."""

    def change(known: ParsedMemory) -> dict[str, Any]:
        left = [memory_id for memory_id in known.supersedes if memory_id != back]
        return {"supersedes": left or None, **settled_with(known, back)}

    _edit_each(vault, {successor} - {""}, change)


def unlink_rivals(
    vault: Vault, gone: ParsedMemory, successor: str = ""
) -> list[tuple[str, bytes, bytes]]:
    """Take a memory that is gone out of those that it contradicts; the lock is held.

    Where another memory has taken it in, that ``successor`` is named instead. Returns
    the files that have changed, with their bytes before and after.
    """
    return _edit_each(
        vault, _rivals(gone), lambda known: without_rival(known, gone.id, successor)
    )


def without_rival(
    known: ParsedMemory, rival: str, successor: str = ""
) -> dict[str, Any]:
    """Return the header changes of a memory that one no longer contradicts."""
    if rival not in known.contested_with:
        return {}
    named = (
        successor if memory_id == rival else memory_id
        for memory_id in known.contested_with
    )
    left = [
        memory_id for memory_id in united(named) if memory_id and memory_id != known.id
    ]
    tags = [tag for tag in known.tags if left or tag != CONTESTED]
    return {"contested_with": left or None, "tags": tags or None}


def _rivals(parsed: ParsedMemory) -> Set[str]:
    return {*parsed.contested_with} - {parsed.id}


def _edit_each(
    vault: Vault, ids: Set[str], change: Callable[[ParsedMemory], dict[str, Any]]
) -> list[tuple[str, bytes, bytes]]:
    """Edit the memories with these ids, in any scope; what cannot be read stays."""
    edits: list[tuple[str, bytes, bytes]] = []
    for where in every_memory(vault) if ids else ():
        if where.id not in ids:
            continue
        with suppress(FileNotFoundError, InvalidFileError, ExistsError):
            data = vault.tree.read(where.path, limits.TEXT_FILE_BYTES)
            text = decode(data, where.path)
            known = parse_memory(text, path=where.path)
            edited = edit_header(text, change(known), path=where.path).encode()
            if edited != data:
                files.replace(vault.root, where.path, edited, expected=data)
                edits.append((where.path, data, edited))
    return edits
