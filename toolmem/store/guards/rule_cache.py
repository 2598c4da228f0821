"""Parsed rule files of a vault, in the user's state.

Parsing thousands of rule files takes most of the time of a command that reads them all.
A part has the files of one scope, and is used for the folders of tools that did not
change since. Small vaults have no cache.
"""

import time
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from toolmem.core import limits
from toolmem.core.formats import toml_text
from toolmem.core.guard import derive
from toolmem.core.guard.derivation import stored
from toolmem.core.model import Scope
from toolmem.core.names import folder_key
from toolmem.core.rules import rule_file
from toolmem.core.rules.rule_file import RuleFile, RuleFiles, UnreadableRule
from toolmem.core.rules.table_text import from_text, to_text
from toolmem.core.text import safetext
from toolmem.errors import ToolmemError
from toolmem.store.files import layout
from toolmem.store.files.tree import OpenFolders
from toolmem.store.guards.guard_file import (
    UNLIKE,
    DamagedError,
    GuardFile,
    NewPart,
    Part,
    assembled,
    code_version,
    encoded,
    open_guard_file,
    save,
    segment_of,
)
from toolmem.store.guards.stamp import Stamp, is_racy, is_unchanged, stamp

KIND = "rules"
"""Folder of the caches in the user's state."""
_LEAST_FILES = 500
_FORMAT = 2


Parse = Callable[[Scope, Container[str] | None], RuleFiles]
"""Reads the files of a scope, or only those in the folders of some tools (keys)."""
Note = Callable[[Iterable[str]], None]


def load(root: Path, scopes: Iterable[Scope], parse: Parse, note: Note) -> RuleFiles:
    """Return the parsed files of some scopes of the vault in a folder.

    ``parse`` reads those that changed, ``note`` is called with the paths of others.
    """
    wanted = tuple(scopes)
    old = open_guard_file(root, _version(), KIND)
    if old is not None:
        with suppress(OSError, ToolmemError, DamagedError, *UNLIKE):
            return _joined(_of_cache(root, old, wanted, parse, note))
    begun = time.time_ns()
    found = {scope: parse(scope, None) for scope in wanted}
    if sum(len(one.files) for one in found.values()) >= _LEAST_FILES:
        with suppress(OSError, ToolmemError, *UNLIKE), OpenFolders(root) as parents:
            stamps = {scope: _stamp(parents, scope, begun) for scope in wanted}
            _save(root, None, found, stamps)
    return _joined(found.values())


def _joined(found: Iterable[RuleFiles]) -> RuleFiles:
    parts = tuple(found)
    return RuleFiles(
        tuple(file for part in parts for file in part.files),
        tuple(file for one in parts for file in one.unreadable),
    )


def _of_cache(
    root: Path,
    old: GuardFile,
    wanted: Sequence[Scope],
    parse: Parse,
    note: Note,
) -> list[RuleFiles]:
    files_of: dict[Scope, RuleFiles] = {}
    new: dict[Scope, RuleFiles] = {}
    stamps: dict[Scope, Stamp] = {}
    with OpenFolders(root) as parents:
        for scope in wanted:
            part = old.parts.get(str(scope))
            if part is not None and is_unchanged(parents, _folder(scope), part.stamp):
                files_of[scope] = _restored(part, scope)
                note(_paths(scope, part.stamp))
                continue
            now = stamps[scope] = _stamp(parents, scope)
            files_of[scope] = new[scope] = _updated(scope, now, part, parse, note)
    if new:
        _save(root, old, new, stamps)
    return [files_of[scope] for scope in wanted]


def _updated(
    scope: Scope, now: Stamp, part: Part | None, parse: Parse, note: Note
) -> RuleFiles:
    """Return the files of a scope; only changed folders are read."""
    before = part.stamp if part is not None else []
    if part is None or not before or not now or before[0] != now[0]:
        return parse(scope, None)
    old = {one[0]: one for one in before}
    changed = {
        folder_key(one[0]) for one in now[1:] if old.get(one[0]) != one or is_racy(one)
    }
    home = len(_folder(scope)) + 1

    def is_kept(path: str) -> bool:
        return folder_key(path[home:].split("/")[0]) not in changed

    def place(one: RuleFile | UnreadableRule) -> list[str]:
        return one.path[home:].split("/")

    known, read = _restored(part, scope), parse(scope, changed)
    kept = [file for file in known.files if is_kept(file.path)]
    note(path for path in _paths(scope, now) if is_kept(path))
    broken = [one for one in known.unreadable if is_kept(one.path)]
    return RuleFiles(
        tuple(sorted((*kept, *read.files), key=place)),
        tuple(sorted((*broken, *read.unreadable), key=place)),
    )


def _save(
    root: Path,
    old: GuardFile | None,
    new: Mapping[Scope, RuleFiles],
    stamps: Mapping[Scope, Stamp],
) -> None:
    """Write the cache, unless a new part may change without a new stamp."""
    if any(is_racy(folder) for stamped in stamps.values() for folder in stamped):
        return
    parts = {
        key: NewPart(part.stamp, part.index, part.raw())
        for key, part in (old.parts.items() if old else ())
    }
    for scope, found in new.items():
        parts[str(scope)] = _part(found, stamps[scope])
    save(root, assembled(root, _version(), parts, {}), KIND)


def _part(found: RuleFiles, now: Stamp) -> NewPart:
    rows = [(f.id, f.path, f.folder_tool, to_text(f.stated)) for f in found.files]
    broken = [(u.tool, u.path, u.reason, u.line) for u in found.unreadable]
    data = encoded((rows, broken))
    return NewPart(now, {"files": segment_of(data, 0)}, data)


def _restored(part: Part, scope: Scope) -> RuleFiles:
    rows, broken = part.value(part.index["files"])
    return RuleFiles(
        tuple(
            RuleFile(id_, scope, path, tool, from_text(stated))
            for id_, path, tool, stated in rows
        ),
        tuple(UnreadableRule(tool, scope, *rest) for tool, *rest in broken),
    )


def _paths(scope: Scope, stamped: Stamp) -> Iterator[str]:
    """The files of a scope, those that cannot be read included."""
    for folder, _, names, _ in stamped[1:]:
        for name in names:
            yield f"{_folder(scope)}/{folder}/{name}"


def _folder(scope: Scope) -> str:
    return f"{layout.scope_folder(scope)}/{layout.RULES}"


def _stamp(parents: OpenFolders, scope: Scope, begun: int | None = None) -> Stamp:
    return stamp(parents, _folder(scope), deep=True, begun=begun)


@lru_cache(maxsize=1)
def _version() -> str:
    """A number for the form of the cache and for the code that parses a rule file."""
    places = (limits, rule_file, toml_text, safetext, stored, derive)
    folders = [Path(one.__file__ or "").parent for one in places]
    return code_version(folders, _FORMAT)
