"""Three-way merge of the path of a file: archive, scope, folder and name by itself.

One side may have moved a file and the other have renamed it: both are done.
"""

from typing import NamedTuple

from toolmem.core.scope import breadth, is_narrower
from toolmem.store.files import layout
from toolmem.store.files.walk import below_scope

_ARCHIVE = f"{layout.ARCHIVE}/"


class MergedPlace(NamedTuple):
    """Path of a merged file, and the paths that the sides want; equal if they agree."""

    path: str
    ours: str
    theirs: str


class _Place(NamedTuple):
    archive: str
    scope: str
    folder: str
    name: str


def is_archived(path: str) -> bool:
    """Return whether a path of the vault is in the archive."""
    return path.startswith(_ARCHIVE)


def merge_places(base: str, ours: str, theirs: str) -> MergedPlace:
    """Merge the paths of a file; of two wanted places it has the broader scope.

    If both sides widened the scope, the broader one is what both want.
    """
    places = map(_place, (base, ours, theirs))
    wanted = [_wanted(*parts) for parts in zip(*places, strict=True)]
    paths = ["/".join(filter(None, side)) for side in zip(*wanted, strict=True)]
    return MergedPlace(min(paths, key=_order), *paths)


def _place(path: str) -> _Place:
    home = path.removeprefix(_ARCHIVE)
    names = home.split("/")
    depth = len(names) - (len(below_scope(home)) or 1)
    archive = layout.ARCHIVE if is_archived(path) else ""
    return _Place(
        archive, "/".join(names[:depth]), "/".join(names[depth:-1]), names[-1]
    )


def _wanted(base: str, ours: str, theirs: str) -> tuple[str, str]:
    """Return the part of a path that each side asks for."""
    if ours == base or _contains(theirs, ours, base):
        return theirs, theirs
    if theirs == base or _contains(ours, theirs, base):
        return ours, ours
    return ours, theirs


def _contains(wide: str, narrow: str, base: str) -> bool:
    """Return whether both are scopes that contain the base, and one the other."""
    scopes = [layout.scope_of(f"{part}/") for part in (base, narrow, wide)]
    inner, middle, outer = scopes
    if inner is None or middle is None or outer is None:
        return False
    return is_narrower(inner, middle) and is_narrower(middle, outer)


def _order(path: str) -> tuple[int, str]:
    scope = layout.scope_of(path.removeprefix(_ARCHIVE))
    return (breadth(scope) if scope else 0, path)
