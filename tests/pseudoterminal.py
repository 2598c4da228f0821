"""Run a command with a terminal as its standard output, and error."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress

import pytest

from tests.program import ROOT


def printed(
    command: Sequence[str], environment: Mapping[str, str], *, errors: bool = False
) -> str:
    """Return what a command prints on a terminal; with ``errors`` these as well."""
    pty = pytest.importorskip("pty")
    reader, writer = pty.openpty()
    error = writer if errors else None
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=writer, stderr=error
    ):
        os.close(writer)
        found = b""
        with suppress(OSError):  # the terminal is closed with its last process
            while data := os.read(reader, 65_536):
                found += data
    os.close(reader)
    return found.decode().replace("\r\n", "\n")
