"""Mark a memory as archived, and remove the marks again.

A previous value of the key ``reason`` is preserved under another key.
"""

from typing import Any

from toolmem.core.memories.front_matter import read_header, split_header
from toolmem.core.memories.header_values import value_of
from toolmem.core.memories.memory_edit import edit_header
from toolmem.core.rules.rule_file import OWN_REASON

_EMPTY = "---\n---\n"


def retired(text: str, reason: str, moment: str, *, path: str) -> str:
    """Return the text of a memory archived at a moment (RFC 3339) for a reason.

    Raises ``UsageError`` and ``InvalidFileError`` as ``edit_header`` does.
    """
    marks = {"reason": reason, "archived_at": moment, OWN_REASON: _of(text, "reason")}
    return edit_header(text, marks, path=path)


def brought_back(text: str, *, path: str) -> str:
    """Return the text without the archive's marks. Raises ``InvalidFileError``."""
    own = _of(text, OWN_REASON)
    marks = {"reason": own, "archived_at": None, OWN_REASON: None}
    edited = edit_header(text, marks, path=path)
    # A memory that had no header gets none.
    return edited.removeprefix(_EMPTY) if edited != text else edited


def _of(text: str, key: str) -> Any:
    entry = read_header(split_header(text)).entries.get(key)
    return None if entry is None else value_of(entry.node)
