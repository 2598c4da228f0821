"""Files of the user's own state, never accessible to other users; the crash log."""

import os
import platform
import stat
import traceback
from contextlib import suppress
from pathlib import Path

from toolmem.store.files.settings import state_folder

FOLDER_MODE = 0o700
FILE_MODE = 0o600
_APPEND = os.O_WRONLY | os.O_APPEND | os.O_CREAT


def make_folder(path: Path) -> None:
    """Make a folder and its missing parents, with mode 0700 whatever the umask.

    Access by others to an existing folder of ours is removed. Raises ``OSError``.
    """
    for folder in reversed((path, *path.parents)):
        with suppress(FileExistsError):
            if not folder.exists():
                folder.mkdir(FOLDER_MODE)
    close_to_others(path)


def close_to_others(path: Path) -> None:
    """Remove a folder's permissions for group and others, if it is ours."""
    ours = state_folder()
    for folder in (path, *path.parents):
        if os.name != "posix" or not folder.is_relative_to(ours):
            return
        status = folder.lstat()
        if stat.S_ISDIR(status.st_mode) and stat.S_IMODE(status.st_mode) & 0o077:
            with suppress(PermissionError):
                folder.chmod(stat.S_IMODE(status.st_mode) & FOLDER_MODE)


def append_text(path: Path, text: str) -> None:
    """Append to a file of the user's state. Raises ``OSError``."""
    make_folder(path.parent)
    fd = os.open(path, _APPEND, FILE_MODE)
    with os.fdopen(fd, "a", encoding="utf-8", errors="backslashreplace") as file:
        file.write(text)


def log_crash(error: BaseException, version: str) -> str:
    """Append the traceback to the crash log; return its path, or the error.

    ``version`` is that of toolmem.
    """
    path = state_folder() / "crash.log"
    text = "".join(traceback.format_exception(error))
    head = f"toolmem {version}, Python {platform.python_version()}, {os.name}\n"
    try:
        append_text(path, f"{head}{text}\n")
    except OSError as failure:
        return f"no log, {failure}:\n{text}"
    return str(path)
