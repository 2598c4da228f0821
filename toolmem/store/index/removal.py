"""Remove folders of an index; loaded where one is removed, as ``shutil`` is large."""

import shutil
from pathlib import Path


def remove_folder(folder: Path) -> None:
    """Remove a folder and all in it, as far as that is possible."""
    shutil.rmtree(folder, ignore_errors=True)
