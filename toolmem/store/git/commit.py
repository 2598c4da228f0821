"""Commit given files without changing the user's own staging.

The new tree is built in a private index and committed. Then the user's index gets the
same entries, as from ``git add``, and last the branch moves: a writer that dies in
between only leaves staged changes.
"""

import os
import stat
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from toolmem.core import limits
from toolmem.errors import ExistsError, InvalidFileError, LockedError, StorageError
from toolmem.store.files import folders
from toolmem.store.git import index as gitindex
from toolmem.store.git import run as gitrun
from toolmem.store.git import working_tree

_TRIES = 3
"""Retries after another commit came first."""
_COPY_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class _Blob:
    """A file to commit; without an id it is removed."""

    place: str
    mode: str = "0"
    id: str = ""


def commit(top: Path, places: tuple[str, ...], message: str) -> str | None:
    """Commit the files at these places below ``top``; see ``Repo.commit_paths``."""
    require_identity(top)
    busy = gitrun.operation(top)
    if busy:  # the other side, or the author, would be lost
        raise ExistsError(f"git is {busy}")
    off = gitrun.hooks_off(top)
    with tempfile.TemporaryDirectory(prefix="toolmem-") as private:
        blobs = _store(top, places, Path(private))
        index = {"GIT_INDEX_FILE": f"{private}{os.sep}index", **off}
        for _ in range(_TRIES):
            head = gitrun.verify(top, "HEAD^{commit}")
            entries = _entries(blobs, head)
            tree = _tree(top, head, entries, index)
            if head and tree == gitrun.verify(top, f"{head}^{{tree}}"):
                return None
            made = write(top, tree, (head,) if head else (), message)
            gitindex.stage(top, entries)
            if _advance(top, made, head, message, off):
                return made
    raise LockedError("other processes keep committing to this repository: try again")


def entries_of(top: Path, places: tuple[str, ...], private: Path) -> bytes:
    """Store these files and return their index entries (see ``gitindex``).

    ``private`` is an empty folder for copies.
    """
    head = gitrun.verify(top, "HEAD^{commit}")
    return _entries(_store(top, places, private), head)


def require_identity(top: Path) -> None:
    """Raise ``StorageError`` if git does not know the committer."""
    if gitrun.attempt(top, "var", "GIT_COMMITTER_IDENT").returncode:
        raise StorageError(
            "git does not know who you are: run `git config --global user.name NAME`"
            " and `git config --global user.email ADDRESS`"
        )


def _store(top: Path, places: tuple[str, ...], private: Path) -> tuple[_Blob, ...]:
    """Store the files' bytes in git, unfiltered and never through a link.

    They are copied first, because git would open the names itself, and follow links.
    Line ends are those that git would store. Raises ``StorageError`` for a file that
    git would store through a filter.
    """
    linked = {}
    modes = None if working_tree.has_modes(top) else working_tree.modes(top)
    ends = working_tree.line_ends(top, places)
    for number, place in enumerate(places):
        mode = _copy(top, place, private / str(number))
        if mode:
            _store_line_ends(top, place, private / str(number), ends[place])
            mode = mode if modes is None else modes.get(place, "100644")
            linked[place] = (mode, f"{private}{os.sep}{number}\n")
    for place, driver in working_tree.filters(top, linked).items():
        raise StorageError(
            f"{place}: it has the attribute filter={driver}, and toolmem runs no"
            " filter: commit it with `git add` and `git commit`"
        )
    names = "".join(name for _, name in linked.values()).encode()
    args = ("-w", "--no-filters", "--stdin-paths")
    output = gitrun.run(top, "hash-object", *args, stdin=names) if names else b""
    ids = iter(output.decode().split())
    return tuple(
        _Blob(place, linked[place][0], next(ids)) if place in linked else _Blob(place)
        for place in dict.fromkeys(places)
    )


def _store_line_ends(top: Path, place: str, copy: Path, how: str) -> None:
    if how:
        data = copy.read_bytes()
        stored = working_tree.stored_bytes(top, place, data, how)
        if stored != data:
            copy.write_bytes(stored)


def _copy(top: Path, place: str, target: Path) -> str:
    """Copy one file out of the vault; return its mode for git, "" if it is gone."""
    *names, last = folders.split(place)
    folder = folders.open_root(top)
    try:
        for name in names:
            inner = folders.open_child(folder, name)
            folder.close()
            folder = inner
        fd, state = folders.open_file(folder, last)
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except OSError as error:
        raise InvalidFileError(place, 0, folders.reason(error)) from error
    finally:
        folder.close()
    try:
        with target.open("wb") as copy:
            while piece := os.read(fd, _COPY_BYTES):
                copy.write(piece)
    except OSError as error:
        raise StorageError(f"{place}: {folders.reason(error)}") from error
    finally:
        os.close(fd)
    return "100755" if state.st_mode & stat.S_IXUSR and os.name != "nt" else "100644"


def _tree(top: Path, head: str | None, entries: bytes, index: dict[str, str]) -> str:
    """Return the id of the tree of ``head`` with these entries set."""
    with suppress(FileNotFoundError):
        Path(index["GIT_INDEX_FILE"]).unlink()
    if head:
        gitrun.run(top, "read-tree", head, extra=index)
    gitindex.set_entries(top, entries, index)
    return gitrun.run(top, "write-tree", extra=index).decode().strip()


def _entries(blobs: tuple[_Blob, ...], head: str | None) -> bytes:
    # Entries have no file times, so that git compares the content next time.
    length = len(head or next((blob.id for blob in blobs if blob.id), ""))
    lines = (f"{b.mode} {b.id or '0' * length}\t{b.place}\0" for b in blobs)
    return os.fsencode("".join(lines))


def write(top: Path, tree: str, parents: Iterable[str], message: str) -> str:
    """Write a commit, signed if ``commit.gpgSign`` says so; return its id.

    Only programs of the user's own configuration sign. Raises ``StorageError``.
    """
    known = [word for parent in parents for word in ("-p", parent)]
    stdin = (message.rstrip() + "\n").encode("utf-8", "replace")
    signs = gitrun.is_set(top, "commit.gpgSign")
    done = gitrun.attempt(
        top,
        *("commit-tree", *(["-S"] if signs else []), *known, "-F", "-", tree),
        stdin=stdin,
        extra=gitrun.signing(top) if signs else None,
        seconds=limits.REMOTE_SECONDS if signs else limits.GIT_SECONDS,
    )
    if done.returncode:
        raise gitrun.failure("commit-tree", done.stderr)
    return done.stdout.decode().strip()


def is_detached(top: Path) -> bool:
    """Return True if a commit would be on no branch."""
    return bool(gitrun.attempt(top, "symbolic-ref", "--quiet", "HEAD").returncode)


def _advance(
    top: Path, made: str, head: str | None, message: str, off: Mapping[str, str]
) -> bool:
    """Move the branch; False if it has moved in the meantime."""
    note = "commit: " + message.partition("\n")[0]
    args = ("-m", note, "HEAD", made, head or "")
    done = gitrun.attempt(top, "update-ref", *args, extra=off)
    if done.returncode and gitrun.verify(top, "HEAD^{commit}") == head:
        raise gitrun.failure("update-ref", done.stderr)
    return not done.returncode
