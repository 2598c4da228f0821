"""Read the files that a patch touches: ``apply_patch`` of Codex, or a unified diff."""

import re
from typing import NamedTuple

_HEADER = re.compile(
    r"^\*\*\* (Add File|Update File|Delete File|Move to): (.+)$", re.MULTILINE
)
_BEGIN = "*** Begin Patch"
_DIFF = re.compile(r"^(---|\+\+\+) (?:[ab]/)?([^\t\n]+)", re.MULTILINE)
_NO_FILE = "/dev/null"
_CHANGE = frozenset(("change",))
_DELETE = frozenset(("change", "delete"))


class PatchPaths(NamedTuple):
    """Paths that a patch writes, and those that it removes.

    ``created`` are those of ``changed`` that did not exist before. A file that the
    patch moves is deleted under its old path and created under the new one.
    """

    changed: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    created: tuple[str, ...] = ()

    @property
    def operations(self) -> tuple[tuple[str, frozenset[str]], ...]:
        """Each path with the patch's operation on the file, as guards name it."""
        changed = ((path, _CHANGE) for path in self.changed)
        return (*changed, *((path, _DELETE) for path in self.deleted))


def patch_paths(text: str) -> PatchPaths:
    """Read the header lines of a patch; a text of another kind has no paths."""
    if "*** " in text:
        return _apply_patch(text)
    if "--- " in text and "+++ " in text:
        return _unified_diff(text)
    return PatchPaths()


def is_apply_patch(text: str) -> bool:
    """Return True if the text contains a patch in the format of Codex."""
    return _BEGIN in text


def _apply_patch(text: str) -> PatchPaths:
    changed: list[str] = []
    deleted: list[str] = []
    created: list[str] = []
    start = text.find(_BEGIN)
    for action, named in _HEADER.findall(text, max(start, 0)):
        path = named.strip()
        if action == "Delete File":
            deleted.append(path)
        elif action == "Move to" and changed:
            deleted.append(changed.pop())
            changed.append(path)
            created.append(path)
        else:
            changed.append(path)
            created += [path] if action == "Add File" else []
    return PatchPaths(tuple(changed), tuple(deleted), tuple(created))


def _unified_diff(text: str) -> PatchPaths:
    changed: list[str] = []
    deleted: list[str] = []
    created: list[str] = []
    before = ""
    for sign, path in _DIFF.findall(text):
        if sign == "---":
            before = path
            continue
        if path != _NO_FILE:
            changed.append(path)
        if before not in ("", _NO_FILE, path):
            deleted.append(before)
        if path != _NO_FILE and before not in ("", path):
            created.append(path)
        before = ""
    return PatchPaths(tuple(changed), tuple(deleted), tuple(created))
