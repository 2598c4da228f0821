"""The trace of what tools asked: shown, and followed while it grows."""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import NamedTuple

from toolmem.core.tools.manifest import ToolNames
from toolmem.store.state import trace
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
    """Yield the lines, oldest first; an agent sees only its own."""
    return tuple(held.line for held in _read(vault, wanted, 0))


def follow_trace(
    vault: Vault, wanted: TraceFilter, wait: Callable[[], None]
) -> Iterator[TraceLine]:
    """The lines that there are, then each new one, for ever.

    ``wait`` is called when there is none. Raises ``StorageError``.
    """
    last = 0
    while True:
        found = _read(vault, wanted, last)
        for held in found:
            yield held.line
        if found:
            last = found[-1].number
            continue
        if trace.last_number(vault) < last:
            last = 0  # the local state was deleted and created again
        wait()


def _read(vault: Vault, wanted: TraceFilter, after: int) -> tuple[NumberedLine, ...]:
    lines = trace.read(
        vault,
        request=wanted.request,
        since=wanted.since,
        agent=vault.setting("agent") or "",
        after=after,
    )
    if not wanted.tool:
        return lines
    names = ToolNames(load_manifests(vault)[0])
    key = names.key(wanted.tool)
    return tuple(one for one in lines if names.key(one.line.tool) == key)
