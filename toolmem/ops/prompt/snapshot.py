"""A block that stays the same for a session, and what has changed since.

The first call of a session with the same flags freezes the block; rules added
or retired after that are in a separate section, so that a cached
prefix stays valid and nothing is lost in a compaction.
"""

import json
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from toolmem.core.model import Priority, Rule
from toolmem.core.prompt.build import rule_line
from toolmem.core.prompt.safe import safe_line, safe_name
from toolmem.core.shown import counted
from toolmem.core.text.safetext import find_unsafe
from toolmem.errors import StorageError, UsageError
from toolmem.ops.prompt.build import Block, PromptRequest
from toolmem.store.state.database import open_state
from toolmem.store.state.snapshots import drop_snapshot, stored_snapshot
from toolmem.store.vault.vault import Vault

SINCE_TITLE = "## Since this session began"


class RuleChange(NamedTuple):
    """Change of a rule during a session.

    ``action`` is ``added``, ``retired``, ``raised`` or ``lowered`` (its priority), or
    ``changed`` (its text); the rest is as it is now, or was when it was retired.
    """

    action: str
    tool: str
    priority: str
    rule: str
    id: str


class PromptSnapshot(NamedTuple):
    """The document of a session's first call, and the changes since then.

    ``document`` is what ``make`` returned then, unchanged; ``news`` are the changes
    since the last call that was ``shown``.
    """

    document: Mapping[str, Any]
    changes: tuple[RuleChange, ...]
    news: tuple[RuleChange, ...] = ()


def freeze(
    vault: Vault,
    session: str,
    request: PromptRequest,
    block: Block,
    document: Mapping[str, Any],
    *,
    refresh: bool = False,
    shown: bool = False,
) -> PromptSnapshot:
    """Store this document for the session, or return its existing one.

    ``refresh`` replaces it; ``shown`` says that the session now reads all changes.
    Raises ``StorageError`` when the local state cannot be used and ``UsageError`` for
    an invalid id of a session.
    """
    unsafe = find_unsafe(session)
    if unsafe:
        raise UsageError(f"the session's id contains {unsafe[1]}")
    rules = _rows(block.rules)
    flags = _flags(vault, request)
    # In ASCII: a path may hold bytes that are no text, which SQLite refuses.
    data = json.dumps({"document": document, "rules": rules})
    with open_state(vault.session_vault.root) as state:
        if refresh:
            drop_snapshot(state, session, flags)
        stored = stored_snapshot(state, session, flags, data, vault.now)
        last = stored
        if shown:
            read = f"{flags} told"
            last = stored_snapshot(state, session, read, data, vault.now)
            drop_snapshot(state, session, read)
            stored_snapshot(state, session, read, data, vault.now)
    return PromptSnapshot(*_since(stored, rules), _since(last, rules)[1])


def _since(
    stored: str, rules: Sequence[Sequence[str]]
) -> tuple[Mapping[str, Any], tuple[RuleChange, ...]]:
    """The document that was kept, and what has changed; local state may be broken."""
    try:
        first = json.loads(stored)
        document = {**first["document"], "text": str(first["document"]["text"])}
        return document, changes_between(first["rules"], rules)
    except (TypeError, ValueError, KeyError) as error:
        raise StorageError(
            "the stored block is damaged: --refresh renders it again"
        ) from error


def changes_between(
    before: Iterable[Sequence[str]], after: Iterable[Sequence[str]]
) -> tuple[RuleChange, ...]:
    """Changes of the rules that a block shows: pinned first, then by tool and text.

    A rule that is there before and after is one change.
    """
    old = {tuple(row) for row in before}
    new = {tuple(row) for row in after}
    gone, come = _by_rule(old - new), _by_rule(new - old)
    changes: list[RuleChange] = []
    for rule in gone.keys() | come.keys():
        left, right = gone.get(rule, []), come.get(rule, [])
        if len(left) == len(right) == 1:
            rows = left + right
            found = [RuleChange(_action(left[0], right[0]), *right[0])]
        else:
            rows = []
            found = [RuleChange("retired", *row) for row in left if _is_shown(row)]
            found += [RuleChange("added", *row) for row in right if _is_shown(row)]
        changes += found if not rows or any(map(_is_shown, rows)) else []
    return tuple(
        sorted(
            changes,
            key=lambda c: (
                not _is_pinned(c),
                Priority(c.priority).rank,
                c.tool,
                c.rule,
                c.action,
            ),
        )
    )


def _by_rule(rows: Iterable[tuple[str, ...]]) -> dict[tuple[str, str], list[Any]]:
    """Rows by the id and tool of their rule; ids that were copied have several."""
    found: dict[tuple[str, str], list[Any]] = {}
    for tool, priority, rule, rule_id in rows:
        row = (tool, priority, rule, rule_id)
        found.setdefault((rule_id, tool), []).append(row)
    return found


def _action(old: Sequence[str], new: Sequence[str]) -> str:
    """The name of the change of one rule."""
    step = Priority(new[1]).rank - Priority(old[1]).rank
    if not step:
        return "changed"
    return "raised" if step < 0 else "lowered"


def _is_shown(row: Sequence[str]) -> bool:
    """True for a rule that a block shows: of high or critical priority."""
    return row[1] != Priority.NORMAL


def since_text(
    changes: Sequence[RuleChange],
    fits: Callable[[str], bool] = lambda _: True,
    *,
    hard: bool = False,
) -> str:
    """The section about the changes; empty without any.

    What does not fit is counted, and left out without a count if there is no space for
    that either. Critical rules that came are shown even then, unless it is ``hard``.
    """
    if not changes:
        return ""
    lines = [_change_line(change) for change in changes]
    whole = _section(lines, 0)
    if fits(whole):
        return whole
    pinned = 0 if hard else sum(map(_is_pinned, changes))

    def part(shown: int) -> str:
        return _section(lines[:shown], len(lines) - shown)

    more = bisect_left(
        range(pinned + 1, len(lines)), True, key=lambda shown: not fits(part(shown))
    )
    text = part(pinned + more)
    return text if pinned or fits(text) else ""


def _is_pinned(change: RuleChange) -> bool:
    return change.action != "retired" and change.priority == Priority.CRITICAL


def _section(lines: Iterable[str], more: int) -> str:
    shown = list(lines)
    if more:
        count = counted(more, "more change")
        shown.append(f"- {count}: `toolmem rule list --effective` shows all rules")
    return f"\n{SINCE_TITLE}\n\n" + "\n".join(shown) + "\n"


def _change_line(change: RuleChange) -> str:
    tool = "every tool" if change.tool == "_any" else f"`{safe_name(change.tool)}`"
    if change.action == "retired":
        return f"- no longer applies to {tool}: {safe_line(change.rule)}"
    text = rule_line(change.priority, change.rule).removeprefix("- ")
    return f"- {change.action} for {tool}: {text}"


def _rows(rules: Iterable[Rule]) -> list[list[str]]:
    return [[rule.tool, rule.priority.value, rule.rule, rule.id] for rule in rules]


def _flags(vault: Vault, request: PromptRequest) -> str:
    flags = request._asdict()
    for name in ("project", "agent_type", "agent"):
        flags[name] = vault.setting(name)
    if vault.own is not None:
        flags["vault"] = str(vault.root)
    return json.dumps(flags, sort_keys=True, ensure_ascii=False)
