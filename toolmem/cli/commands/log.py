"""``toolmem log``: history of a rule, fact or memory."""

from collections.abc import Iterator
from itertools import chain
from typing import Annotated

from typer import Argument, Context, Option

from toolmem.api import history
from toolmem.cli import offers
from toolmem.cli.options import JsonFlag, ScopeOption
from toolmem.cli.output import emit_json_list, print_notice, show
from toolmem.cli.pager import page_lines
from toolmem.cli.tree import run_of
from toolmem.core.changes import render, summary
from toolmem.ops.history.log import LogEntry
from toolmem.store.git.repo import Commit

_SHOWN = 20


def log_command(
    ctx: Context,
    thing: Annotated[
        str,
        Argument(
            metavar="ID",
            help="Rule id, memory id or fact key; default: the whole vault.",
            autocompletion=offers.rule_ids,
        ),
    ] = "",
    scope: ScopeOption = "",
    limit: Annotated[
        int,
        Option(
            "-n",
            "--limit",
            metavar="N",
            help="Maximum number of commits, for the whole vault.",
        ),
    ] = _SHOWN,
    as_json: JsonFlag = False,
) -> None:
    """Show the history of a rule, fact or memory.

    Follows moves between scopes and into the archive. In the log of the whole vault, a
    commit of more than 100 files is shown as counts by kind and scope.
    """
    events = run_of(ctx).vault_for().log(thing, scope=scope, limit=limit)
    if as_json:
        emit_json_list(map(history.log_entry_document, events))
        return
    first = next(events, None)
    if first is None:
        print_notice("nothing has been committed yet")
    else:
        page_lines(line for event in chain([first], events) for line in _lines(event))


def _lines(event: LogEntry) -> Iterator[str]:
    yield _head(event.commit)
    yield from (f"  {render.line(change)}" for change in event.changes)
    if event.commit is not None and event.counts:
        yield from (f"  {line}" for line in summary.lines(event.counts))
        yield f"  each file: git show --stat {event.commit.id[:10]}"


def _head(commit: Commit | None) -> str:
    if commit is None:
        return "not committed yet"
    when = f"{commit.when.astimezone():%Y-%m-%d %H:%M}"
    return show(f"{commit.id[:10]} {when} {commit.author}: {commit.subject}")
