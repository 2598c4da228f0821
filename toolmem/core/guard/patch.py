"""Which files a patch touches, in the form of Codex's ``apply_patch`` or of diff."""

import re

_FILE = re.compile(
    r"^\*\*\* (Add File|Update File|Delete File|Move to): (.+)$", re.MULTILINE
)
_DIFF = re.compile(r"^(---|\+\+\+) (?:[ab]/)?([^\t\n]+)", re.MULTILINE)
_CHANGE = frozenset(("change",))
_DELETE = frozenset(("change", "delete"))


def patch_paths(text: str) -> list[tuple[str, frozenset[str]]]:
    """The files after ``*** Update File:``, ``+++`` and the like, each with what is
    done to it; none in other texts."""
    if "*** " in text:
        return [
            (path, _DELETE if kind == "Delete File" else _CHANGE)
            for kind, path in _FILE.findall(text)
        ]
    if "--- " in text and "+++ " in text:
        return [(p, _CHANGE) for _, p in _DIFF.findall(text) if p != "/dev/null"]
    return []
