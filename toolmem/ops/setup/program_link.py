"""Links that hooks follow: to this program where PATH has none, and to its client."""

import os
import shutil
import sys
from pathlib import Path

from toolmem.core.agents.hook_command import ASK, PYTHON, REMEMBERED
from toolmem.store.files import outside
from toolmem.store.files.settings import home_folder
from toolmem.store.warm import client


def remembered_program() -> Path | None:
    """Return the link that hooks follow to toolmem where PATH has none, if it leads to
    a program."""
    link = Path(home_folder()) / REMEMBERED
    return link if os.access(link, os.X_OK) else None


def remember_program() -> None:
    """Link to this toolmem where hooks look for it, and to what asks a helper."""
    found = shutil.which("toolmem") or str(Path(sys.executable).with_name("toolmem"))
    home = Path(home_folder())
    if os.access(found, os.X_OK) and sys.platform != "win32":
        outside.link(home / REMEMBERED, Path(found).absolute())
    if sys.platform == "linux":
        outside.link(home / PYTHON, Path(sys.executable).absolute())
        outside.link(home / ASK, Path(client.__file__).absolute())
