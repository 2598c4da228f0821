"""``vault.index``: the search index, which looks after itself."""

from toolmem.api.access import Access, bounded
from toolmem.store.index.index import IndexStatus
from toolmem.store.vault.library import index_of


@bounded("index")
class SearchIndex:
    """The operations on the index of a vault."""

    def __init__(self, access: Access) -> None:
        self._access = access

    def status(self) -> IndexStatus:
        """Whether the index is there and up to date."""
        return index_of(self._access.read()).status()

    def rebuild(self) -> IndexStatus:
        """Build the index anew from every file.

        Raises ``LockedError`` and ``StorageError``.
        """
        return index_of(self._access.read()).rebuild()

    def verify(self) -> tuple[str, ...]:
        """What is wrong with the index, byte for byte; empty when nothing is."""
        return index_of(self._access.read()).verify()
