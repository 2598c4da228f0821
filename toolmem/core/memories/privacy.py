"""Decide whether a memory is private."""

from toolmem.core.memories import memory_text
from toolmem.core.memories.header_plain import is_plainly_public


def is_private(text: str) -> bool:
    """Return ``private`` of the memory with this text; most are not parsed for it."""
    if is_plainly_public(text):
        return False
    return memory_text.parse_memory(text, path="").private
