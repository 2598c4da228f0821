"""Write, move and delete a memory together with the file of its original text."""

import re

from toolmem.core import limits
from toolmem.core.memories.memory_edit import edit_header, replace_body
from toolmem.core.memories.memory_text import ParsedMemory, parse_memory
from toolmem.core.memories.original import summary_part, with_summary
from toolmem.store.files import files, layout
from toolmem.store.vault.vault import Vault

_NUMBER = re.compile(r"-\d+$")
"""Suffix that `layout.free_path` adds to a name that exists."""


def set_aside(vault: Vault, path: str, text: str) -> str:
    """Return the text of a memory to write; its original, if long, is in a file now.

    The text is whole, with its summary; the lock is held. Raises as ``files.create``
    does.
    """
    if len(text.encode()) <= limits.MEMORY_INLINE_BYTES:
        return text
    parsed = parse_memory(text, path=path)
    data = f"{parsed.original.strip(chr(10))}\n".encode()
    if len(data) <= limits.MEMORY_INLINE_BYTES:
        return text
    folder = path.rpartition("/")[0]
    original = layout.free_path(vault.tree, f"{folder}/{parsed.id}{layout.ORIGINAL}")
    files.create(vault.root, original, data)
    summary = summary_part(parsed.body).rstrip("\n")
    short = replace_body(text, f"{summary}\n", path=path)
    return edit_header(short, {"original": original.rpartition("/")[2]}, path=path)


def with_original(vault: Vault, path: str, text: str) -> str:
    """Return the whole text of a memory, as it was before ``set_aside``."""
    parsed = parse_memory(text, path=path)
    original = own_original(parsed)
    data = _bytes_of(vault, original) if original else None
    if data is None:
        return text
    whole = with_summary(parsed.body, data.decode("utf-8", "replace"))
    return edit_header(
        replace_body(text, whole, path=path), {"original": None}, path=path
    )


def move_memory(vault: Vault, source: str, target: str, data: bytes, text: str) -> None:
    """Move a memory whose content is ``data``, with its new text, under the lock.

    The original is copied first and deleted last: a writer killed half-way leaves both,
    never a memory without it. Raises as ``files.move`` does.
    """
    original = own_original(parse_memory(text, path=source))
    original_data = _bytes_of(vault, original) if original else None
    if original is None or original_data is None:
        files.move(vault.root, source, target, expected=data, data=text.encode())
        return
    temporary_path = f"{target.rpartition('/')[0]}/{original.rpartition('/')[2]}"
    if _bytes_of(vault, temporary_path) != original_data:
        temporary_path = layout.free_path(vault.tree, temporary_path)
        files.create(vault.root, temporary_path, original_data)
        name = {"original": temporary_path.rpartition("/")[2]}
        text = edit_header(text, name, path=source)
    files.move(vault.root, source, target, expected=data, data=text.encode())
    files.delete(vault.root, original, expected=original_data)


def drop_original(vault: Vault, parsed: ParsedMemory) -> None:
    """Delete the file of the original text, if it is this memory's own."""
    original = own_original(parsed)
    data = _bytes_of(vault, original) if original else None
    if original is not None and data is not None:
        files.delete(vault.root, original, expected=data)


def own_original(parsed: ParsedMemory) -> str | None:
    """Return the path of the original that `save` wrote next to a memory.

    Files that people linked by hand may belong to others as well, and stay.
    """
    name = parsed.original_path or ""
    stem, dot, suffix = name.rpartition(".")
    if f"{dot}{suffix}" != layout.ORIGINAL or "/" in name:
        return None
    if _NUMBER.sub("", stem) != _NUMBER.sub("", parsed.id):
        return None
    return f"{parsed.path.rpartition('/')[0]}/{name}"


def _bytes_of(vault: Vault, path: str) -> bytes | None:
    try:
        return vault.tree.read(path, limits.ORIGINAL_BYTES)
    except FileNotFoundError:
        return None
