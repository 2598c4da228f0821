"""Queries and searches, their requests and documents."""

from toolmem.api.access import Operations, bounded
from toolmem.store.index.index import IndexStatus
from toolmem.store.vault.library import index_of


@bounded("index")
class SearchIndex(Operations):
    """Operations on the index of a vault."""

    def status(self) -> IndexStatus:
        """Return whether the index exists and is up to date."""
        return index_of(self._access.read()).status()

    def rebuild(self) -> IndexStatus:
        """Rebuild the index from every file.

        Raises ``LockedError`` and ``StorageError``.
        """
        self._access.require_writable()
        return index_of(self._access.read()).rebuild()
