"""Sketches of scopes in local state: read, compared with the files, and written.

A sketch of few memories has the marks of their files, so that any change is noticed.
One of many has those of its folders, and stamps of the memories in it. Each language of
the vault has files of its own.
"""

import os
import sys
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from toolmem.core import limits
from toolmem.core.language.language import Language
from toolmem.core.memories.topic_sketch import (
    Mark,
    SketchedMemory,
    SketchError,
    Stamp,
    TopicSketch,
    encode,
)
from toolmem.core.model import Scope
from toolmem.core.names import encode_name
from toolmem.core.search import corpus as corpora
from toolmem.core.search import doc as docs
from toolmem.core.text.terms import normal_topic
from toolmem.core.visibility import Audience, may_see
from toolmem.errors import InvalidFileError, StorageError, ToolmemError
from toolmem.store.files import layout, lock
from toolmem.store.files.walk import kind_of
from toolmem.store.index import exclusive
from toolmem.store.vault import documents, library
from toolmem.store.vault.vault import Vault

_FOLDER = "topics"
_TRIED = ".tried"
_TEMPORARY = ".tmp"
_BYTES = 16 * 1024 * 1024
_RACY_NS = 1_000_000_000
"""A file changed this recently may change again without a new time."""
_RACY = -1
"""Time of such a file, which never matches later."""
_TICK_NS = 50_000_000
"""Longest time in which the clock of a file system may stand still."""
_NO_STAMP = (0, 0)


def stored_sketch(vault: Vault, scope: Scope) -> TopicSketch | None:
    """Return the stored sketch of a scope, None if there is no valid one."""
    try:
        with exclusive.opened(_path(vault, scope)) as file:
            return TopicSketch(file.read(_BYTES))
    except (OSError, SketchError):
        return None


def has_memories(vault: Vault, scope: Scope) -> bool:
    """Return whether a scope has a folder of memories."""
    return (vault.root / _home(scope)).is_dir()


def is_current(vault: Vault, sketch: TopicSketch) -> bool:
    """Return True if the files and folders of a sketch have not changed, and none of
    its memories has expired.

    Without marks, nothing is known of them. Where only some folders have marks, another
    may have changed.
    """
    if 0 < sketch.until <= vault.now.timestamp():
        return False
    if sketch.partial and len(sketch.marks) >= limits.SKETCH_FOLDERS:
        return False
    try:
        return bool(sketch.marks) and all(
            _mark(vault.root, path, 0) == (path, inode, when)
            for path, inode, when in sketch.marks
        )
    except OSError:
        return False


def changed_memories(
    vault: Vault, sketch: TopicSketch, places: Iterable[int]
) -> list[int]:
    """Return those places in a partial sketch whose memory's file changed since."""
    root = f"{vault.root}{os.sep}"
    return [
        place
        for place in places
        if _stamp(root + sketch.memories[place][0]) != sketch.stamps[place]
    ]


def read_small(vault: Vault, scope: Scope) -> TopicSketch | None:
    """Make and store the sketch of a scope from its files; None if there are many."""
    racy_from = time.time_ns() - _RACY_NS
    listed = _listed(vault.root, _home(scope), limits.HOOK_MEMORIES_READ)
    if listed is None:
        return None
    folders, paths = listed
    try:
        marks = [_mark(vault.root, path, racy_from) for path in (*folders, *paths)]
    except OSError:
        marks = []
    memories = [doc for path in paths for doc in _documents(vault, path)]
    chosen = corpora.first_by_topic_of(memories, limits.SKETCH_MEMORIES)
    return _stored(vault, scope, chosen, marks)


def read_indexed(vault: Vault, scope: Scope) -> TopicSketch:
    """Make and store the sketch of a scope from the index, brought up to date first."""
    racy_from = time.time_ns() - _RACY_NS
    folders = _listed(vault.root, _home(scope), sys.maxsize, files=False) or ((), ())
    marks = [
        _mark(vault.root, path, racy_from)
        for path in folders[0][: limits.SKETCH_FOLDERS]
    ]
    view = corpora.View(
        at=vault.now,
        scopes=frozenset({str(scope)}),
        kinds=frozenset({"memory"}),
        audience=Audience.AGENT,
    )

    def ask(opened: library.Library) -> list[docs.Doc]:
        return list(opened.corpus.first_by_topic(limits.SKETCH_MEMORIES))

    chosen = library.ask_library(vault, view, ask)
    time.sleep(_TICK_NS / 1e9)  # so that a change from now on is a new time
    young = time.time_ns() - _TICK_NS
    stamps = {doc.path: _stamp(f"{vault.root}{os.sep}{doc.path}") for doc in chosen}
    # Read again: what a memory says now is no older than its stamp.
    again = library.ask_library(vault, view, ask)
    known = {path: stamp for path, stamp in stamps.items() if stamp[1] < young}
    return _stored(vault, scope, again, marks, known)


def begin_update(vault: Vault, scope: Scope) -> bool:
    """Return True if no update of a scope's sketch began a short time ago.

    This one is then recorded as the last.
    """
    path = _path(vault, scope)
    tried = path.with_name(path.name + _TRIED)
    try:
        # Negative if the clock was put back.
        if 0 <= time.time() - tried.lstat().st_mtime < limits.SKETCH_SECONDS:
            return False
    except OSError:
        pass
    try:
        _prepare(vault)
        exclusive.replace(tried)
    except (OSError, ToolmemError):
        return False
    return True


def _stored(
    vault: Vault,
    scope: Scope,
    chosen: Iterable["docs.Doc"],
    marks: list[Mark],
    stamps: Mapping[str, Stamp] | None = None,
) -> TopicSketch:
    """Return the sketch of these documents, stored if local state can be written.

    One with ``stamps`` is partial; memories without a stamp have no influence.
    """
    ordered = sorted(chosen, key=_order)
    sketched = [_sketched(doc, vault.language) for doc in ordered]
    expiring = [doc.expires_at.timestamp() for doc in ordered if doc.expires_at]
    until = min(expiring, default=0.0)
    data = encode(
        sketched,
        marks,
        partial=stamps is not None,
        until=until,
        stamps=[stamps.get(memory.path, _NO_STAMP) for memory in sketched]
        if stamps is not None
        else [],
    )
    path = _path(vault, scope)
    temporary = path.with_name(f"{path.name}.{os.getpid()}{_TEMPORARY}")
    with suppress(OSError, ToolmemError):
        _prepare(vault)
        _remove_temporaries(path.parent)
        exclusive.replace(path, data, temporary=temporary)
    return TopicSketch(data)


def _remove_temporaries(folder: Path) -> None:
    """Remove the temporary files of processes that were killed."""
    oldest = time.time() - limits.TEMP_SECONDS
    for path in folder.glob(f"*{_TEMPORARY}"):
        with suppress(OSError):
            if path.lstat().st_mtime < oldest:
                path.unlink()


def _order(doc: "docs.Doc") -> tuple[float, float, str]:
    changed = doc.updated or doc.created
    return -doc.importance, -changed.timestamp() if changed else 0.0, doc.path


def _sketched(doc: "docs.Doc", language: Language) -> SketchedMemory:
    words = docs.words_of(doc)
    topic = normal_topic(doc.topic)
    terms = f"{words.head}{topic.replace('-', ' ')} {words.context}{words.rest}".split()
    stems = list(dict.fromkeys(language.stems(terms)))
    return SketchedMemory(doc.path, topic, stems[: limits.SKETCH_STEMS])


def _documents(vault: Vault, path: str) -> list["docs.Doc"]:
    """Return the documents of a file that an agent may see."""
    tree = vault.tree.every  # what an agent may not see is left out below
    try:
        data = tree.read(path, limits.TEXT_FILE_BYTES)
        memories = documents.documents_of(path, data, tree.read)
    except (FileNotFoundError, InvalidFileError, StorageError):
        return []
    return [
        doc
        for doc in memories
        if may_see(Audience.AGENT, private=doc.private)
        and (doc.expires_at is None or doc.expires_at > vault.now)
    ]


def _listed(
    root: Path, home: str, most: int, *, files: bool = True
) -> tuple[list[str], list[str]] | None:
    """Return the folders and memory files below a folder; None if more than ``most``
    files."""
    folders, paths = [home], []
    for folder in folders:
        try:
            with os.scandir(root / folder) as entries:
                for entry in entries:
                    path = f"{folder}/{entry.name}"
                    if entry.is_dir(follow_symlinks=False):
                        if not entry.name.startswith("."):
                            folders.append(path)
                    elif files and kind_of(path) == "memory":
                        paths.append(path)
                        if len(paths) > most:
                            return None
        except OSError:
            continue
    return sorted(folders), sorted(paths)


def _mark(root: Path, path: str, racy_from: int) -> Mark:
    """Return the mark of a file; its time is ``_RACY`` if after ``racy_from``."""
    status = (root / path).lstat()
    when = status.st_mtime_ns if sys.platform == "win32" else status.st_ctime_ns
    return path, status.st_ino, _RACY if racy_from and when >= racy_from else when


def _stamp(path: str) -> Stamp:
    """Return the stamp of a file; none if it is gone."""
    try:
        status = os.lstat(path)
    except OSError:
        return 0, -1
    when = status.st_mtime_ns if sys.platform == "win32" else status.st_ctime_ns
    return status.st_ino, when


def _home(scope: Scope) -> str:
    return f"{layout.scope_folder(scope)}/{layout.MEMORY}"


def _prepare(vault: Vault) -> None:
    lock.prepare_state(vault.root)
    exclusive.make_folders(vault.root / layout.STATE / _FOLDER)


def _path(vault: Vault, scope: Scope) -> Path:
    name = f"{encode_name(str(scope))}.{vault.language.code}"
    return vault.root / layout.STATE / _FOLDER / name
