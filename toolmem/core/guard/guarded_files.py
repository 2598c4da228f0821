"""Existing files that a guard names, for calls that do not name them."""

import re
from collections.abc import Iterator

from toolmem.core import limits
from toolmem.core.guard.calls import ToolCall
from toolmem.core.guard.reach import Reach
from toolmem.core.guard.targets import Targets
from toolmem.core.patterns import paths
from toolmem.core.rules.guard_table import Guard
from toolmem.core.shell.operations import READ, RESTORE

_WILD = re.compile(r"/?[^/]*[*?\[].*")
_ANY_CHILD = "_"
"""A file below a folder that is not known."""


def reached_file(guard: Guard, reach: Reach, call: ToolCall) -> str:
    """Return a file of a guard that a command may change without naming it; "" for
    none."""
    wanted = set(guard.operation) or {*RESTORE, "change", "delete"}
    if not guard.path or reach.into or wanted.isdisjoint(reach.operations):
        return ""
    return Targets(_files(guard, call), ()).within(reach)


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
        waiting += [f"{path}/{one}" for one in call.names(path) or ()]


def is_restoring(reach: Reach) -> bool:
    """Return True if only committed versions of files are brought."""
    return reach.operations <= RESTORE | READ and bool(reach.operations)
