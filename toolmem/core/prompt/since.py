"""Changes of a block since a session began, and their section below it."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from toolmem.core.model import Priority, Rule
from toolmem.core.prompt.build import rule_line
from toolmem.core.prompt.parts import KINDS, PromptPart
from toolmem.core.prompt.safe import safe_line, safe_name
from toolmem.core.shown import counted

SINCE_TITLE = "## Since this session began"
_RULES = "rules"
_NOUNS = {
    "role": "role",
    "overrides": "text for this project",
    "facts": "fact",
    "guidance": "guidance",
    "memories": "memory",
}


class BlockRow(NamedTuple):
    """A rule in effect, or an item of another part, when a block was made.

    ``id`` is that of a rule or memory, the name of a fact, and else the path. ``text``
    is a rule as it was written, and any other item as the block shows it. ``shown`` is
    True for an item of the block, and for a rule of high or critical priority.
    """

    kind: str
    id: str
    text: str
    path: str
    shown: bool
    tool: str = ""
    priority: str = ""
    vault: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        """Return what identifies the item while its text changes."""
        return (self.kind, self.id, self.tool)


class BlockChange(NamedTuple):
    """Change of a rule or of another item during a session.

    ``action`` is ``added``, ``retired``, ``raised`` or ``lowered`` (the priority of a
    rule), or ``changed`` (the text); the row is as it is now, or was when retired.
    """

    action: str
    row: BlockRow


def block_rows(rules: Iterable[Rule], parts: Iterable[PromptPart]) -> list[BlockRow]:
    """Return the rows of a block: all rules in effect, shown and omitted items."""
    rows = [
        BlockRow(
            _RULES,
            rule.id,
            rule.rule,
            rule.path,
            rule.priority is not Priority.NORMAL,
            rule.tool,
            rule.priority.value,
            rule.vault,
        )
        for rule in rules
    ]
    for part in parts:
        omitted = [omission.item for omission in part.omitted]
        for item in (*part.items, *omitted):
            data = item.data
            shown = item not in omitted
            if part.kind in _NOUNS:
                path = str(data["path"])
                rows.append(BlockRow(part.kind, item.name, item.text, path, shown))
            elif part.kind == _RULES and not data["id"]:  # a file that cannot be read
                path, tool = str(data["path"]), str(data["tool"])
                text, level = str(data["rule"]), str(data["priority"])
                rows.append(BlockRow(_RULES, "", text, path, True, tool, level))
    return rows


def changes_between(
    before: Iterable[BlockRow], after: Iterable[BlockRow]
) -> tuple[BlockChange, ...]:
    """Return the changes: critical rules, other rules, then the parts in their order.

    A rule that is there before and after is one change; one in a file that cannot be
    read any more is not retired.
    """
    old, new = _by_key(before), _by_key(after)
    unreadable = {row.path for rows in new.values() for row in rows if not row.id}
    changes: list[BlockChange] = []
    for key in dict.fromkeys((*old, *new)):
        kept = {_content(row) for row in old.get(key, ())}
        now = {_content(row) for row in new.get(key, ())}
        left = [row for row in old.get(key, ()) if _content(row) not in now]
        right = [row for row in new.get(key, ()) if _content(row) not in kept]
        if key[0] != _RULES and old.get(key) and new.get(key):
            left, right = old[key], new[key]
        changes += _changes_of(left, right, unreadable)
    return tuple(sorted(changes, key=_order))


def _by_key(rows: Iterable[BlockRow]) -> dict[tuple[str, str, str], list[BlockRow]]:
    """Rows by their identity; ids of rules that were copied have several."""
    found: dict[tuple[str, str, str], list[BlockRow]] = {}
    for row in dict.fromkeys(rows):
        found.setdefault(row.key, []).append(row)
    return found


def _content(row: BlockRow) -> tuple[str, str]:
    return row.text, row.priority


def _changes_of(
    left: Sequence[BlockRow], right: Sequence[BlockRow], unreadable: set[str]
) -> list[BlockChange]:
    if len(left) == len(right) == 1:
        action = _action(left[0], right[0])
        return [BlockChange(action, right[0])] if action else []
    gone = (row for row in left if row.shown and row.path not in unreadable)
    come = (row for row in right if row.shown)
    return [
        *(BlockChange("retired", row) for row in gone),
        *(BlockChange("added", row) for row in come),
    ]


def _action(old: BlockRow, new: BlockRow) -> str:
    """Return the name of the change of one item, empty if nothing of it is shown."""
    if new.kind != _RULES:
        if not old.shown:
            return "added" if new.shown else ""
        return "changed" if old.text != new.text else ""
    if not (old.shown or new.shown):
        return ""
    step = Priority(new.priority).rank - Priority(old.priority).rank
    if not step:
        return "changed"
    return "raised" if step < 0 else "lowered"


def _order(change: BlockChange) -> tuple[Any, ...]:
    row = change.row
    rank = Priority(row.priority).rank if row.kind == _RULES else 0
    place = (_RULES, *KINDS).index(row.kind)
    rules = (row.tool, row.text, change.action) if row.kind == _RULES else ()
    return (not _is_pinned(change), place, rank, rules)


def _is_pinned(change: BlockChange) -> bool:
    return change.action != "retired" and change.row.priority == Priority.CRITICAL


def since_text(
    changes: Sequence[BlockChange],
    fits: Callable[[str], bool] = lambda _: True,
    *,
    hard: bool = False,
) -> str:
    """Return the section about the changes; empty without any.

    What does not fit is counted, and left out without a count if there is no space for
    that either. Critical rules that came are shown even then, unless it is ``hard``.
    """
    if not changes:
        return ""
    whole = _section(changes, len(changes))
    if fits(whole):
        return whole
    pinned = 0 if hard else sum(map(_is_pinned, changes))
    more = bisect_left(
        range(pinned + 1, len(changes)),
        True,
        key=lambda shown: not fits(_section(changes, shown)),
    )
    text = _section(changes, pinned + more)
    return text if pinned or fits(text) else ""


def _section(changes: Sequence[BlockChange], shown: int) -> str:
    lines = [_change_text(change) for change in changes[:shown]]
    rest = changes[shown:]
    if rest:
        only_rules = all(change.row.kind == _RULES for change in rest)
        hint = "rule list --effective` shows all rules"
        hint = hint if only_rules else "prompt` shows the block as it is now"
        lines.append(f"- {counted(len(rest), 'more change')}: `toolmem {hint}")
    return f"\n{SINCE_TITLE}\n\n" + "\n".join(lines) + "\n"


def _change_text(change: BlockChange) -> str:
    row = change.row
    if row.kind != _RULES:
        return _item_text(change)
    tool = "every tool" if row.tool == "_any" else f"`{safe_name(row.tool)}`"
    if change.action == "retired":
        return f"- no longer applies to {tool}: {safe_line(row.text)}"
    text = rule_line(row.priority, row.text).removeprefix("- ")
    return f"- {change.action} for {tool}: {text}"


def _item_text(change: BlockChange) -> str:
    """Return an item of a list; the lines of a longer text are indented below it."""
    row, noun = change.row, _NOUNS[change.row.kind]
    if change.action == "retired":
        return f"- no longer applies: {noun} `{safe_name(row.id)}`"
    if row.kind == "facts":
        return f"- {change.action} {noun}: {row.text.removeprefix('- ')}"
    body = "\n".join(f"  {line}".rstrip() for line in row.text.split("\n"))
    return f"- {change.action} {noun}:\n\n{body}\n"
