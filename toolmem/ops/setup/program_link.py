"""Link to this program, which hooks follow where PATH has no toolmem."""

import os
import shutil
import sys
from pathlib import Path

from toolmem.core.agents.hook_command import REMEMBERED
from toolmem.store.files import outside
from toolmem.store.files.settings import home_folder


def remembered_program() -> Path | None:
    """Return the link that hooks follow to toolmem where PATH has none, if it leads to
    a program."""
    link = Path(home_folder()) / REMEMBERED
    return link if os.access(link, os.X_OK) else None


def remember_program() -> None:
    """Link to this toolmem where hooks look for it."""
    found = shutil.which("toolmem") or str(Path(sys.executable).with_name("toolmem"))
    if os.access(found, os.X_OK) and sys.platform != "win32":
        outside.link(Path(home_folder()) / REMEMBERED, Path(found).absolute())
