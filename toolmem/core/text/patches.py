"""Read which files a patch touches: ``apply_patch`` of Codex, or a unified diff."""

import re

from toolmem.core.lazy_pattern import lazy_pattern
from toolmem.core.named_tuple import NamedTuple

_HEADER = lazy_pattern(
    r"^\*\*\* (Add File|Update File|Delete File|Move to): (.+)$", re.MULTILINE
)
_BEGIN = "*** Begin Patch"


class PatchPaths(NamedTuple):
    """Paths that a patch writes, and those that are gone after it.

    ``created`` are those of ``changed`` that were not there before.
    """

    changed: tuple[str, ...]
    deleted: tuple[str, ...]
    created: tuple[str, ...] = ()


def patch_paths(text: str) -> PatchPaths:
    """The paths in a patch's header lines; a moved file is deleted and written anew."""
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


def is_patch(text: str) -> bool:
    """Whether the text holds a patch in this format."""
    return _BEGIN in text


_DIFF = lazy_pattern(r"^(---|\+\+\+) (?:[ab]/)?([^\t\n]+)", re.MULTILINE)
_CHANGE = frozenset(("change",))
_DELETE = frozenset(("change", "delete"))


def named_paths(text: str) -> list[tuple[str, frozenset[str]]]:
    """The files after ``*** Update File:``, ``+++`` and the like, each with what is
    done to it; none in other texts."""
    if "*** " in text:
        return [
            (path, _DELETE if kind == "Delete File" else _CHANGE)
            for kind, path in _HEADER.findall(text)
        ]
    if "--- " in text and "+++ " in text:
        return [(p, _CHANGE) for _, p in _DIFF.findall(text) if p != "/dev/null"]
    return []
