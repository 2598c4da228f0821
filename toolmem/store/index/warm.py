"""Keep an index open in a process that answers many questions.

Every file is checked at each question; what is unchanged is not opened again.
"""

from pathlib import Path

from toolmem.core.language import language as languages
from toolmem.store.index import generation as generations
from toolmem.store.index import opened as opened_index


class WarmIndex:
    """The index that was opened last; questions come one at a time."""

    def __init__(self) -> None:
        self._last: opened_index.IndexSearch | None = None

    @property
    def generation(self) -> "generations.Generation | None":
        """The generation that is open."""
        return self._last.generation if self._last else None

    def remember(self, opened: "opened_index.IndexSearch") -> None:
        """Keep an index open."""
        self._last = opened._replace(remarks=())

    def reopened(
        self, seen: "generations.Generation"
    ) -> "opened_index.IndexSearch | None":
        """Return the open index, if it is of this generation as it is now."""
        return self._last if self._last and self._last.generation is seen else None


class WarmIndexes:
    """The warm index of the vault that is in use."""

    def __init__(self) -> None:
        self._key: tuple[Path, languages.Language] | None = None
        self._index = WarmIndex()

    def of(self, root: Path, language: "languages.Language") -> WarmIndex:
        """Return the warm index of a vault, in place of that of another one."""
        if (root, language) != self._key:
            self._key, self._index = (root, language), WarmIndex()
        return self._index
