"""``toolmem log``: the life of a rule, fact or memory."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from toolmem.cli import changes, complete
from toolmem.cli.options import JsonFlag, ScopeOption
from toolmem.cli.output import emit, emit_json, remark, show
from toolmem.cli.run import some_scope
from toolmem.cli.tree import run_of
from toolmem.core.on_demand import OnDemand
from toolmem.core.times import rfc3339
from toolmem.errors import UsageError
from toolmem.ops.log import Event, life_of, vault_log
from toolmem.store.gitrepo import Commit

if TYPE_CHECKING:
    from toolmem.cli import change_documents
else:
    change_documents = OnDemand("toolmem.cli.change_documents")

_SHOWN = 20


def log_command(
    ctx: typer.Context,
    thing: Annotated[
        str,
        typer.Argument(
            metavar="ID",
            help="The id of a rule or memory, or the key of a fact; else the vault.",
            autocompletion=complete.rule_ids,
        ),
    ] = "",
    scope: ScopeOption = "",
    limit: Annotated[
        int,
        typer.Option(
            "-n", "--limit", metavar="N", help="Commits at the most, of the vault."
        ),
    ] = _SHOWN,
    as_json: JsonFlag = False,
) -> None:
    """Tell the life of a rule, fact or memory, through moves and the archive."""
    if limit < 1:
        raise UsageError("--limit wants a number above 0")
    vault = run_of(ctx).open()
    if thing:
        events = life_of(vault, thing, some_scope(scope))
    else:
        events = vault_log(vault, limit)
    if as_json:
        emit_json([_document(event) for event in events])
    elif events:
        emit("\n".join(line for event in events for line in _lines(event)))
    else:
        remark("nothing has been committed yet")


def _lines(event: Event) -> Iterator[str]:
    yield _head(event.commit)
    yield from (f"  {changes.told(change)}" for change in event.changes)


def _head(commit: Commit | None) -> str:
    if commit is None:
        return "not committed yet"
    when = f"{commit.when:%Y-%m-%d %H:%M}"
    return show(f"{commit.id[:10]} {when} {commit.author}: {commit.subject}")


def _document(event: Event) -> dict[str, Any]:
    commit = event.commit
    return {
        "commit": commit.id if commit else None,
        "author": commit.author if commit else None,
        "when": rfc3339(commit.when) if commit else None,
        "subject": commit.subject if commit else None,
        "changes": [change_documents.change_document(c) for c in event.changes],
    }
