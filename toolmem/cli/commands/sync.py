"""``toolmem sync``: share the vault with its remote."""

from collections.abc import Iterable, Iterator
from typing import Annotated

from typer import Context, Option

from toolmem.api import notices
from toolmem.api.sync import synced_document
from toolmem.api.vault import Vault
from toolmem.cli.options import JsonFlag
from toolmem.cli.output import emit_json, emit_lines, print_notices, show
from toolmem.cli.tree import Exit, run_of
from toolmem.core.changes import render
from toolmem.core.shown import counted, first_few
from toolmem.ops.sync.sync import Outgoing, SyncResult
from toolmem.store.git.log import OutgoingCommit


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
    everything: Annotated[
        bool,
        Option("--all", help="Also push commits that change files outside the vault."),
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Fetch, merge, check and push the vault.

    Exits with 1 if a person has to decide something.
    """
    access = run_of(ctx).access_for()
    if not as_json:
        access = access._replace(before_push=_print_outgoing)
    done = Vault(access).sync(remote=remote, offline=offline, all=everything)
    if as_json:
        emit_json(synced_document(done))
    else:
        emit_lines(_lines(done))
        print_notices(notices.sync_notices(done))
    if done.action in ("conflict", "stopped") or done.outside or done.rejection:
        raise Exit(1)


def _print_outgoing(found: Outgoing) -> None:
    count = counted(len(found.commits), "commit")
    listed = first_few([_subject(one) for one in found.commits], _PUSH_LINES - 1)
    head = f"pushing {count} to {found.remote}:" if listed else _NEW_BRANCH
    emit_lines([show(head), *_indented(listed)])


def _subject(one: OutgoingCommit) -> str:
    return f"{one.id[:_ID_SHOWN]} {one.subject}"


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"  {show(line)}" for line in lines)


def _lines(done: SyncResult) -> Iterator[str]:
    pushed = ", pushed" if done.pushed else ""
    yield show(f"{_ACTION_TEXT[done.action]} {done.remote}{pushed}")
    yield from (f"  {render.line(change)}" for change in done.changes)
    for path, conflict in done.conflicts:
        yield show(f"conflict  {path}: {conflict.key}")
    for problem in done.problems:
        yield show(f"{problem.place}: {problem.code} {problem.message}")
    if done.outside:
        yield "not pushed: these commits change files outside the vault"
        listed = [
            f"{_subject(one)}: {', '.join(first_few(one.outside, _FILES))}"
            for one in done.outside
        ]
        yield from _indented(first_few(listed, _PUSH_LINES))
    if done.rejection:
        yield show(f"not pushed: {done.remote} refused it: {done.rejection.reason}")
        yield from _indented(done.rejection.lines)


_NEW_BRANCH = "pushing a new branch, without new commits"
_ID_SHOWN = 10
_PUSH_LINES = 5
_FILES = 3
_ACTION_TEXT = {
    "current": "nothing new in",
    "forwarded": "pulled from",
    "merged": "merged",
    "conflict": "merged here, with conflicts,",
    "stopped": "not merged:",
}
