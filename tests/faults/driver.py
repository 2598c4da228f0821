"""A tiny writer: takes the lock, does one thing to a vault, says so, exits.

``driver.py VERB VAULT [ARGUMENT]``. It is what the kill harness kills, and the
shape of what it is given in earnest.
"""

import sys
from collections.abc import Callable
from pathlib import Path

from toolmem.errors import ToolmemError
from toolmem.store.files import files, lock
from toolmem.store.files.tree import DiskTree

PATH = "system/rules/shell/never-push-7b1e0c52.toml"
TARGET = "archive/" + PATH
COUNTER = "system/facts.md"
OLD = b'rule = "old"\n' * 40
NEW = b'rule = "new, and longer"\n' * 60


def say(line: str) -> None:
    """Report to the waiting process, in one write."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def create(vault: Path, _: str) -> None:
    """One new file, with the folders on the way to it."""
    with lock.hold(vault):
        files.create(vault, PATH, NEW)


def replace(vault: Path, _: str) -> None:
    """New content over old."""
    with lock.hold(vault):
        files.replace(vault, PATH, NEW, OLD)


def delete(vault: Path, _: str) -> None:
    """One file less."""
    with lock.hold(vault):
        files.delete(vault, PATH, OLD)


def move(vault: Path, _: str) -> None:
    """Into the archive, with other content."""
    with lock.hold(vault):
        files.move(vault, PATH, TARGET, OLD, NEW)


def edit(vault: Path, _: str) -> None:
    """Read, wait for a line on stdin, then write what was made of it."""
    read = vault.joinpath(PATH).read_bytes()
    say("read")
    sys.stdin.readline()
    with lock.hold(vault):
        files.replace(vault, PATH, read + NEW, read)


def many(vault: Path, who: str) -> None:
    """Fifty new files, each under its own lock."""
    for number in range(50):
        with lock.hold(vault, 60):
            path = f"system/rules/shell/{who}-{number}.toml"
            files.create(vault, path, path.encode())


def count(vault: Path, _: str) -> None:
    """Fifty times: read a number, write it back one higher."""
    for _again in range(50):
        with lock.hold(vault, 60):
            old = vault.joinpath(COUNTER).read_bytes()
            files.replace(vault, COUNTER, b"%d" % (int(old) + 1), old)


def flip(vault: Path, _: str) -> None:
    """A hundred times old to new and back."""
    for _again in range(100):
        for data, expected in ((NEW, OLD), (OLD, NEW)):
            with lock.hold(vault):
                files.replace(vault, PATH, data, expected)


def wait(vault: Path, _: str) -> None:
    """Hold the lock until a line comes on stdin."""
    with lock.hold(vault):
        say("held")
        sys.stdin.readline()


def once(vault: Path, _: str) -> None:
    """Take the lock if it is free, and let go of it."""
    with lock.hold(vault, 0):
        pass


def show(vault: Path, _: str) -> None:
    """List the folder of the rule and read what is in it."""
    with DiskTree(vault) as tree:
        folder = PATH.rpartition("/")[0]
        names = [entry.name for entry in tree.entries(folder)]
        say(f"{names} {tree.read_all(folder, '.toml', 1 << 16)}")


VERBS: tuple[Callable[[Path, str], None], ...] = (
    create,
    replace,
    delete,
    move,
    edit,
    many,
    count,
    flip,
    wait,
    once,
    show,
)


def main(verb: str, vault: str, argument: str = "") -> int:
    """Run one verb; the exit code is the one that toolmem would give."""
    verbs = {function.__name__: function for function in VERBS}
    try:
        verbs[verb](Path(vault), argument)
    except ToolmemError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    say("done")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
