"""The two places of local state that hooks write: the vault's and the user's."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from toolmem.store.files import folders, lock, private
from toolmem.store.files.folders import Folder
from toolmem.store.files.layout import STATE
from toolmem.store.files.settings import state_folder


class Place(NamedTuple):
    """A folder of local state: an existing ``base`` and the names below it."""

    base: Path
    way: tuple[str, ...]

    @property
    def path(self) -> Path:
        """Path of the folder."""
        return self.base.joinpath(*self.way)

    @property
    def is_of_vault(self) -> bool:
        """True in a vault, False in the user's state."""
        return self.way[:1] == (STATE,)


def in_vault(root: Path, *names: str) -> Place:
    """Return a folder below a vault's local state."""
    return Place(root, (STATE, *names))


def of_user(*names: str) -> Place:
    """Return a folder below the user's own state, if the vault cannot be written."""
    return Place(state_folder(), names)


def prepare(place: Place) -> None:
    """Prepare the base of a place for folders in it.

    Raises ``OSError`` or ``ToolmemError``.
    """
    if place.is_of_vault:
        lock.prepare_state(place.base)
    else:
        private.make_folder(place.base)


@contextmanager
def opened(place: Place, *, make: bool = False) -> Iterator[Folder]:
    """Open a folder name by name and through no link; ``make`` missing ones."""
    if make:
        prepare(place)
    folder = folders.open_root(place.base)
    try:
        for name in place.way:
            if make:
                with suppress(FileExistsError):
                    os.mkdir(folder.at(name), private.FOLDER_MODE, dir_fd=folder.fd)
            parent = folder
            folder = folders.open_child(parent, name)
            parent.close()
        yield folder
    finally:
        folder.close()
