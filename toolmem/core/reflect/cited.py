"""Which files of a project a text speaks of."""

import re
from collections.abc import Mapping, Sequence

_PATH = re.compile(
    r"(?<![\w/.:@-])(?:\./)?((?:[\w.@+-]+/)*[\w.@+-]*\w\.[A-Za-z]\w{0,9}"
    r"|(?:[\w.@+-]+/)+[\w.@+-]+)(?![\w/-])"
)
_URL = re.compile(r"\b\w+://\S+")
_MOST = 50
"""Files of one text that are looked at."""


def by_name(paths: Sequence[str]) -> dict[str, list[str]]:
    """Each end of a path from its last name on up, and the paths that end so."""
    found: dict[str, list[str]] = {}
    for path in paths:
        found.setdefault(path.rpartition("/")[2], []).append(path)
    return found


def cited_files(text: str, names: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The paths that a text names, whole or so far that only one can be meant."""
    found: dict[str, None] = {}
    for match in _PATH.finditer(_URL.sub(" ", text)):
        path = match[1].rstrip(".")
        known = names.get(path.rpartition("/")[2], ())
        ends = [p for p in known if p == path or p.endswith(f"/{path}")]
        exact = [p for p in ends if p == path]
        if exact or len(ends) == 1:
            found[(exact or ends)[0]] = None
        if len(found) == _MOST:
            break
    return tuple(found)
