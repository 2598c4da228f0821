"""The sections of the report page about memories."""

from datetime import datetime

from toolmem.core import limits
from toolmem.core.report.html import (
    Html,
    Links,
    about,
    cell,
    head,
    nothing,
    number,
    row,
    table,
    text,
)
from toolmem.core.shown import counted
from toolmem.ops.reports.figures import Figures, StaleMemory, stale_memories

_ROWS = 25


def stale_section(figures: Figures, links: Links, now: datetime) -> Html:
    """Memories that may be retired, and why."""
    listed = stale_memories(figures, now)
    rows = (
        row(
            cell(f"{text(memory.title)}{_place(links, memory.path)}"),
            cell(_day(memory), "changed"),
            cell(text(memory.why)),
        )
        for memory in listed[:_ROWS]
    )
    said = (
        "Memories that expired, or that no one changed or found for "
        f"{limits.UNUSED_DAYS} days." + _of_all(len(listed))
    )
    none = "No memory is stale."
    return about(said) + table(head(("Memory", "Changed", "Why")), rows, none)


def _day(memory: StaleMemory) -> str:
    return str(memory.changed.date()) if memory.changed else ""


def _place(links: Links, path: str) -> Html:
    return f'<div class="meta">{links.file(path)}</div>'


def _of_all(count: int) -> str:
    return f" The first {_ROWS} of {count:,}." if count > _ROWS else ""


def use_section(figures: Figures, links: Links) -> Html:
    """Memories that searches found most often, and those that none found."""
    local, memories = figures.local, figures.memories
    since = local.counted_since[:10]
    if not since:
        return nothing("No search was counted here yet.")
    titles = {date.memory.id: date.title for date in figures.dates}
    used = [
        (memory, local.used[memory.id])
        for memory in memories
        if memory.id in local.used
    ]
    used.sort(key=lambda pair: (-pair[1].times, pair[0].id))
    most = (
        row(
            cell(
                text(titles.get(used_memory.id) or used_memory.id)
                + _place(links, used_memory.path)
            ),
            cell(text(times.last[:10]), "last found"),
            number(times.times, "times"),
        )
        for used_memory, times in used[:_ROWS]
    )
    never = [unused for unused in memories if unused.id not in local.used]
    rest = (
        row(cell(text(titles.get(unused.id) or unused.id) + _place(links, unused.path)))
        for unused in never[:_ROWS]
    )
    return (
        about(f"Searches on this machine since {since}.")
        + "<h3>Found most often</h3>"
        + table(
            head(("Memory", "Last found", "Times"), 1),
            most,
            "No memory was found by a search here yet.",
        )
        + f"<h3>Never found: {counted(len(never), 'memory')}</h3>"
        + table(head(("Memory",)), rest, "Every memory was found at least once.")
        + (about(_of_all(len(never)).strip()) if len(never) > _ROWS else "")
    )
