"""``toolmem index``: the search index, which looks after itself."""

from typing import Any

import typer

from toolmem.cli.options import JsonFlag
from toolmem.cli.output import emit, emit_json, fields, remark
from toolmem.cli.tree import command, group, run_of
from toolmem.store.index.index import Status
from toolmem.store.library import index_of

app = group("The search index: a cache that is kept up to date by itself.")


@command(app, "status")
def status(ctx: typer.Context, as_json: JsonFlag = False) -> None:
    """Show whether the index is there and up to date."""
    _show(index_of(run_of(ctx).open()).status(), as_json)


@command(app, "rebuild")
def rebuild(ctx: typer.Context, as_json: JsonFlag = False) -> None:
    """Build the index anew from every file."""
    _show(index_of(run_of(ctx).open()).rebuild(), as_json)


@command(app, "verify")
def verify(ctx: typer.Context, as_json: JsonFlag = False) -> None:
    """Check every byte of the index; exit 1 when something is damaged."""
    damage = index_of(run_of(ctx).open()).verify()
    if as_json:
        emit_json({"ok": not damage, "damage": list(damage)})
    else:
        emit("\n".join(damage))
    if damage:
        remark("`toolmem index rebuild` builds it anew")
        raise typer.Exit(1)


def _show(found: Status, as_json: bool) -> None:
    for path, reason in found.problems:
        remark(f"{path}: not searched: {reason}")
    document: dict[str, Any] = {
        "state": found.state,
        "reason": found.reason or None,
        "documents": found.documents,
        "files": found.files,
        "bytes": found.bytes,
        "folder": found.folder or None,
    }
    if as_json:
        emit_json(document)
    else:
        emit(fields(document))
