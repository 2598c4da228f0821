"""Files that guards depend on, and which of them a command may reach."""

import fnmatch
from collections.abc import Iterable, Sequence

from toolmem.core.guard.reach import Reach
from toolmem.core.shell.words import Fit, fit_text, has_gap


class Targets:
    """Files that matter, and folders that no unknown files are brought into."""

    def __init__(self, files: Iterable[str], folders: Iterable[str]) -> None:
        self._files = {path.casefold().rstrip("/"): path for path in files}
        self._folders = {path.casefold().rstrip("/"): path for path in folders}
        self._parts = {path: path.split("/") for path in self._files}
        self._below = {
            "/".join(parts[:end]): path
            for path, parts in self._parts.items()
            for end in range(1, len(parts) + 1)
        }

    def within(self, reach: Reach) -> str:
        """Return one of the files that is within reach, "" if none is."""
        start = reach.path.casefold().rstrip("/")
        if reach.into:
            inside = (one for one in self._folders if f"{start}/".startswith(f"{one}/"))
            return self._folders.get(next(inside, ""), "")
        if reach.tree and not reach.globs and not has_gap(start):
            return self._files.get(self._below.get(start, ""), "")
        wanted = start.split("/")
        found = (path for path in self._files if self._is_within(path, wanted, reach))
        return self._files.get(next(found, ""), "")

    def _is_within(self, path: str, wanted: Sequence[str], reach: Reach) -> bool:
        parts = self._parts[path]
        if not _starts(parts, wanted) or not (reach.tree or len(parts) == len(wanted)):
            return False
        found = ("/".join(parts[:end]) for end in range(len(wanted), len(parts) + 1))
        return not reach.globs or any(_fits(one, reach.globs) for one in found)


def _starts(parts: Sequence[str], with_: Sequence[str]) -> bool:
    if len(parts) < len(with_):
        return False
    pairs = zip(with_, parts, strict=False)
    return all(fit_text(one, part) is not Fit.NO for one, part in pairs)


def _fits(path: str, globs: Iterable[str]) -> bool:
    return any(fnmatch.fnmatchcase(path, glob.casefold()) for glob in globs)
