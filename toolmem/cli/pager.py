"""Show long output through the user's pager on a terminal, as git does."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import IO

from toolmem.cli import terminal
from toolmem.cli.output import emit_lines, safe_lines
from toolmem.store.git import run as gitrun

_NO_PAGER = ("", "cat")
_DEFAULTS = {"LESS": "FRX", "LV": "-c"}
"""Options of pagers, as git sets them: end at once if all fits, keep colours."""


def page_lines(lines: Iterable[str]) -> None:
    """Print each text as one line, through a pager if a person reads them."""
    pager = _pager() if terminal.is_terminal(sys.stdout) else ""
    if pager in _NO_PAGER:
        emit_lines(lines)
        return
    with subprocess.Popen(
        pager,
        shell=True,  # it is the user's own command line, never a vault's
        stdin=subprocess.PIPE,
        env=_DEFAULTS | os.environ,
    ) as process:
        try:
            with suppress(BrokenPipeError):  # the pager was left before the end
                _feed(process.stdin, lines)
        finally:  # the interrupt key is also for the pager, which goes on
            _wait(process)


def _feed(pager: IO[bytes] | None, lines: Iterable[str]) -> None:
    if pager is not None:
        with pager:
            for line in safe_lines(lines):
                pager.write(f"{line}\n".encode())


def _pager() -> str:
    """Return the pager's command line: GIT_PAGER, core.pager, PAGER, else less."""
    named = os.environ.get("GIT_PAGER")
    if named is None:
        named = gitrun.user_setting("core.pager")
    if named is None:
        named = os.environ.get("PAGER")
    if named is None:
        named = "less" if shutil.which("less") else ""
    return named


def _wait(process: "subprocess.Popen[bytes]") -> None:
    """Wait for the pager, which handles the interrupt key itself."""
    while True:
        with suppress(KeyboardInterrupt):
            process.wait()
            return
