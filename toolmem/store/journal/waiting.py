"""Find out whether typed messages wait, without the code that stores and claims them.

A hook asks at every message of the user and at the end of every turn.
"""

import os
import time
from contextlib import suppress
from pathlib import Path

from toolmem.store.journal import state_places
from toolmem.store.journal.state_places import Place

_FOLDER = "waiting"
SUFFIX = ".json"
"""Ending of the name of a message's file."""
RESERVE = "reserve"
"""Preallocated space for messages; see ``toolmem.store.journal.reserve``."""
RESERVE_BYTES = 256 * 1024
"""Space for three of the longest messages, or some hundred ordinary ones."""
BLANK = b"\n"
"""Fills the space that no message takes."""
_BLANKS = BLANK * (16 * 1024)


def places(root: Path) -> tuple[Place, Place]:
    """Return the folders with messages for a vault: its own and the user's."""
    return state_places.in_vault(root, _FOLDER), state_places.of_user(_FOLDER)


def is_empty(root: Path) -> bool:
    """Return True only if no message waits; those of other vaults may count."""
    for place in places(root):
        with suppress(OSError), os.scandir(place.path) as entries:
            if any(entry.name.endswith(SUFFIX) for entry in entries):
                return False
        if has_reserved(place):
            return False
    return True


def has_reserved(place: Place) -> bool:
    """Return True if a message is stored in the reserve."""
    try:
        with (place.path / RESERVE).open("rb", buffering=0) as file:
            for _ in range(RESERVE_BYTES // len(_BLANKS)):
                data = file.read(len(_BLANKS))
                if not data:
                    break
                if data != _BLANKS[: len(data)]:
                    return True
    except OSError:
        pass
    return False


def message_id(session: str) -> str:
    """Return an id for a message that is typed now."""
    return f"{session}@{time.time_ns():x}"
