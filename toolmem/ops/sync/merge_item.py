"""Merge one file that both sides of a merge may have moved, changed or retired.

A rule that one side retired and the other changed stays in force, as a conflict; a
memory stays retired, with what the other changed in it.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from toolmem.core.merge.result import Conflict
from toolmem.core.model import Scope
from toolmem.core.scope import is_narrower
from toolmem.errors import StorageError
from toolmem.ops.sync.items import (
    Changes,
    MergeItem,
    Read,
    RuleName,
    SideFile,
    merge_items,
    rule_names,
)
from toolmem.ops.sync.merge_file import (
    MergedFile,
    keep_deleted,
    merge_bytes,
    merge_kind,
    note_move,
)
from toolmem.ops.sync.places import is_archived, merge_places
from toolmem.store.files import layout

BY_HAND = "was changed on both sides: merge by hand with `git merge`"
_PLAIN = {"", "100644", "100755"}


class MergedItem(NamedTuple):
    """A merged file: a blob or new ``data`` at its place; without a place none.

    ``copy`` is the archived file of a rule that stays in force until a conflict is
    settled.
    """

    item: MergeItem
    file: SideFile | None = None
    data: bytes | None = None
    conflicts: tuple[Conflict, ...] = ()
    copy: SideFile | None = None

    @property
    def gone(self) -> set[str]:
        """Paths of the file that it does not have any more."""
        return self.item.paths - {file.path for file in (self.file, self.copy) if file}


class ItemMerger:
    """Merge the files that two sides changed; paths are those in the vault."""

    def __init__(self, ours: Changes, theirs: Changes, read: Read) -> None:
        self._read = read
        rules = rule_names((ours, theirs), read)
        self.items = list(merge_items(ours, theirs, rules))
        self.created = {
            path for item in self.items if item.base is None for path in item.paths
        }
        self._overridden = [_overridden(side, rules) for side in (ours, theirs)]

    def merge(self, item: MergeItem) -> MergedItem:
        """Merge a file.

        Raises ``StorageError`` for what only a person can merge, and
        ``InvalidFileError`` for a side that cannot be read.
        """
        base, ours, theirs, _ = item
        out = self._retired_side(item)
        if out == "ours" and theirs is not None:
            return self._kept(item, theirs, ours, out)
        if out == "theirs" and ours is not None:
            return self._kept(item, ours, theirs, out)
        if ours is None or theirs is None:
            kept = theirs or ours
            is_deleted = base is not None and not (kept and _is_retired(base, kept))
            return MergedItem(item, None if is_deleted else kept)
        path, wishes = ours.path, (ours.path, theirs.path)
        if base is not None:
            path, wishes = merge_places(base.path, *wishes)
            if self._is_blocked(item, path):
                path, wishes = base.path, (ours.path, theirs.path)
        return self._placed(item, ours, theirs, path, wishes)

    def _placed(
        self,
        item: MergeItem,
        ours: SideFile,
        theirs: SideFile,
        path: str,
        wishes: Sequence[str],
    ) -> MergedItem:
        """Return the merged contents; a conflict if the sides want two places."""
        base = item.base or SideFile(path, "", "")
        blob, mode = (
            right if left == was else left if right in (was, left) else None
            for was, left, right in zip(base[1:], ours[1:], theirs[1:], strict=True)
        )
        file = SideFile(path, blob or "", mode or ours.mode)
        if blob is not None and wishes[0] == wishes[1]:
            return MergedItem(item, file)
        if not {base.mode, ours.mode, theirs.mode} <= _PLAIN:
            raise StorageError(f"{path}: {BY_HAND}")
        merged = merge_bytes(
            merge_kind(path),
            self._data(base.blob, path) if base.blob else None,
            self._data(ours.blob, path),
            self._data(theirs.blob, path),
            path,
        )
        if wishes[0] != wishes[1]:
            merged = note_move(merge_kind(path), merged, wishes, path)
        return _written(item, file, merged)

    def _retired_side(self, item: MergeItem) -> str:
        """Return the side that retired what the other one changed; "" for none."""
        base, ours, theirs, rule = item
        if base is None:
            return ""
        for name, side, other, overridden in (
            ("ours", ours, theirs, self._overridden[1]),
            ("theirs", theirs, ours, self._overridden[0]),
        ):
            is_out = side is None or (rule is not None and _is_retired(base, side))
            stays = other is not None and not _is_retired(base, other)
            is_changed = other != base or (rule is not None and rule.id in overridden)
            if is_out and stays and is_changed:
                return name
        return ""

    def _kept(
        self, item: MergeItem, kept: SideFile, retired: SideFile | None, out: str
    ) -> MergedItem:
        was, changed = (
            self._data(side.blob, side.path) if side else b""
            for side in (item.base, kept)
        )
        kind = merge_kind(kept.path)
        merged = MergedFile(changed)
        if kind != "other" or changed != was:
            merged = keep_deleted(kind, was, changed, out, kept.path)
        if not merged.data.strip():
            return MergedItem(item)  # nothing is left of a file of facts
        return _written(item, kept, merged)._replace(copy=retired)

    def _is_blocked(self, item: MergeItem, path: str) -> bool:
        """Return whether the place of a moved file is taken, or leaves an override."""
        base, ours, theirs, rule = item
        if base is None or path == base.path:
            return False
        if path in self.created:
            return True
        scope = layout.scope_of(path)
        if rule is None or rule.is_override or scope is None or is_archived(path):
            return False
        return any(
            not is_narrower(below, scope)
            for side, overridden in zip((ours, theirs), self._overridden, strict=True)
            if side is not None and side.path == base.path
            for below in overridden.get(rule.id, ())
        )

    def _data(self, blob: str, path: str) -> bytes:
        data = self._read([blob])[blob]
        if isinstance(data, str):
            raise StorageError(f"{path}: {data}")
        return data


def _written(item: MergeItem, file: SideFile, merged: MergedFile) -> MergedItem:
    if merge_kind(file.path) == "other" and merged.conflicts:
        raise StorageError(f"{file.path}: {BY_HAND}")
    return MergedItem(item, file._replace(blob=""), merged.data, merged.conflicts)


def _is_retired(base: SideFile, side: SideFile) -> bool:
    return is_archived(side.path) and not is_archived(base.path)


def _overridden(side: Changes, rules: Mapping[str, RuleName]) -> dict[str, list[Scope]]:
    """Return the scopes in which a side wrote overrides, by the ids of their rules."""
    scopes: defaultdict[str, list[Scope]] = defaultdict(list)
    for path, file in side.items():
        name, scope = rules.get(file.after), layout.scope_of(path)
        if name is not None and name.is_override and scope and not is_archived(path):
            scopes[name.id].append(scope)
    return dict(scopes)
