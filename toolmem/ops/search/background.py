"""Compute vectors for a long-lived server in a child process of low priority.

The server answers without them meanwhile. The child ends with the server: it reads the
other end of a pipe that is closed when the server ends, however that happens. Vectors
are written as by a search (`store.semantic.vectors`), so that parts are not lost.

    python -P -m toolmem.ops.search.background VAULT
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from toolmem.core.search.corpus import View
from toolmem.errors import StorageError, ToolmemError
from toolmem.store.semantic import model_files, vector_search
from toolmem.store.vault.discover import find_vault
from toolmem.store.vault.library import Library, ask_library
from toolmem.store.vault.vault import Vault, utc_now

_RETRY_SECONDS = 60.0
_NICENESS = 10
_PACKAGES = str(Path(__file__).parents[3])
PENDING = "vectors are being computed in the background: searched without the model"


class BackgroundWork:
    """One process at a time for each vault."""

    def __init__(self, command: Sequence[str]) -> None:
        """Take the ``command``, to which the vault's folder is added."""
        self._command = tuple(command)
        self._running: dict[Path, subprocess.Popen[bytes]] = {}
        # Reason of a process that failed, and when another may be started.
        self._failures: dict[Path, tuple[str, float]] = {}
        self._mentioned: set[Path] = set()

    def ensure(self, root: Path) -> str:
        """Start the work for a vault unless it runs; return a remark or ``""``.

        The remark comes once for each vault. Raises ``StorageError`` for a minute after
        a failure, with its reason.
        """
        process = self._running.get(root)
        if process is None or process.poll() is not None:
            if process is not None:
                self._end(root, process)
            reason, until = self._failures.get(root, ("", 0.0))
            if reason and time.monotonic() < until:
                raise StorageError(reason)
            self._running[root] = self._started(root)
        new = root not in self._mentioned
        self._mentioned.add(root)
        return PENDING if new else ""

    def _end(self, root: Path, process: "subprocess.Popen[bytes]") -> None:
        del self._running[root]
        _, errors = process.communicate()
        if process.returncode:
            lines = errors.decode("utf-8", "replace").strip().splitlines()
            code = f"the computation of vectors ended with {process.returncode}"
            until = time.monotonic() + _RETRY_SECONDS
            self._failures[root] = lines[-1] if lines else code, until

    def _started(self, root: Path) -> "subprocess.Popen[bytes]":
        try:
            return subprocess.Popen(
                [*self._command, str(root)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                env=_environment(os.environ),
                creationflags=getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0),
            )
        except OSError as error:
            raise StorageError(f"cannot start {self._command[0]}: {error}") from error


VECTORS = BackgroundWork((sys.executable, "-P", "-m", "toolmem.ops.search.background"))
"""The work of this process."""


def _environment(given: Mapping[str, str]) -> dict[str, str]:
    """Let the child import this very package, and nothing of its working folder."""
    paths = [_PACKAGES, *filter(None, [given.get("PYTHONPATH")])]
    return {**given, "PYTHONPATH": os.pathsep.join(paths)}


def end_with_parent() -> None:
    """End this process at the end of its standard input, whatever it does then."""

    def wait() -> None:
        with suppress(OSError):
            while os.read(0, 1 << 10):
                pass
        signal.raise_signal(signal.SIGTERM)

    threading.Thread(target=wait, daemon=True).start()


def main(argv: Sequence[str]) -> int:
    """Bring the vectors of a vault up to date."""
    end_with_parent()
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    root = Path(argv[0])
    try:
        vault = Vault.open(find_vault({"vault": str(root)}, root), utc_now())
        files = model_files.model_files(vault.settings)
        view = View(at=vault.now)

        def compute(library: Library) -> None:
            if library.opened is None:
                raise StorageError("searching by meaning needs the search index")
            vector_search.open_meaning(vault, library.opened, view, files)

        ask_library(vault, view, compute)
    except ToolmemError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
