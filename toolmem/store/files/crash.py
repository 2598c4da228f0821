"""What a bug leaves behind: a log that can go into a report as it is."""

import os
import platform
import traceback

from toolmem.store.files import private
from toolmem.store.files.settings import state_folder


def log(error: BaseException, version: str) -> str:
    """Append the traceback to the log of crashes; its path, or why there is none.

    ``version`` is that of toolmem.
    """
    path = state_folder() / "crash.log"
    text = "".join(traceback.format_exception(error))
    head = f"toolmem {version}, Python {platform.python_version()}, {os.name}\n"
    try:
        private.append_text(path, f"{head}{text}\n")
    except OSError as failure:
        return f"no log, {failure}:\n{text}"
    return str(path)
