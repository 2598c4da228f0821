"""``toolmem commit``: what was learned becomes history, with a message that says so."""

from collections.abc import Iterator, Sequence
from typing import Annotated

import typer

from toolmem.cli import changes
from toolmem.cli.options import AllowSecretFlag, JsonFlag
from toolmem.cli.output import emit, emit_json, remark
from toolmem.cli.tree import run_of
from toolmem.core.changes.message import subject
from toolmem.errors import NotFoundError, UsageError
from toolmem.ops import uncommitted
from toolmem.ops.uncommitted import Entry
from toolmem.store.vault import Vault

_ID_SHOWN = 10


def commit_command(
    ctx: typer.Context,
    wanted: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ID", help="Only these: ids or paths of what changed; else all."
        ),
    ] = None,
    message: Annotated[
        str,
        typer.Option("--message", "-m", metavar="TEXT", help="In the place of ours."),
    ] = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show the message, commit nothing.")
    ] = False,
    allow_secret: AllowSecretFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Commit what changed in the vault; the message says what was learned."""
    vault = run_of(ctx).open()
    entries = _wanted(vault, wanted or [])
    if not entries:
        _show(uncommitted.Committed(None, "", ()), as_json)
        remark("all is committed")
        raise typer.Exit(1)
    for entry in entries:
        for change in entry.changes:
            if change.item.problem:
                remark(f"{change.item.path}: {change.item.problem}")
    text = message or message_of(entries)
    if dry_run:
        paths = tuple(path for entry in entries for path in entry.paths)
        _show(uncommitted.Committed(None, text, paths), as_json)
        return
    done = uncommitted.commit_entries(vault, entries, text, allow_secret=allow_secret)
    _show(done, as_json)


def message_of(entries: Sequence[Entry]) -> str:
    """The message of a commit: a subject, then a line for each change by kind."""
    found = [change for entry in entries for change in entry.changes]
    return "\n".join((subject(found), *_body(entries)))


def _body(entries: Sequence[Entry]) -> Iterator[str]:
    found = [change for entry in entries for change in entry.changes]
    for kind, own in changes.groups(found).items():
        yield f"\n{changes.HEADINGS[kind]}:"
        yield from (f"  {changes.told(change)}" for change in own)


def _wanted(vault: Vault, names: Sequence[str]) -> tuple[Entry, ...]:
    entries = uncommitted.uncommitted(vault)
    if not names:
        return entries
    found = []
    for name in names:
        entry = uncommitted.find_entry(entries, name)
        if entry is None:
            raise NotFoundError(f"nothing that changed is called {name!r}")
        found.append(entry)
    if len({entry.paths for entry in found}) < len(found):
        raise UsageError("the same thing twice")
    return tuple(found)


def _show(done: uncommitted.Committed, as_json: bool) -> None:
    if as_json:
        emit_json(
            {"commit": done.id, "message": done.message, "paths": list(done.paths)}
        )
    elif done.message:
        head = f"{done.id[:_ID_SHOWN]} " if done.id else ""
        emit(f"{head}{done.message}")
