"""``toolmem index``: the search index, which updates itself."""

from toolmem.api.documents import plain
from toolmem.cli.operation import operation
from toolmem.cli.output import emit, fields
from toolmem.cli.tree import group
from toolmem.store.index.index import IndexStatus

group("index", "Search index: a cache that updates itself.")


@operation("index.status")
def status(state: IndexStatus) -> None:
    """Show whether the index is up to date."""
    emit(fields(plain(state)))


operation("index.rebuild", about="Rebuild the index from all files.")(status)
