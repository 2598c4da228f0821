"""Find, read and name files of other programs for import.

They are outside the vault and belong to others: nothing is changed, links out of a
folder are not followed, and files that are not text are reported.
"""

import hashlib
import os
import re
import shlex
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.imports.kinds import enters, instructions_for, is_markdown
from toolmem.errors import (
    Arg,
    NextStep,
    NotFoundError,
    Notice,
    StorageError,
    UsageError,
)
from toolmem.store.files import layout
from toolmem.store.git import run as gitrun

STDIN = "-"
_ADDRESS = re.compile(
    r"(?:(?:https?|ssh|git)://)?(?:[^@/]*@)?(?P<host>[\w-]+(?:\.[\w-]+)+)(?::\d+(?=/))?"
    r"[:/](?P<path>[\w./~-]+?)(?:\.git)?/?"
)
"""Address of a remote on another host: a URL, or ``host:path``."""
_COMMIT_CHARS = 12


class ImportSource(NamedTuple):
    """One file: its path, and its name in the vault.

    ``name`` is the same at the next import and in another checkout: the identity of the
    project (see ``repository_identity``) and the path in it, with ``/`` between
    folders. A link to a file in the project is that file. ``local`` is the path below
    the folder that was named, else below the project. Standard
    input has no ``path``; its bytes are ``data``.
    """

    name: str
    local: str
    path: Path | None
    data: bytes = b""


def given_source(data: bytes) -> ImportSource:
    """Return standard input as a source, named by a digest of its bytes."""
    digest = hashlib.sha256(data).hexdigest()[: limits.SOURCE_HASH_CHARS]
    return ImportSource(f"standard input {digest}", STDIN, None, data)


class ImportSources(NamedTuple):
    """Files to import, by name, and those left out: name and reason."""

    files: tuple[ImportSource, ...]
    left_out: tuple[tuple[str, str], ...] = ()


def find_sources(paths: Iterable[Path], cwd: Path, *, every: bool) -> ImportSources:
    """Return the files at these paths; in a folder those that some agent reads.

    A folder without such files contains notes: all its markdown counts, as it does with
    ``every``. Raises ``NotFoundError`` for a missing path and ``UsageError`` for a
    vault.
    """
    files: dict[str, ImportSource] = {}
    left_out: list[tuple[str, str]] = []
    for path in paths:
        if path.is_dir():
            folder = _in_folder(path, cwd, every)
            files.update((file.name, file) for file in folder.files)
            left_out += folder.left_out
        elif path.exists():
            source = _source(path, cwd, None)
            files[source.name] = source
        else:
            raise NotFoundError(f"{path}: no such file or folder")
    return ImportSources(tuple(files.values()), tuple(left_out))


def read_source(source: ImportSource, *, exact: bool = False) -> str:
    """Return the text of a file, with LF line ends (unless ``exact``), without a BOM.

    Raises ``UsageError`` with the reason for not importing it, and ``StorageError``.
    """
    data = source.data if source.path is None else _bytes(source.path)
    if len(data) > limits.IMPORT_BYTES:
        raise UsageError(f"is larger than {limits.IMPORT_BYTES} bytes")
    try:
        text = data.decode("utf-16" if data[:2] in _UTF16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UsageError(f"is not UTF-8 text (line {line})") from error
    if "\0" in text:
        raise UsageError("is not text: it contains a NUL character")
    if exact:
        return text
    return text.replace("\r\n", "\n").replace("\r", "\n")


_NAMED = 3
"""Number of files named in a message if more are left out."""
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def _bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(limits.IMPORT_BYTES + 1)
    except OSError as error:
        raise StorageError(f"cannot be read: {error.strerror}") from error


def _in_folder(top: Path, cwd: Path, every: bool) -> ImportSources:
    if (top / layout.SETTINGS).exists():
        raise UsageError(
            f"{top} is a vault: run `toolmem export json` in it and import the result"
        )
    left_out: list[tuple[str, str]] = []
    instructions: list[ImportSource] = []
    notes: list[ImportSource] = []
    inside = top.resolve()
    for path in _walk(top, left_out):
        source = _source(path, cwd, top)
        program = instructions_for(_text(path.absolute().as_posix()))
        if not program and not is_markdown(path.name):
            if path.suffix in (".jsonl", ".ndjson"):
                notes.append(source)
            continue
        if not _is_inside(path, inside):
            left_out.append((source.name, "is a link that points outside the folder"))
        elif program and _is_nested(source.local):
            left_out.append((source.name, _of_a_folder(path, source.local)))
        elif program:
            instructions.append(source)
        else:
            notes.append(source)
    if every or not instructions:
        return ImportSources((*instructions, *notes), tuple(left_out))
    if notes:
        shown = ", ".join(note.local for note in notes[:_NAMED])
        more = f" and {len(notes) - _NAMED} more" if len(notes) > _NAMED else ""
        message = Notice(
            f"{shown}{more}: name the files to import, or use ",
            Arg("format"),
            " markdown",
        )
        left_out.append((str(top), message))
    return ImportSources(tuple(instructions), tuple(left_out))


def _is_nested(local: str) -> bool:
    """Return whether an instruction file applies to one folder of a project only."""
    return bool(_folder_of(local))


def _folder_of(local: str) -> str:
    """Return the folder that a file is for; hidden folders in it are an agent's."""
    parts = local.split("/")[:-1]
    hidden = next((at for at, part in enumerate(parts) if part[0] == "."), len(parts))
    return "/".join(parts[:hidden])


def _of_a_folder(path: Path, local: str) -> str:
    folder = _folder_of(local)
    name = folder.rpartition("/")[2]
    scope = shlex.quote(f"project:{name}")
    named = shlex.quote(_text(os.path.normpath(path)))
    return Notice(
        f"applies to {folder} only: ",
        NextStep("import", f"{named} --scope {scope}"),
        f" gives it a scope, and {folder}/.toolmem.toml with "
        f'project = "{name}" puts that scope in effect there',
    )


def _walk(top: Path, left_out: list[tuple[str, str]]) -> Iterator[Path]:
    def refused(error: OSError) -> None:
        left_out.append((error.filename, f"{error.strerror}"))

    for folder, names, files in os.walk(top, onerror=refused):
        here = Path(folder)
        names[:] = sorted(
            name
            for name in names
            if enters(name)
            and not (here / name).is_symlink()
            and not (here / name / layout.SETTINGS).exists()
        )
        for name in sorted(files):
            if (here / name).is_file():
                yield here / name


def _is_inside(path: Path, top: Path) -> bool:
    return not path.is_symlink() or path.resolve().is_relative_to(top)


def _source(path: Path, cwd: Path, top: Path | None) -> ImportSource:
    """Return a file by its path below its git repository, else below the working
    folder, else below the folder that was named (``top``, if one was)."""
    absolute = Path(os.path.normpath(cwd / path))
    named = Path(os.path.normpath(cwd / top)) if top else absolute.parent
    above = absolute.parents
    repository = next((folder for folder in above if (folder / ".git").exists()), None)
    root = repository or (cwd if cwd in above else named)
    absolute = _without_link(absolute, root)
    inside = _text(absolute.relative_to(root).as_posix())
    is_below = top is not None and absolute.is_relative_to(named)
    local = _text(absolute.relative_to(named).as_posix()) if is_below else inside
    project = repository_identity(repository) if repository else _text(root.name)
    return ImportSource(f"{project}/{inside}", local, absolute)


def _without_link(path: Path, root: Path) -> Path:
    """Return the target of a link, if that is in the project."""
    if not path.is_symlink():
        return path
    target = path.resolve()
    if not target.is_relative_to(root.resolve()):
        return path
    return root / target.relative_to(root.resolve())


@lru_cache(maxsize=64)
def repository_identity(root: Path) -> str:
    """Return a name for a project that is the same in every checkout.

    The address of its remote ``origin`` without user and protocol, such as
    ``github.com/acme/shop``; without one on another host the name of its folder with
    its first commit, and before the first commit, when there is no other checkout,
    with a digest of its path.
    """
    name = _text(root.name)
    if not gitrun.is_installed():
        return name
    attempt = gitrun.attempt(root, "config", "--get", "remote.origin.url")
    address = _ADDRESS.fullmatch(attempt.stdout.decode("utf-8", "replace").strip())
    if address:
        return f"{address['host'].lower()}/{address['path'].strip('/')}"
    roots = gitrun.attempt(root, "rev-list", "--max-parents=0", "HEAD", "--")
    commits = sorted(roots.stdout.decode("ascii", "replace").split())
    if commits:
        return f"{name}@{commits[0][:_COMMIT_CHARS]}"
    if gitrun.attempt(root, "rev-parse", "--git-dir").returncode:
        return name
    place = hashlib.sha256(os.fsencode(root.resolve())).hexdigest()
    return f"{name}@{place[:_COMMIT_CHARS]}"


def _text(name: str) -> str:
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
