"""``toolmem scratch``: notes that are acted on before they expire."""

from collections.abc import Sequence

from toolmem.api.documents import plain
from toolmem.api.session import SavedEntry
from toolmem.cli.commands.entries import emit_entry, shortened
from toolmem.cli.operation import operation
from toolmem.cli.output import emit_lines, emit_table
from toolmem.cli.tree import group
from toolmem.core.access.scratch_page import ScratchEntry

group("scratch", "Scratch page: alerts, reminders and open questions.")


@operation("scratch.add", uses_state=True)
def add(saved: SavedEntry) -> None:
    """Add an entry to an agent's scratch page.

    It is active for 7 days.
    """
    emit_lines([f"{saved.entry.status} {saved.entry.id}"])


@operation("scratch.list", uses_state=True)
def list_(entries: Sequence[ScratchEntry]) -> None:
    """List entries, newest first.

    An entry has to match every option given.
    """
    several = len({entry.agent for entry in entries}) > 1
    rows = (
        (
            entry.id,
            *((entry.agent or "-",) if several else ()),
            entry.status,
            entry.type,
            shortened(entry.content),
        )
        for entry in entries
    )
    whose = ("AGENT",) if several else ()
    emit_table(rows, ("ID", *whose, "STATUS", "TYPE", "CONTENT"))


@operation("scratch.show", uses_state=True)
def show(entry: ScratchEntry) -> None:
    """Show one entry."""
    emit_entry(plain(entry))


for _name, _about in (
    ("edit", "Change an entry.\n\nIts id, source and age stay the same."),
    (
        "set-status",
        "Set an entry's status.\n\n"
        "One of active, pending_review, resolved and archived.",
    ),
):
    operation(f"scratch.{_name}", uses_state=True, about=_about)(add)


@operation("scratch.clear", uses_state=True)
def clear(entries: Sequence[ScratchEntry]) -> None:
    """Remove resolved and archived entries.

    Removes all that are named, or none.
    """
    emit_lines(f"cleared {entry.id}" for entry in entries)
