"""Move topics and tags of memories to the form in which they are stored now."""

from collections.abc import Iterator

from toolmem.core import limits
from toolmem.core.memories.memory_edit import edit_header
from toolmem.core.memories.memory_text import ParsedMemory, parse_memory
from toolmem.core.model import Problem
from toolmem.core.rules.compose import clean_tags
from toolmem.core.text.terms import stored_label
from toolmem.errors import NotAllowedError, ToolmemError
from toolmem.store.files import files, lock
from toolmem.store.vault.memory_files import every_memory
from toolmem.store.vault.vault import Vault, decode

_AMBIGUOUS = frozenset({"c", "f"})
"""Words that may have lost their sign in older versions: C, C++ and C#, F#."""


def fix_labels(vault: Vault) -> tuple[tuple[str, ...], tuple[Problem, ...]]:
    """Rewrite topics and tags in older forms.

    Returns the files, and the topics and tags that a person must decide on.

    Raises ``NotAllowedError`` for an agent.
    """
    if vault.setting("agent"):
        raise NotAllowedError("an agent cannot change the memories of others")
    vault.require_writable()
    fixed: list[str] = []
    undecided: list[Problem] = []
    with lock.hold(vault.root):
        for memory in every_memory(vault):
            undecided += _fix(vault, memory.path, fixed)
    return tuple(fixed), tuple(undecided)


def _fix(vault: Vault, path: str, fixed: list[str]) -> Iterator[Problem]:
    """Yield what is undecided in a file; a file that changes is added to ``fixed``."""
    try:
        data = vault.tree.read(path, limits.TEXT_FILE_BYTES)
        text = decode(data, path)
        parsed = parse_memory(text, path=path)
        changes = _changes(parsed)
        if changes:
            edited = edit_header(text, changes, path=path)
            files.replace(vault.root, path, edited.encode(), expected=data)
            fixed.append(path)
    except ToolmemError:
        return  # `check` reports what cannot be read
    for label in filter(None, (parsed.topic, *parsed.tags)):
        if not _AMBIGUOUS.isdisjoint(stored_label(label).split("-")):
            message = (
                f"{label!r} may have lost a sign (c++, c#): if so, set it again with "
                f"`toolmem memory edit {parsed.id}`"
            )
            yield Problem(path, 1, "ambiguous-topic", message, "warning")


def _changes(parsed: ParsedMemory) -> dict[str, object]:
    """Return the fields that have another form."""
    changes: dict[str, object] = {}
    topic = stored_label(parsed.topic or "")
    if topic and topic != parsed.topic:
        changes["topic"] = topic
    tags = clean_tags(parsed.tags)
    if tags != list(parsed.tags):
        changes["tags"] = tags
    return changes
