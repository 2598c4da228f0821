"""How a memory is marked in the archive, and as it was before.

What its header said under the key of the reason is kept beside it.
"""

from typing import Any

from toolmem.core.memories.front_matter import read_header, split_header
from toolmem.core.memories.header_values import value_of
from toolmem.core.memories.memory_edit import edit_header
from toolmem.core.rules.rule_file import OWN_REASON

_EMPTY = "---\n---\n"


def retired(text: str, reason: str, moment: str, *, path: str) -> str:
    """The text of a memory that leaves at a moment (RFC 3339) for a reason.

    Raises ``UsageError`` and ``InvalidFileError`` as ``edit_header`` does.
    """
    marks = {"reason": reason, "archived_at": moment, OWN_REASON: _of(text, "reason")}
    return edit_header(text, marks, path=path)


def brought_back(text: str, *, path: str) -> str:
    """The text without the marks of the archive. Raises ``InvalidFileError``."""
    own = _of(text, OWN_REASON)
    marks = {"reason": own, "archived_at": None, OWN_REASON: None}
    edited = edit_header(text, marks, path=path)
    # Of a memory that had no header nothing of one is left.
    return edited.removeprefix(_EMPTY) if edited != text else edited


def _of(text: str, key: str) -> Any:
    entry = read_header(split_header(text)).entries.get(key)
    return None if entry is None else value_of(entry.node)
