"""Writers that each leave out one step; a test that passes one of them is no test."""

import os
import sys
from pathlib import Path

from tests.faults.driver import COUNTER, NEW, OLD, PATH, say
from toolmem.store.files import lock


def in_place(vault: Path) -> None:
    """Truncate and write: torn when it is killed in between."""
    with lock.hold(vault):
        vault.joinpath(PATH).write_bytes(NEW)


def unlink_first(vault: Path) -> None:
    """Delete the old file first: it is lost if the writer is killed then."""
    with lock.hold(vault):
        vault.joinpath(PATH).unlink()
        _rename_into(vault.joinpath(PATH), NEW, flush=True)


def told_too_early(vault: Path) -> None:
    """Say that it is done and do it then."""
    say("done")
    with lock.hold(vault):
        _rename_into(vault.joinpath(PATH), NEW, flush=True)


def unflushed(vault: Path) -> None:
    """Rename without flushing: a power cut leaves an empty file."""
    with lock.hold(vault):
        _rename_into(vault.joinpath(PATH), NEW, flush=False)


def unflushed_folder(vault: Path) -> None:
    """Flush the file and not its name: a power cut loses what was acknowledged."""
    with lock.hold(vault):
        _rename_into(vault.joinpath(PATH), NEW, flush=True)


def without_lock(vault: Path) -> None:
    """Fifty times: read a number and rename one higher over it, all at once."""
    for _ in range(50):
        old = int(vault.joinpath(COUNTER).read_bytes())
        _rename_into(vault.joinpath(COUNTER), b"%d" % (old + 1), flush=False)


def without_compare(vault: Path) -> None:
    """Write what was made of an earlier reading, whatever is there by now."""
    read = vault.joinpath(PATH).read_bytes()
    say("read")
    sys.stdin.readline()
    with lock.hold(vault):
        _rename_into(vault.joinpath(PATH), read + NEW, flush=True)


def swallowed(vault: Path) -> None:
    """Go on after an error as if nothing had happened."""
    with lock.hold(vault):
        try:
            _rename_into(vault.joinpath(PATH), NEW, flush=True)
        except OSError:
            vault.joinpath(PATH).write_bytes(OLD[:100])


def _rename_into(path: Path, data: bytes, *, flush: bool) -> None:
    temp = path.with_name(f".tmp-{os.urandom(8).hex()}")
    with temp.open("xb") as file:
        file.write(data)
        file.flush()
        if flush:
            os.fsync(file.fileno())
    temp.replace(path)


VERBS = (
    in_place,
    unlink_first,
    told_too_early,
    unflushed,
    unflushed_folder,
    without_lock,
    without_compare,
    swallowed,
)


if __name__ == "__main__":
    {function.__name__: function for function in VERBS}[sys.argv[1]](Path(sys.argv[2]))
    say("done")
