"""Local state before it is used: damaged state is begun anew, and that is said."""

from toolmem.store.state import has_state, open_state
from toolmem.store.vault import Vault


def mend_state(vault: Vault) -> tuple[str, ...]:
    """Begin damaged state anew; what is to be told about it.

    Raises ``StorageError`` where it cannot be used.
    """
    remarks: list[str] = []
    if has_state(vault.root):
        with open_state(vault.root, remarks):
            pass
    return tuple(remarks)
