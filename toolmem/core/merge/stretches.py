"""Read and settle conflicts of text between our marks, or git's."""

from typing import NamedTuple

from toolmem.core.merge.result import Conflict
from toolmem.core.text.conflict_marks import conflict_ranges
from toolmem.core.text.textlines import split_lines
from toolmem.errors import InvalidFileError


def open_stretches(text: str) -> list[Conflict]:
    """Return the open conflicts, each with both sides and its line."""
    lines = split_lines(text)
    conflicts = []
    for number, stretch in enumerate(conflict_ranges(lines), 1):
        ours = "".join(lines[stretch.first + 1 : stretch.middle])
        theirs = "".join(lines[stretch.middle + 1 : stretch.last])
        line = stretch.first + 1
        conflicts.append(Conflict(f"text:{number}", ours, theirs, line))
    return conflicts


def resolve_range(text: str, conflict: Conflict, wanted: str) -> str:
    """Replace one conflict in a text, marks included."""
    lines = split_lines(text)
    for stretch in conflict_ranges(lines):
        if stretch.first == conflict.line - 1:
            lines[stretch.first : stretch.last + 1] = [wanted]
    return "".join(lines)


class ConflictSides(NamedTuple):
    """Sides of a text with git's marks; the base is "" if git left none."""

    base: str
    ours: str
    theirs: str


def sides_of(text: str, path: str) -> ConflictSides:
    """Reconstruct the three texts of a git conflict.

    Without a base between its marks (``|``), it is the text that both sides share.
    Raises ``InvalidFileError`` for unbalanced marks.
    """
    sides: dict[str, list[str]] = {"base": [], "ours": [], "theirs": []}
    at = ""
    for number, line in enumerate(split_lines(text), 1):
        step = _STEPS.get(line[:7]) if line[7:8] in ("", " ", "\r", "\n") else None
        if step and at in step[0]:
            at = step[1]
        elif step and (line[0] in "<>" or at):
            raise InvalidFileError(path, number, "the conflict markers do not match")
        elif at:
            sides[at].append(line)
        else:
            for side in sides.values():
                side.append(line)
    if at:
        raise InvalidFileError(path, 0, "the conflict's end marker is missing")
    return ConflictSides(*("".join(sides[name]) for name in ConflictSides._fields))


_STEPS = {
    "<<<<<<<": (("",), "ours"),
    "|||||||": (("ours",), "base"),
    "=======": (("ours", "base"), "theirs"),
    ">>>>>>>": (("theirs",), ""),
}
"""Mark → the parts that it may follow, and the part that it begins."""
