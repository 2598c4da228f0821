"""Choose how a search compares meanings, and warn if it cannot as asked."""

from typing import NamedTuple

from toolmem.core.search.corpus import View
from toolmem.core.search.meaning import word_similarity, word_vectors
from toolmem.core.search.meaning.similarity import Similarity
from toolmem.core.search.query import ParsedQuery
from toolmem.errors import StorageError, ToolmemError
from toolmem.ops.search import background
from toolmem.store.files.timeouts import is_server
from toolmem.store.index import word_table
from toolmem.store.semantic import model_files, vector_search
from toolmem.store.vault.library import Library, Opening, first_time
from toolmem.store.vault.vault import Vault

TABLE, MODEL, OFF = MODES = ("table", "model", "off")
"""Values of the setting ``search.semantic``."""


class SimilaritySource(NamedTuple):
    """Similarity to any question, by a model, the table, both or neither."""

    table: "word_vectors.WordVectors | None" = None
    model: "vector_search.VectorSearch | None" = None

    def similarity_to(
        self, query: ParsedQuery, view: View | None = None
    ) -> Similarity | None:
        """Return the similarity to a question, for a reader who sees a view of it."""
        words = None
        if self.table is not None:
            words = word_similarity.WordSimilarity(self.table, query)
        if self.model is None:
            return words
        seen = self.model if view is None else self.model.of_view(view)
        return seen.similarity_to(query.text, words)


def require_model(vault: Vault) -> None:
    """Raise ``MissingExtraError`` if there is no model to compare meanings."""
    model_files.model_files(vault.settings)


def mode_of(vault: Vault, asked: str | None) -> str:
    """Return the mode of a search: as asked, else by the setting."""
    return asked or str(vault.settings["search.semantic"].value)


def source_of(
    vault: Vault, library: Library | Opening, view: View, asked: str | None
) -> tuple[SimilaritySource, tuple[str, ...]]:
    """Return how meanings are compared in a view, and remarks.

    What was ``asked`` for and is missing is an error; by the setting, the table takes
    the place of the model, and words alone decide without the table; a process says so
    once. A server does not wait for vectors: they are computed in the background.
    """
    mode, table = mode_of(vault, asked), library.table
    if mode != MODEL:
        if asked == TABLE and table is None:
            return SimilaritySource(word_table.open_table()), ()
        return SimilaritySource(None if mode == OFF else table), ()
    try:
        files = model_files.model_files(vault.settings)
        if library.opened is None:
            raise StorageError("a search by the model needs the search index")
        if asked is not None or not is_server():
            opened = vector_search.open_meaning(vault, library.opened, view, files)
            return SimilaritySource(table, opened), ()
        computed = vector_search.open_computed(vault, library.opened, view, files)
        if computed is not None:
            return SimilaritySource(table, computed), ()
        remark = background.VECTORS.ensure(vault.root)
        return SimilaritySource(table), (remark,) if remark else ()
    except ToolmemError as error:
        if asked:
            raise
        return SimilaritySource(table), first_time(f"searched without a model: {error}")
