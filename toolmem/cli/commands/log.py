"""``toolmem log``: history of a rule, fact or memory."""

from collections.abc import Iterator
from itertools import chain

from toolmem.cli.operation import operation
from toolmem.cli.output import print_notice, show
from toolmem.cli.pager import page_lines
from toolmem.core.changes import render, summary
from toolmem.ops.history.log import LogEntry
from toolmem.store.git.repo import Commit


@operation("log")
def log(events: Iterator[LogEntry]) -> None:
    """Show the history of a rule, fact or memory.

    Follows moves between scopes and into the archive. In the log of the whole vault, a
    commit of more than 100 files is shown as counts by kind and scope.
    """
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
