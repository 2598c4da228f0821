"""Keep an index open in a process that answers many questions.

Where the kernel reports changes, only folders that have changed are checked; elsewhere
all of them are, but what is unchanged is not opened again.
"""

import errno
import time
from collections.abc import Callable
from pathlib import Path

from toolmem.core.language import language as languages
from toolmem.store.index import generation as generations
from toolmem.store.index import opened as opened_index
from toolmem.store.index.watch import FolderWatch, NoWatchError
from toolmem.store.listing.listing import Depth, FileListing, Known

_RELIED_SECONDS = 600.0
"""After this time every file is checked again: some changes are not reported."""
_LIMITS = (errno.ENOSPC, errno.ENOMEM, errno.EMFILE, errno.ENFILE)


class WarmIndex:
    """What is known of one index between questions, which come one at a time."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._watch: FolderWatch | None = None
        self._watchable = True
        self._since = 0.0
        self._changed: set[str] = set()
        self._complete = False
        self._known: Known = {}
        self._last: opened_index.IndexSearch | None = None

    def unchanged(self) -> "opened_index.IndexSearch | None":
        """Return the open index, if no file has changed since it was opened."""
        changed = self._watch.changed() if self._watch and self._complete else None
        self._complete = False
        if changed is None or time.monotonic() - self._since > _RELIED_SECONDS:
            self.forget()
            self._start()
            return None
        self._changed = changed
        self._complete = not changed
        return self._last if self._complete else None

    @property
    def generation(self) -> "generations.Generation | None":
        """The generation that is open."""
        return self._last.generation if self._last else None

    def to_check(
        self, seen: "generations.Generation | None"
    ) -> tuple[Known, Callable[[str], Depth]]:
        """Return the folders known, and how deep to check each of them."""
        known = self._known or (seen.manifest.folders if seen else {})
        # Within a tick of a coarse clock a folder can change and keep its stamp.
        changed = self._changed & known.keys()
        again = {path: known[path]._replace(stamp=b"") for path in changed}
        return {**known, **again}, self._depth

    def remember(
        self, listing: FileListing, opened: "opened_index.IndexSearch"
    ) -> None:
        """Take what was found as known."""
        self._last = opened._replace(remarks=())
        # Nothing reports what happens in a folder that could not be opened.
        self._complete = not listing.unreadable
        watched = self._watch is not None
        self._known = {one.path: one for one in listing.folders} if watched else {}

    def reopened(
        self, seen: "generations.Generation"
    ) -> "opened_index.IndexSearch | None":
        """Return the open index, if it is of this generation as it is now."""
        return self._last if self._last and self._last.generation is seen else None

    def forget(self) -> None:
        """Check every file at the next question."""
        if self._watch is not None:
            self._watch.close()
        self._watch, self._known, self._changed = None, {}, set()

    def _start(self) -> None:
        self._since = time.monotonic()
        try:
            self._watch = FolderWatch(self._root) if self._watchable else None
        except (NoWatchError, OSError):
            self._watchable = False

    def _depth(self, path: str) -> Depth:
        if self._watch is None:
            return Depth.FILES
        if path in self._watch:
            return Depth.FILES if path in self._changed else Depth.NOTHING
        try:
            self._watch.add(path)
        except OSError as error:
            if error.errno not in _LIMITS:
                raise
            self._watch.close()
            self._watch, self._watchable = None, False
        return Depth.FILES


class WarmIndexes:
    """The warm index of the vault that is in use."""

    def __init__(self) -> None:
        self._key: tuple[Path, languages.Language] | None = None
        self._index: WarmIndex | None = None

    def of(self, root: Path, language: "languages.Language") -> WarmIndex:
        """Return the warm index of a vault, in place of that of another one."""
        if self._index is None or (root, language) != self._key:
            if self._index is not None:
                self._index.forget()
            self._key, self._index = (root, language), WarmIndex(root)
        return self._index
