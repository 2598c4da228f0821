"""Replace damaged local state before it is used, with a remark."""

from contextlib import suppress
from pathlib import Path

from toolmem.errors import StorageError
from toolmem.store.state.database import has_state, open_state


def repair_state(root: Path) -> tuple[str, ...]:
    """Replace damaged local state; return the remarks about it.

    Raises ``StorageError`` where it cannot be used.
    """
    remarks: list[str] = []
    if has_state(root):
        with open_state(root, remarks):
            pass
    return tuple(remarks)


def repair_if_possible(root: Path) -> tuple[str, ...]:
    """The same for what goes on without it, and says so itself."""
    with suppress(StorageError):
        return repair_state(root)
    return ()
