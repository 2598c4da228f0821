"""Three-way merge of the path of a file: archive, scope, folder and name by itself.

One side may have moved a file and the other have renamed it: both are done.
"""

from toolmem.core.scope import breadth, is_narrower
from toolmem.store.files import layout
from toolmem.store.files.walk import below_scope

_ARCHIVE = f"{layout.ARCHIVE}/"


def is_archived(path: str) -> bool:
    """Return whether a path of the vault is in the archive."""
    return path.startswith(_ARCHIVE)


def merge_places(base: str, ours: str, theirs: str) -> tuple[str, tuple[str, str]]:
    """Merge the paths of a file; of two wanted places it has the broader scope.

    Returns the path, and those that the sides want, which are equal if they agree.
    If both sides widened the scope, the broader one is what both want.
    """
    places = map(_place, (base, ours, theirs))
    wanted = [_wanted(*parts) for parts in zip(*places, strict=True)]
    left, right = ("/".join(filter(None, side)) for side in zip(*wanted, strict=True))
    return min(left, right, key=_order), (left, right)


def _place(path: str) -> tuple[str, str, str, str]:
    """Return archive, scope, folder and name of a path."""
    home = path.removeprefix(_ARCHIVE)
    names = home.split("/")
    depth = len(names) - (len(below_scope(home)) or 1)
    archive = layout.ARCHIVE if is_archived(path) else ""
    return archive, "/".join(names[:depth]), "/".join(names[depth:-1]), names[-1]


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
