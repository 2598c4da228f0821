"""``toolmem sync``: share the vault with its remote."""

from collections.abc import Iterator
from time import sleep
from typing import Annotated, Any

import typer

from toolmem.cli import changes
from toolmem.cli.change_documents import change_document
from toolmem.cli.documents import problem_document
from toolmem.cli.options import JsonFlag
from toolmem.cli.output import emit, emit_json, remark, show
from toolmem.cli.tree import run_of
from toolmem.ops.sync import Synced, sync_vault


def sync_command(
    ctx: typer.Context,
    remote: Annotated[
        str,
        typer.Option(
            "--remote", metavar="NAME", help="Another remote than the branch's own."
        ),
    ] = "",
    offline: Annotated[
        bool,
        typer.Option(
            "--offline", help="Merge what was fetched last; fetch and push nothing."
        ),
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Fetch, merge by meaning, check and push; exit 1 where a person is needed."""
    vault = run_of(ctx).open()
    done = sync_vault(vault, sleep, remote=remote, offline=offline)
    if as_json:
        emit_json(_document(done))
    else:
        emit("\n".join(_lines(done)))
        _remarks(done)
    if done.action in ("conflict", "stopped"):
        raise typer.Exit(1)


def _lines(done: Synced) -> Iterator[str]:
    pushed = ", pushed" if done.pushed else ""
    yield show(f"{_SAID[done.action]} {done.remote}{pushed}")
    yield from (f"  {changes.told(change)}" for change in done.changes)
    for path, conflict in done.conflicts:
        yield show(f"conflict  {path}: {conflict.key}")
    for problem in done.problems:
        yield show(f"{problem.path}:{problem.line}: {problem.code} {problem.message}")


_SAID = {
    "current": "nothing new in",
    "forwarded": "took over",
    "merged": "merged",
    "conflict": "merged here, with conflicts,",
    "stopped": "not merged:",
}


def _remarks(done: Synced) -> None:
    if done.action == "conflict":
        remark("nothing was pushed: `toolmem resolve`, commit, then `toolmem sync`")
    if done.action == "stopped":
        remark("nothing was changed: mend what the check found, commit, and sync again")
    if done.uncommitted:
        files = (
            "1 file has" if done.uncommitted == 1 else f"{done.uncommitted} files have"
        )
        remark(f"{files} changes that are not committed: they stay here")


def _document(done: Synced) -> dict[str, Any]:
    return {
        "action": done.action,
        "remote": done.remote,
        "commit": done.commit,
        "pushed": done.pushed,
        "tries": done.tries,
        "uncommitted": done.uncommitted,
        "changes": [change_document(change) for change in done.changes],
        "conflicts": [
            {"path": path, **conflict._asdict()} for path, conflict in done.conflicts
        ],
        "problems": [problem_document(problem) for problem in done.problems],
    }
