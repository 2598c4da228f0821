"""Start a helper that outlives the hook."""

import os
import subprocess
from contextlib import suppress
from pathlib import Path

from toolmem.store.files import private
from toolmem.store.warm import client


def start_helper() -> None:
    """Start a helper for hooks like this one; it ends at once if there is one.

    It has no open file of the agent, which waits until all copies of its pipes are
    closed.
    """
    path = client.helper_folder(dict(os.environb))
    if not path:
        return
    package = Path(client.__file__).resolve().parents[2]
    with suppress(OSError):
        private.make_folder(Path(os.fsdecode(path)))
        subprocess.Popen(
            client.program("hooks.warm.helper", str(package)),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            start_new_session=True,
        )
