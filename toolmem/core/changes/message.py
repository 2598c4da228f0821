"""Compose a commit message: a one-line summary, then a line for each change."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from toolmem.core.changes import render
from toolmem.core.changes.model import Change
from toolmem.core.shown import tool_label
from toolmem.core.text.safetext import one_line, visible

_SUBJECT = 72
"""Characters of a subject that git's own tools show."""
_LISTED = 1000
"""Changes that a message lists."""
_GONE = ("retired", "deleted")
_NAMES = {
    "rule": ("rule", "rules"),
    "fact": ("fact", "facts"),
    "memory": ("memory", "memories"),
    "text": ("text", "texts"),
    "tool": ("tool", "tools"),
    "settings": ("setting", "settings"),
    "other": ("file", "files"),
}
_UNLEARNED = ("settings", "other")
"""Kinds of files that are configured rather than learned."""
_VERBS = {
    "added": "learn",
    "retired": "retire",
    "deleted": "delete",
    "restored": "bring back",
    "raised": "raise",
    "lowered": "lower",
    "moved": "move",
    "overridden": "override",
}


def message(changes: Sequence[Change], more: Sequence[str] = ()) -> str:
    """Return a commit message: a subject, then a line for each change by kind.

    ``more`` are files outside the vault that set toolmem up.
    """
    first = subject(changes) if changes else "Set toolmem up"
    others = ("\nFiles outside the vault:", *(f"  {path}" for path in more))
    return "\n".join((first, *_body(changes), *(others if more else ())))


def _body(changes: Sequence[Change]) -> Iterator[str]:
    for kind, own in render.groups(changes[:_LISTED]).items():
        yield f"\n{render.HEADINGS[kind]}:"
        yield from (f"  {render.line(change)}" for change in own)
    if len(changes) > _LISTED:
        yield f"\nand {len(changes) - _LISTED} more"


def subject(changes: Sequence[Change]) -> str:
    """Summarise changes in one line of at most 72 characters."""
    if len(changes) == 1:
        return _cut(f"{_verb(changes[0])} {_one(changes[0])}")
    return counted_subject(Counter(map(counted, changes)))


def counted(change: Change) -> tuple[str, str]:
    """Return the verb and the kind by which a change is counted."""
    return _verb(change), change.item.kind


def counted_subject(counts: Mapping[tuple[str, str], int]) -> str:
    """Summarise changes that were counted by verb and kind."""
    verbs = dict.fromkeys(verb for verb, _ in counts)
    parts = []
    for verb in sorted(verbs, key=_order):
        things = [
            quantity(number, kind)
            for (own, kind), number in counts.items()
            if own == verb
        ]
        parts.append(f"{verb} {_listed(things)}")
    return _cut("; ".join(parts))


def quantity(number: int, kind: str) -> str:
    """Return a number of items of a kind, such as ``3 rules``."""
    return f"{number} {_NAMES[kind][number > 1]}"


def _order(verb: str) -> int:
    known = list(_VERBS.values())
    return known.index(verb) if verb in known else len(known)


def _verb(change: Change) -> str:
    if change.actions[0] == "added" and change.item.kind in _UNLEARNED:
        return "add"
    known = (_VERBS[action] for action in change.actions if action in _VERBS)
    return next(known, "change")


def _one(change: Change) -> str:
    item = change.item
    title = visible(one_line(item.text if item.kind != "memory" else item.title))
    match item.kind:
        case "rule":
            tool = visible(tool_label(item.tool))
            return f"a rule of {tool}: {title}" if title else f"a rule of {tool}"
        case "fact":
            return f"{visible(item.id)}: {title}"
        case "memory":
            return f"“{title or visible(item.id)}”"
        case _:
            return visible(item.path)


def _listed(things: Iterable[str]) -> str:
    *first, last = things
    return f"{', '.join(first)} and {last}" if first else last


def _cut(text: str) -> str:
    line = text[:1].upper() + text[1:]
    if len(line) <= _SUBJECT:
        return line
    head = line[: _SUBJECT - 1].rpartition(" ")[0]
    short = head if len(head) > _SUBJECT // 2 else line[: _SUBJECT - 1]
    return short.rstrip(" ,;:") + "…"
