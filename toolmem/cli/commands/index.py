"""``toolmem index``: the search index, which looks after itself."""

from typer import Context

from toolmem.api import notices
from toolmem.api.documents import status_document
from toolmem.cli.options import JsonFlag
from toolmem.cli.output import emit, emit_json, fields, print_notices
from toolmem.cli.tree import command, group, run_of
from toolmem.store.index.index import IndexStatus

app = group("Search index: a cache that updates itself.")


@command(app, "status")
def status(ctx: Context, as_json: JsonFlag = False) -> None:
    """Show whether the index is up to date."""
    _show(run_of(ctx).vault_for().index.status(), as_json)


@command(app, "rebuild")
def rebuild(ctx: Context, as_json: JsonFlag = False) -> None:
    """Rebuild the index from all files."""
    _show(run_of(ctx).vault_for().index.rebuild(), as_json)


def _show(found: IndexStatus, as_json: bool) -> None:
    print_notices(notices.index_notices(found))
    document = status_document(found)
    if as_json:
        emit_json(document)
    else:
        emit(fields(document))
