"""A block that stays the same for a session, and what has changed since.

The first call of a session with the same flags freezes the block; rules added
or retired after that are told in a section of their own, so that a cached
prefix holds and nothing is lost to a compaction.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
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
    """A rule that came (``added``) or went (``retired``) during a session."""

    action: str
    tool: str
    priority: str
    rule: str
    id: str


class PromptSnapshot(NamedTuple):
    """The document of a session's first call, and the changes since then.

    ``document`` is what ``make`` returned then, unchanged; ``news`` are the changes
    since the last call that was ``told``.
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
    told: bool = False,
) -> PromptSnapshot:
    """Keep this document for the session, or give back the one that it has.

    ``refresh`` begins anew; ``told`` says that the session now reads all changes.
    Raises ``StorageError`` when the local state cannot be used and ``UsageError`` for
    an id of a session that cannot be kept.
    """
    unsafe = find_unsafe(session)
    if unsafe:
        raise UsageError(f"the session's id holds {unsafe[1]}")
    rules = _rows(block.rules)
    flags = _flags(vault, request)
    # In ASCII: a path may hold bytes that are no text, which SQLite refuses.
    kept = json.dumps({"document": document, "rules": rules})
    with open_state(vault.session_vault.root) as state:
        if refresh:
            drop_snapshot(state, session, flags)
        stored = stored_snapshot(state, session, flags, kept, vault.now)
        last = stored
        if told:
            read = f"{flags} told"
            last = stored_snapshot(state, session, read, kept, vault.now)
            drop_snapshot(state, session, read)
            stored_snapshot(state, session, read, kept, vault.now)
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
        raise StorageError("what was kept is broken: --refresh begins anew") from error


def changes_between(
    before: Sequence[Sequence[str]], after: Sequence[Sequence[str]]
) -> tuple[RuleChange, ...]:
    """Rules that came or went: added critical ones first, then by tool and text."""
    old, new = {tuple(row) for row in before}, {tuple(row) for row in after}
    changes = [RuleChange("retired", *row) for row in old - new]
    changes += [RuleChange("added", *row) for row in new - old]
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


def since_text(
    changes: Sequence[RuleChange], room: int | None = None, *, hard: bool = False
) -> str:
    """The section about the changes, or nothing where there are none.

    Of what does not fit into ``room`` characters the rest is counted; critical
    rules that were added stand whatever the room, unless it is ``hard``.
    """
    if not changes:
        return ""
    lines = [_change_line(change) for change in changes]
    pinned = 0 if hard else sum(_is_pinned(change) for change in changes)
    shown = len(lines)
    while True:
        text = _section(lines[:shown], len(lines) - shown)
        if room is None or shown <= pinned or len(text) <= room:
            return text
        shown -= 1


def _is_pinned(change: RuleChange) -> bool:
    return change.action != "retired" and change.priority == Priority.CRITICAL


def _section(lines: Iterable[str], more: int) -> str:
    told = list(lines)
    if more:
        told.append(
            f"- {counted(more, 'more change')}: `toolmem prompt --refresh` shows all"
        )
    return f"\n{SINCE_TITLE}\n\n" + "\n".join(told) + "\n"


def _change_line(change: RuleChange) -> str:
    tool = "every tool" if change.tool == "_any" else f"`{safe_name(change.tool)}`"
    text = rule_line(change.priority, change.rule).removeprefix("- ")
    if change.action == "added":
        return f"- added for {tool}: {text}"
    return f"- no longer holds for {tool}: {safe_line(change.rule)}"


def _rows(rules: Iterable[Rule]) -> list[list[str]]:
    return [
        [rule.tool, rule.priority.value, rule.rule, rule.id]
        for rule in rules
        if rule.priority is not Priority.NORMAL
    ]


def _flags(vault: Vault, request: PromptRequest) -> str:
    flags = request._asdict()
    for name in ("project", "agent_type", "agent"):
        flags[name] = vault.setting(name)
    if vault.own is not None:
        flags["vault"] = str(vault.root)
    return json.dumps(flags, sort_keys=True, ensure_ascii=False)
