"""Count retrievals of memories, to know which are never found."""

from collections.abc import Iterable
from contextlib import suppress

from toolmem.core import limits
from toolmem.errors import ToolmemError
from toolmem.store.state import retrieval_counts
from toolmem.store.state.retrieval_log import note_retrieved
from toolmem.store.vault.vault import Vault


def count_found(vault: Vault, ids: Iterable[str]) -> None:
    """Count that these memories were found in a vault on disk.

    Never raises: an answer is not held up because it cannot be counted.
    """
    wanted = sorted(set(ids))
    if not wanted or vault.revision is not None:
        return
    with suppress(OSError, ToolmemError):
        size = note_retrieved(vault.root, wanted, vault.now)
        if size > limits.RETRIEVED_BYTES:
            retrieval_counts.add_up(vault.root)
