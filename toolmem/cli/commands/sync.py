"""``toolmem sync``: share the vault with its remote."""

from collections.abc import Iterable, Iterator

from toolmem.api.vault import Vault
from toolmem.cli.inputs import Invocation
from toolmem.cli.operation import operation
from toolmem.cli.output import emit_lines, remark_dry_run, show
from toolmem.core.changes import render
from toolmem.core.shown import counted, first_few
from toolmem.ops.sync.sync import Outgoing, SyncResult
from toolmem.store.git.log import OutgoingCommit


def _undecided(done: SyncResult) -> int:
    stopped = done.action in ("conflict", "stopped")
    return int(bool(stopped or done.outside or done.rejection))


def _synced(call: Invocation) -> SyncResult:
    """Synchronise; print the commits before they are pushed."""
    access = call.access
    if not call.as_json:
        access = access._replace(before_push=_print_outgoing)
    return Vault(access).sync(**call.values)


@operation("sync", perform=_synced, code=_undecided)
def sync(done: SyncResult, dry_run: bool) -> None:
    """Fetch, merge, check and push the vault.

    Exits with 1 if a person has to decide something.
    """
    emit_lines(_lines(done))
    if dry_run and done.commits:
        emit_lines([f"to push: {counted(len(done.commits), 'commit')}"])
        emit_lines(_indented(map(_subject, done.commits)))
    remark_dry_run(dry_run)


def _print_outgoing(outgoing: Outgoing) -> None:
    count = counted(len(outgoing.commits), "commit")
    listed = first_few(
        [_subject(commit) for commit in outgoing.commits], _PUSH_LINES - 1
    )
    head = f"pushing {count} to {outgoing.remote}:" if listed else _NEW_BRANCH
    emit_lines([show(head), *_indented(listed)])


def _subject(commit: OutgoingCommit) -> str:
    return f"{commit.id[:_ID_SHOWN]} {commit.subject}"


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
            f"{_subject(commit)}: {', '.join(first_few(commit.outside, _FILES))}"
            for commit in done.outside
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
