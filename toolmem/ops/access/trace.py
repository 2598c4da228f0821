"""The trace of what tools asked: shown, and followed while it grows."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

from toolmem.core.tools.manifest import ToolNames
from toolmem.errors import UsageError
from toolmem.ops.capture.process_journal import pending_counts
from toolmem.store.state import trace
from toolmem.store.state.rows import is_of_project
from toolmem.store.state.trace import NumberedLine, TraceLine
from toolmem.store.vault.rule_files import load_manifests
from toolmem.store.vault.vault import Vault


class TraceFilter(NamedTuple):
    """Filter of trace lines; empty fields match every line.

    ``tool`` is any name or alias of the tool.
    """

    request: str = ""
    tool: str = ""
    since: datetime | None = None


def show_trace(vault: Vault, wanted: TraceFilter) -> tuple[TraceLine, ...]:
    """Return the lines, oldest first, with the verdicts of turns in progress.

    An agent sees its own only.
    """
    lines = [row.line for row in _read(vault, wanted, 0)]
    lines += _pending(vault, wanted)
    return tuple(sorted(lines, key=lambda line: line.at))


def follow_trace(
    vault: Vault, wanted: TraceFilter, wait: Callable[[], None]
) -> Iterator[TraceLine]:
    """Yield the existing lines, then each new one, forever.

    ``wait`` is called between them. A verdict is new when it is given, not again when
    its turn ends. Raises ``StorageError``.
    """
    last = 0
    early: Counter[TraceLine] = Counter()
    while True:
        pending = Counter(_pending(vault, wanted))
        new = list((pending - early).elements())
        early |= pending
        rows = _read(vault, wanted, last)
        for row in rows:
            if early[row.line] > 0:
                early[row.line] -= 1
            else:
                new.append(row.line)
        yield from sorted(new, key=lambda line: line.at)
        if rows:
            last = rows[-1].number
            continue
        if trace.last_number(vault) < last:
            last = 0  # the local state was deleted and created again
        wait()


def _pending(vault: Vault, wanted: TraceFilter) -> list[TraceLine]:
    """The verdicts that are still in the journals of sessions."""
    agent = vault.setting("agent") or ""
    return [
        line
        for line in _of_tool(vault, pending_counts(vault).verdicts, wanted.tool)
        if is_of_project(line.project, vault)
        and not wanted.request
        and agent in ("", line.agent)
        and (wanted.since is None or line.at >= wanted.since)
    ]


def _of_tool(
    vault: Vault, lines: Iterable[TraceLine], tool: str
) -> tuple[TraceLine, ...]:
    if not tool:
        return tuple(lines)
    names = ToolNames(load_manifests(vault)[0])
    key = names.key(tool)
    return tuple(line for line in lines if _has_key(names, line.tool, key))


def _has_key(names: ToolNames, tool: str, key: str) -> bool:
    try:
        return names.key(tool) == key
    except UsageError:  # a transcript may name a tool that no rule could be for
        return False


def _read(vault: Vault, wanted: TraceFilter, after: int) -> tuple[NumberedLine, ...]:
    lines = trace.read(
        vault,
        request=wanted.request,
        since=wanted.since,
        agent=vault.setting("agent") or "",
        after=after,
    )
    shown = set(_of_tool(vault, (row.line for row in lines), wanted.tool))
    return tuple(row for row in lines if row.line in shown)
