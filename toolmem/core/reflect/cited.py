"""Find the files of a project that a text names."""

import re
from collections.abc import Mapping, Sequence

_PATH = re.compile(
    r"(?<![\w/.:@-])(?:\./)?((?:[\w.@+-]+/)*[\w.@+-]*\w\.[A-Za-z]\w{0,9}"
    r"|(?:[\w.@+-]+/)+[\w.@+-]+)(?![\w/-])"
)
_URL = re.compile(r"\b\w+://\S+")
_MOST = 50
"""Maximum number of files that are read from one text."""


def by_name(paths: Sequence[str]) -> dict[str, list[str]]:
    """Map each suffix of a path, from its last name on up, to the paths that end so."""
    by_last_part: dict[str, list[str]] = {}
    for path in paths:
        by_last_part.setdefault(path.rpartition("/")[2], []).append(path)
    return by_last_part


def cited_files(text: str, names: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Return the paths that a text names, whole or by an unambiguous suffix."""
    files: dict[str, None] = {}
    for match in _PATH.finditer(_URL.sub(" ", text)):
        path = match[1].rstrip(".")
        known = names.get(path.rpartition("/")[2], ())
        ends = [p for p in known if p == path or p.endswith(f"/{path}")]
        exact = [p for p in ends if p == path]
        if exact or len(ends) == 1:
            files[(exact or ends)[0]] = None
        if len(files) == _MOST:
            break
    return tuple(files)
