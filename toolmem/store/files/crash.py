"""Log crashes, in a form that can be attached to a bug report."""

import os
import platform
import traceback

from toolmem.store.files import private
from toolmem.store.files.settings import state_folder


def log(error: BaseException, version: str) -> str:
    """Append the traceback to the crash log; return its path, or the error.

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
