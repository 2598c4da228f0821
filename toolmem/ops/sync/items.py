"""Pair the files of a merge: which file of each side was made from which of the base.

A rule is the same by its id, wherever its file is and whatever it is called; a memory
by its name, which is its id; any file that moved by its name or its exact content.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from toolmem.core.formats.toml_text import parse_toml
from toolmem.errors import InvalidFileError
from toolmem.ops.sync.merge_file import merge_kind
from toolmem.ops.sync.places import is_archived
from toolmem.store.files import layout
from toolmem.store.git.raw import ChangedFile
from toolmem.store.vault.vault import decode

Changes = Mapping[str, ChangedFile]
"""The files that a side changed, by their paths in the vault."""
Read = Callable[[Sequence[str]], Mapping[str, bytes | str]]
"""Contents of blobs, or why they cannot be read."""
_BY_PLACE = (layout.FACTS, layout.PROFILE)
"""Files that have the same name in every scope."""


class RuleName(NamedTuple):
    """Identity of a rule file: an override has the id of its rule."""

    id: str
    is_override: bool


class SideFile(NamedTuple):
    """A file as a side has it."""

    path: str
    blob: str
    mode: str


class MergeItem(NamedTuple):
    """A file in the base and on each side; None where there is no such file."""

    base: SideFile | None
    ours: SideFile | None
    theirs: SideFile | None
    rule: RuleName | None = None

    @property
    def paths(self) -> set[str]:
        """Every path that the file has."""
        return {file.path for file in self[:3] if file is not None}


def rule_names(sides: Iterable[Changes], read: Read) -> dict[str, RuleName]:
    """Return the identities of all rule files among these changes, by blob."""
    blobs = [
        blob
        for side in sides
        for path, file in side.items()
        if merge_kind(path) == "rule"
        for blob in (file.before, file.after)
    ]
    names = {blob: _rule_name(data) for blob, data in read(blobs).items()}
    return {blob: name for blob, name in names.items() if name is not None}


def _rule_name(data: bytes | str) -> RuleName | None:
    if isinstance(data, str):
        return None
    try:
        table = parse_toml(decode(data, ""), "")
    except InvalidFileError:
        return None
    rule_id = table.get("id")
    is_override = "rule" not in table or "tool" not in table
    return RuleName(rule_id, is_override) if isinstance(rule_id, str) else None


def merge_items(
    ours: Changes, theirs: Changes, rules: Mapping[str, RuleName]
) -> Iterator[MergeItem]:
    """Yield the files of a merge, first those of the base, by path."""
    sides = ours, theirs
    moved = [_moves(side, rules) for side in sides]
    for source in sorted(
        {path for s in sides for path, file in s.items() if file.before}
    ):
        was = ours.get(source) or theirs[source]
        base = SideFile(source, was.before, was.mode_before)
        mine, other = _now(base, ours, moved[0]), _now(base, theirs, moved[1])
        yield MergeItem(base, mine, other, rules.get(base.blob))
    targets = [{file.path for file in by_item.values()} for by_item in moved]
    created = [
        {path for path in _created(side) if path not in known}
        for side, known in zip(sides, targets, strict=True)
    ]
    for path in sorted(created[0] | created[1]):
        mine, other = (
            _after(side[path]) if path in known else None
            for side, known in zip(sides, created, strict=True)
        )
        yield MergeItem(None, mine, other)


def _after(file: ChangedFile) -> SideFile:
    return SideFile(file.path, file.after, file.mode_after)


def _now(
    base: SideFile, side: Changes, moved: Mapping[str, ChangedFile]
) -> SideFile | None:
    """Return a file as a side has it now: at its old place or where it moved."""
    file = moved.get(base.path) or side.get(base.path)
    if file is None:
        return base
    return _after(file) if file.after else None


def _moves(side: Changes, rules: Mapping[str, RuleName]) -> dict[str, ChangedFile]:
    """Return the files that a side moved, by their old paths."""
    gone = [file for file in side.values() if file.before and not file.after]
    free = [side[path] for path in _created(side) if side[path].is_plain]
    moved: dict[str, ChangedFile] = {}
    for identity in (_archive, _name(rules), _content):
        known: defaultdict[object, list[ChangedFile]] = defaultdict(list)
        for file in free:
            known[identity(file, file.after)].append(file)
        for file in gone:
            targets = (
                known[identity(file, file.before)] if file.path not in moved else []
            )
            if len(targets) == 1:
                moved[file.path] = targets.pop()
        used = {file.path for file in moved.values()}
        free = [file for file in free if file.path not in used]
    return moved


def _created(side: Changes) -> list[str]:
    return sorted(path for path, file in side.items() if file.after and not file.before)


def _archive(file: ChangedFile, _: str) -> object:
    """Return the path in the archive, for a file that was retired."""
    return file.path if is_archived(file.path) else layout.archived(file.path)


def _name(rules: Mapping[str, RuleName]) -> Callable[[ChangedFile, str], object]:
    def identity(file: ChangedFile, blob: str) -> object:
        name = file.path.rpartition("/")[2]
        if name in _BY_PLACE:
            return file.path
        return rules.get(blob) or (merge_kind(file.path), name)

    return identity


def _content(file: ChangedFile, blob: str) -> object:
    name = file.path.rpartition("/")[2]
    return file.path if name in _BY_PLACE else (merge_kind(file.path), blob)
