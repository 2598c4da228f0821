"""Mark a memory as archived, and remove the marks again.

A previous value of the key ``reason`` is preserved under another key.
"""

from typing import Any

from toolmem.core.memories.front_matter import read_header, split_header
from toolmem.core.memories.header_values import value_of
from toolmem.core.memories.memory_edit import edit_header
from toolmem.core.rules.rule_file import OWN_REASON

_EMPTY = "---\n---\n"
_MERGED_INTO = "merged_into"


def retired(
    text: str, reason: str, moment: str, *, path: str, successor: str = ""
) -> str:
    """Return the text of a memory archived at a moment (RFC 3339) for a reason.

    ``successor`` is the id of the memory that it was merged into. Raises ``UsageError``
    and ``InvalidFileError`` as ``edit_header`` does.
    """
    marks = {"reason": reason, "archived_at": moment, OWN_REASON: _of(text, "reason")}
    if successor:
        marks[_MERGED_INTO] = successor
    return edit_header(text, marks, path=path)


def brought_back(text: str, *, path: str) -> str:
    """Return the text without the archive's marks. Raises ``InvalidFileError``."""
    own = _of(text, OWN_REASON)
    marks = dict.fromkeys(("archived_at", OWN_REASON, _MERGED_INTO))
    edited = edit_header(text, {"reason": own, **marks}, path=path)
    # A memory that had no header gets none.
    return edited.removeprefix(_EMPTY) if edited != text else edited


def successor_of(text: str) -> str:
    """Return the id of the memory that an archived one was merged into, if it was."""
    return str(_of(text, _MERGED_INTO) or "")


def _of(text: str, key: str) -> Any:
    entry = read_header(split_header(text)).entries.get(key)
    return None if entry is None else value_of(entry.node)
