"""Recognise text that toolmem printed, so that it is not imported again."""

from toolmem.core.text.marked import BEGIN, END
from toolmem.core.text.textlines import heading

_BLOCKS = ("tool-scoped rules", "since this session began")
_RULE = ("- **[critical]**", "- **[high]**", "- **[normal]**")
_TURN = "tool memory:"


def without_own_text(text: str) -> tuple[str, tuple[int, ...]]:
    """Blank toolmem's own text, and return the lines where it begins.

    These are marked sections, the rules of a prompt block, and turn memories; line
    numbers count from 1, and the number of lines is unchanged.
    """
    lines = text.split("\n")
    ends = []
    at = 0
    while at < len(lines):
        end = _end_of_own(lines, at)
        if end > at:
            ends.append(at + 1)
            lines[at:end] = [""] * (end - at)
        at = max(end, at + 1)
    return "\n".join(lines), tuple(ends)


def _end_of_own(lines: list[str], at: int) -> int:
    """Return the end of our text that begins at this line; ``at`` if none does."""
    bare = lines[at].strip()
    if bare == BEGIN:
        rest = range(at + 1, len(lines))
        return next((n + 1 for n in rest if lines[n].strip() == END), len(lines))
    if bare.lower() == _TURN:
        return _while_items(lines, at + 1) if _is_item(lines, at + 1) else at
    title = heading(bare)
    if title and title[0] == 2 and title[1].casefold() in _BLOCKS:
        return _end_of_rules(lines, at)
    return at


def _is_item(lines: list[str], at: int) -> bool:
    return at < len(lines) and lines[at].lstrip().startswith("- ")


def _while_items(lines: list[str], at: int) -> int:
    while _is_item(lines, at):
        at += 1
    return at


def _end_of_rules(lines: list[str], at: int) -> int:
    """Return the end of a rules block: after its last rule, before the next section.

    A person may use the same heading: without a rule in our format it is not ours.
    """
    end = at
    for n in range(at + 1, len(lines)):
        title = heading(lines[n].strip())
        if title and title[0] <= 2:
            break
        if lines[n].strip().startswith(_RULE):
            end = n + 1
    return end
