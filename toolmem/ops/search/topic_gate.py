"""Test whether a message may match a topic of the vault, before any search."""

from collections.abc import Container
from itertools import islice

from toolmem.core import limits
from toolmem.core.memories.topic_sketch import asked_of, may_be_about
from toolmem.errors import InvalidFileError
from toolmem.store.vault.memory_files import memory_paths
from toolmem.store.vault.vault import Vault


def may_enter(vault: Vault, message: str, shown: Container[str]) -> bool:
    """Return True if a search for the message's topic may find one not yet ``shown``.

    Also True if there are too many memories to read: then the index decides. Only a
    memory that may be about the message is parsed, to see whether it is private.
    """
    most = limits.HOOK_MEMORIES_READ
    every = vault.tree.every  # what it finds is not shown
    paths = memory_paths(every, vault.chain)
    found = list(islice(paths, most + 1))
    if len(found) > most:
        return True
    if not found:
        return False
    asked = asked_of(message, vault.language)
    for memory in found:
        try:
            data = every.read(memory.path, limits.TEXT_FILE_BYTES)
        except (InvalidFileError, FileNotFoundError):
            continue  # the search passes it over, too
        text = data.decode("utf-8", "replace")
        if may_be_about(asked, memory.path, text, shown) and vault.tree.shows(
            memory.path
        ):
            return True
    return False
