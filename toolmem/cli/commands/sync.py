"""``toolmem sync``: share the vault with its remote."""

from collections.abc import Iterator
from typing import Annotated

from typer import Context, Option

from toolmem.api import notices
from toolmem.api.sync import synced_document
from toolmem.cli.options import JsonFlag
from toolmem.cli.output import emit_json, emit_lines, print_notices, show
from toolmem.cli.tree import Exit, run_of
from toolmem.core.changes import render
from toolmem.ops.sync.sync import SyncResult


def sync_command(
    ctx: Context,
    remote: Annotated[
        str,
        Option(
            "--remote",
            metavar="NAME",
            help="Remote to use instead of the branch's upstream.",
        ),
    ] = "",
    offline: Annotated[
        bool,
        Option("--offline", help="Merge the last fetched state; do not fetch or push."),
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Fetch, merge, check and push the vault.

    Exits with 1 if a person has to decide something.
    """
    done = run_of(ctx).vault_for().sync(remote=remote, offline=offline)
    if as_json:
        emit_json(synced_document(done))
    else:
        emit_lines(_lines(done))
        print_notices(notices.sync_notices(done))
    if done.action in ("conflict", "stopped"):
        raise Exit(1)


def _lines(done: SyncResult) -> Iterator[str]:
    pushed = ", pushed" if done.pushed else ""
    yield show(f"{_ACTION_TEXT[done.action]} {done.remote}{pushed}")
    yield from (f"  {render.line(change)}" for change in done.changes)
    for path, conflict in done.conflicts:
        yield show(f"conflict  {path}: {conflict.key}")
    for problem in done.problems:
        yield show(f"{problem.place}: {problem.code} {problem.message}")


_ACTION_TEXT = {
    "current": "nothing new in",
    "forwarded": "pulled from",
    "merged": "merged",
    "conflict": "merged here, with conflicts,",
    "stopped": "not merged:",
}
