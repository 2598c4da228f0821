"""Files that one or both sides of a merge moved: where each is in the merge.

The name of a file does not change when it moves, and a memory's is its id. A memory
that one side retired stays retired, with what the other changed in it. A rule that one
side retired and the other changed or moved stays in force, as a conflict.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from toolmem.core.scope import breadth
from toolmem.ops.sync.merge_file import merge_kind
from toolmem.store.files import layout
from toolmem.store.git.diff import ChangedFile

Changes = Mapping[str, ChangedFile]
"""The files that a side changed, by their paths in the vault."""
_BY_PLACE = (layout.FACTS, layout.PROFILE)
"""Files that have the same name in every scope."""


class MovedFile(NamedTuple):
    """A file that a side moved away from ``source``, and where it is in the merge.

    ``ours`` and ``theirs`` are the file as each side has it now, wherever that is; None
    where a side deleted it. ``deleted`` names the side that did, or that retired a rule
    which the other still uses. ``dropped`` are the places that it leaves.
    """

    source: str
    ours: ChangedFile | None
    theirs: ChangedFile | None
    place: str
    deleted: str = ""
    dropped: tuple[str, ...] = ()


def moved_files(ours: Changes, theirs: Changes) -> Iterator[MovedFile]:
    """The files that a side moved and that the other moved, changed or deleted."""
    for source in sorted(_gone(ours) | _gone(theirs)):
        if source in ours and source in theirs:
            found = _moved(source, ours, theirs)
            if found is not None:
                yield found


def kind_of_file(path: str) -> str:
    """The kind of a file for a merge; a memory's original text goes with it."""
    is_original = path.endswith(layout.ORIGINAL)
    return merge_kind(
        f"{path.removesuffix(layout.ORIGINAL)}.md" if is_original else path
    )


def is_archived(path: str) -> bool:
    """Return whether a path of the vault is in the archive."""
    return path.startswith(f"{layout.ARCHIVE}/")


def place_of(source: str, places: Iterable[str]) -> str:
    """The one of several places where a file is in a merge.

    A retired memory is in the archive; what is still in use in the broadest scope.
    """
    listed = sorted(set(places), key=_order)
    archived = [path for path in listed if is_archived(path)]
    if archived and kind_of_file(source) == "memory":
        return archived[0]
    return next((path for path in listed if not is_archived(path)), listed[0])


def _moved(source: str, ours: Changes, theirs: Changes) -> MovedFile | None:
    mine = _now(source, ours, theirs)
    other = _now(source, theirs, ours)
    there = [one for one in (mine, other) if one is not None]
    places = {one.path for one in there}
    if not places or places == {source}:
        return None  # deleted on one side or both, and moved on none
    if len(there) == 1:
        if is_archived(there[0].path):
            return None  # retired here, deleted there: it is in the archive
        side = "theirs" if mine else "ours"
        return MovedFile(source, mine, other, there[0].path, side)
    place = place_of(source, places)
    retired = [path for path in places if is_archived(path) and path != place]
    if retired:  # a rule: its archived copy is there if the retirement is kept
        side = "ours" if mine and mine.path in retired else "theirs"
        return MovedFile(source, mine, other, place, side)
    dropped = tuple(sorted(places - {place, source}))
    return MovedFile(source, mine, other, place, dropped=dropped)


def _now(source: str, side: Changes, others: Changes) -> ChangedFile | None:
    """A file as a side has it now: at its old place or where that side moved it."""
    if side[source].after:
        return side[source]
    found = _target(source, side)
    if found is None:
        return None
    taken = others.get(found.path)
    is_theirs = taken is not None and _target(source, others) != taken
    return None if is_theirs else found


def _target(source: str, side: Changes) -> ChangedFile | None:
    """Return the new path of a file that a side moved, if it can be known."""
    if source in side and side[source].after:
        return None
    archived = side.get(f"{layout.ARCHIVE}/{source}")
    if archived is not None and not archived.before and archived.after:
        return archived
    name = source.rpartition("/")[2]
    if name in _BY_PLACE:
        return None
    found = [one for one in _created(side)[name] if not _is_anothers(one.path, side)]
    return found[0] if len(found) == 1 else None


def _created(side: Changes) -> Mapping[str, list[ChangedFile]]:
    found: defaultdict[str, list[ChangedFile]] = defaultdict(list)
    for one in side.values():
        if not one.before and one.after and one.is_plain:
            found[one.path.rpartition("/")[2]].append(one)
    return found


def _is_anothers(path: str, side: Changes) -> bool:
    """Return whether this is the archived copy of another removed file."""
    return is_archived(path) and path.removeprefix(f"{layout.ARCHIVE}/") in side


def _gone(side: Changes) -> set[str]:
    return {path for path, one in side.items() if one.before and not one.after}


def _order(path: str) -> tuple[int, str]:
    scope = layout.scope_of(path.removeprefix(f"{layout.ARCHIVE}/"))
    return (breadth(scope) if scope else 0, path)
