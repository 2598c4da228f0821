"""Move topics and tags of memories to the form in which they are stored now."""

from collections.abc import Iterator

from toolmem.core import limits
from toolmem.core.memories import memory_edit
from toolmem.core.memories.memory_text import ParsedMemory, parse_memory
from toolmem.core.rules import compose
from toolmem.core.text.terms import stored_label
from toolmem.core.text.textlines import TextProblem
from toolmem.errors import NotAllowedError, ToolmemError
from toolmem.store.files import files, lock
from toolmem.store.vault import memory_files
from toolmem.store.vault.vault import Vault, decode

_AMBIGUOUS = frozenset({"c", "f"})
"""Words that may have lost their sign in older versions: C, C++ and C#, F#."""


def fix_labels(vault: Vault) -> tuple[str, ...]:
    """Rewrite topics and tags in older forms; return the files.

    Raises ``NotAllowedError`` for an agent.
    """
    if vault.setting("agent"):
        raise NotAllowedError("an agent cannot change the memories of others")
    vault.require_writable()
    with lock.hold(vault.root):
        every = [memory.path for memory in memory_files.every_memory(vault)]
        return tuple(path for path in every if _fix(vault, path))


def ambiguous_labels(memory: ParsedMemory) -> Iterator[TextProblem]:
    """Yield the topics and tags that a person must decide on."""
    for label in filter(None, (memory.topic, *memory.tags)):
        if not _AMBIGUOUS.isdisjoint(stored_label(label).split("-")):
            message = (
                f"{label!r} may have lost a sign (c++, c#): if so, set it again with "
                f"`toolmem memory edit {memory.id}`"
            )
            yield TextProblem(1, "ambiguous-topic", message, "warning")


def _fix(vault: Vault, path: str) -> bool:
    """Rewrite the labels of a file; return whether it changed."""
    try:
        data = vault.tree.read(path, limits.TEXT_FILE_BYTES)
        text = decode(data, path)
        changes = _changes(parse_memory(text, path=path))
        if changes:
            edited = memory_edit.edit_header(text, changes, path=path)
            files.replace(vault.root, path, edited.encode(), expected=data)
        return bool(changes)
    except ToolmemError:
        return False  # `check` reports what cannot be read


def _changes(parsed: ParsedMemory) -> dict[str, object]:
    """Return the fields that have another form."""
    changes: dict[str, object] = {}
    topic = stored_label(parsed.topic or "")
    if topic and topic != parsed.topic:
        changes["topic"] = topic
    tags = compose.clean_tags(parsed.tags)
    if tags != list(parsed.tags):
        changes["tags"] = tags
    return changes
