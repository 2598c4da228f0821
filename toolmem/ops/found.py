"""Counting that memories were found, so that it can be told which never are."""

from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from toolmem.core import limits
from toolmem.core.on_demand import OnDemand
from toolmem.errors import ToolmemError
from toolmem.store.retrieved import note_retrieved
from toolmem.store.vault import Vault

if TYPE_CHECKING:
    from toolmem.store import retrievals
else:
    # The database is opened when much has come together.
    retrievals = OnDemand("toolmem.store.retrievals")


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
            retrievals.add_up(vault.root)
