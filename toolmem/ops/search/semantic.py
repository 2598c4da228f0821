"""Decide whether a search goes by meaning, and warn if it cannot."""

from toolmem.core.search.corpus import View
from toolmem.errors import StorageError, ToolmemError
from toolmem.store.index.opened import OpenIndex
from toolmem.store.semantic import model_files, vector_search
from toolmem.store.vault.vault import Vault


def require_meaning(vault: Vault) -> None:
    """Raise ``MissingExtraError`` where nothing can be searched by meaning."""
    model_files.model_files(vault.settings)


def meaning_of(
    vault: Vault, opened: OpenIndex | None, view: View, insist: bool | None
) -> tuple["vector_search.VectorSearch | None", tuple[str, ...]]:
    """Return the search by meaning of a view, or None and the reason.

    Who insists gets an error in the place of a remark; None leaves it to the
    setting ``search.semantic``.
    """
    wanted = vault.settings["search.semantic"].value if insist is None else insist
    if not wanted:
        return None, ()
    try:
        files = model_files.model_files(vault.settings)
        if opened is None:
            raise StorageError("searching by meaning needs the search index")
        return vector_search.open_meaning(vault, opened, view, files), ()
    except ToolmemError as error:
        if insist:
            raise
        return None, (f"searched by words only: {error}",)
