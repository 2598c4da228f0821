"""Files that guards depend on, and which of them a command may reach."""

import fnmatch
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from toolmem.core import limits
from toolmem.core.guard.calls import ToolCall
from toolmem.core.guard.reach import Reach
from toolmem.core.model import Action
from toolmem.core.patterns import paths
from toolmem.core.rules.guard_table import Guard
from toolmem.core.shell.operations import READ, RESTORE
from toolmem.core.shell.words import Fit, fit_text, has_gap

_WILD = re.compile(r"/?[^/]*[*?\[].*")
_ANY_CHILD = "_"
"""A file below a folder that is not known."""


class Targets:
    """Files that matter, and folders that nothing unknown is brought into."""

    def __init__(self, files: Iterable[str], folders: Iterable[str] = ()) -> None:
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
        if reach.paths:
            both = self._files.keys() & reach.paths
            return self._files[min(both)] if both else ""
        start = reach.path.casefold().rstrip("/")
        if reach.into:
            inside = (
                folder
                for folder in self._folders
                if f"{start}/".startswith(f"{folder}/")
            )
            above = self._files.get(self._below.get(start, ""), "")
            return self._folders.get(next(inside, ""), "") or above
        if reach.tree and not reach.globs and not has_gap(start):
            return self._files.get(self._below.get(start, ""), "")
        wanted = start.split("/")
        files = (path for path in self._files if self._is_within(path, wanted, reach))
        return self._files.get(next(files, ""), "")

    def _is_within(self, path: str, wanted: Sequence[str], reach: Reach) -> bool:
        parts = self._parts[path]
        if not _starts(parts, wanted) or not (reach.tree or len(parts) == len(wanted)):
            return False
        starts = ("/".join(parts[:end]) for end in range(len(wanted), len(parts) + 1))
        return not reach.globs or any(_fits(start, reach.globs) for start in starts)


def _starts(parts: Sequence[str], with_: Sequence[str]) -> bool:
    if len(parts) < len(with_):
        return False
    pairs = zip(with_, parts, strict=False)
    return all(
        part == _ANY_CHILD or fit_text(seen, part) is not Fit.NO for seen, part in pairs
    )


def _fits(path: str, globs: Iterable[str]) -> bool:
    return any(fnmatch.fnmatchcase(path, glob.casefold()) for glob in globs)


def reached_file(guard: Guard, reach: Reach, call: ToolCall) -> str:
    """Return a file of a guard that a command may change without naming it; "" for
    none."""
    wanted = set(guard.operation) or {*RESTORE, "change", "delete"}
    if not guard.path or wanted.isdisjoint(reach.operations):
        return ""
    if reach.guess or (reach.into and guard.action is not Action.DENY):
        return ""  # what cannot be read breaks only a plain ban
    files = _files(guard, call)
    if has_gap(reach.path) or reach.globs:
        files = chain(files, _unmade(guard, call))
    return Targets(files).within(reach._replace(into=False))


def _files(guard: Guard, call: ToolCall) -> Iterator[str]:
    for pattern in guard.path:
        anchored = paths.is_anchored(pattern)
        base = _WILD.sub("", pattern) or ("/" if pattern[:1] == "/" else ".")
        folder = paths.resolve(base, cwd=call.cwd, home=call.home)
        if base == pattern.rstrip("/") and anchored:
            yield folder
            yield f"{folder}/{_ANY_CHILD}"
        for path in _existing(folder, call):
            seen = paths.see_path(path, folder="", home=call.home, project=call.cwd)
            if seen and paths.fit_path(seen, pattern, home=call.home):
                yield path


def _unmade(guard: Guard, call: ToolCall) -> Iterator[str]:
    """Yield a file below each guarded folder of another, which need not exist."""
    for pattern in guard.path:
        path = pattern.strip("/")
        if not (_WILD.match(path) or paths.is_anchored(pattern)):
            folder = paths.resolve(path, cwd=call.cwd, home=call.home)
            yield from (folder, f"{folder}/{_ANY_CHILD}")


def _existing(path: str, call: ToolCall) -> Iterator[str]:
    """Yield a file or folder that exists, and what is below it, up to a limit."""
    if call.names is None:
        return
    above, _, name = path.rpartition("/")
    if name not in (call.names(above or "/") or ()):
        return
    waiting, count = [path], 0
    while waiting and count < limits.SHELL_LISTED:
        path = waiting.pop()
        count += 1
        yield path
        waiting += [f"{path}/{child}" for child in call.names(path) or ()]


def is_restoring(reach: Reach) -> bool:
    """Return True if only committed versions of files are brought."""
    return reach.operations <= RESTORE | READ and bool(reach.operations)
