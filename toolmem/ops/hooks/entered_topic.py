"""Find the topic that a typed message enters, and what a session has not been given of
it.

The search index answers. Where it lacks more changes than a hook can wait for, it is
brought up to date after the answer, and the model reads that in place of memories.
"""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import NamedTuple
from zlib import crc32

from toolmem.core import limits, search_limits
from toolmem.core.agents.event import Event
from toolmem.core.memories import topic_finder
from toolmem.core.model import SYSTEM
from toolmem.core.prompt import build, parts, since
from toolmem.ops.hooks.journal_event import SHOWN_SUFFIX, append_event, reader_journal
from toolmem.ops.prompt import memories_by_topic, topic_memory
from toolmem.ops.search import retrieval_counts
from toolmem.store.files import background, layout
from toolmem.store.journal import journal
from toolmem.store.vault import library as libraries
from toolmem.store.vault import memory_files
from toolmem.store.vault.vault import Vault

_GIVEN = "memories"
"""In the journal of what a session has seen: content and path of each memory."""


class EnteredTopic(NamedTuple):
    """A topic, or none, and the paths of its memories, the most similar first.

    ``named`` returns the paths of the files with a name. ``unread`` counts the files
    because of which the index was not asked.
    """

    topic: str = ""
    paths: Sequence[str] = ()
    named: "memory_files.NamedPaths | None" = None
    unread: int = 0


def find_entered(vault: Vault, message: str) -> EnteredTopic:
    """Return the topic that a message is about."""
    homes = (f"{layout.scope_folder(scope)}/{layout.MEMORY}" for scope in vault.chain)
    if not any((vault.root / home).is_dir() for home in homes):
        return EnteredTopic()
    index = libraries.index_of(vault)
    unread = index.files_to_read()
    if unread > limits.HOOK_FILES_READ:
        background.run_detached(index.update, limits.INDEX_UPDATE_SECONDS)
        return EnteredTopic(unread=unread)

    def ask(library: "libraries.Library") -> EnteredTopic:
        topic = topic_finder.find_topic(library.corpus, message)
        if not topic:
            return EnteredTopic()
        docs = memories_by_topic.ranked(library, topic, message)
        named = library.opened.paths_named if library.opened else None
        return EnteredTopic(topic, [doc.path for doc in docs], named)

    view = memories_by_topic.memories_of_chain(vault)
    return libraries.ask_library(vault, view, ask, with_table=False)


def read_entered(vault: Vault, entered: EnteredTopic) -> "parts.PromptPart":
    """Return the memories on a topic as they are now, and count them as found.

    What is left out is counted.
    """
    locations = memory_files.MemoryLocations(vault, entered.named, archive=False)
    memories: list[build.TopicMemory] = []
    read = 0
    for path in entered.paths:
        if len(memories) == search_limits.TOPIC_HITS:
            break  # what is not shown takes no place
        read += 1
        stem = path.rpartition("/")[2].removesuffix(".md")
        memory = _memory(vault, stem, path, locations)
        if memory is not None and memory.topic == entered.topic:
            memories.append(memory)
    retrieval_counts.count_found(vault, (memory.id for memory in memories))
    others = (_unread(path, entered.topic) for path in entered.paths[read:])
    return build.memories_part((*memories, *others))


def unseen_memories(
    vault: Vault, event: Event, entered: EnteredTopic
) -> "parts.PromptPart":
    """Return what the session has not been given of a topic, and note that it is."""
    part, given = read_entered(vault, entered), _given(vault, event)
    by_path = {str(item.data["path"]): item for item in part.items}
    new = {path: _content(item) for path, item in by_path.items()}
    new = {path: text for path, text in new.items() if given.get(path) != text}
    _note_given(vault, event, new)
    return part._replace(
        items=tuple(by_path[path] for path in new),
        omitted=tuple(o for o in part.omitted if o.item.data["path"] not in given),
    )


def given_changes(vault: Vault, event: Event) -> "tuple[since.BlockChange, ...]":
    """Return the changes of memories given with messages, and note them as known.

    One that may not be seen any more is retired, as one that is gone.
    """
    locations = memory_files.MemoryLocations(vault, archive=False)
    changes: list[since.BlockChange] = []
    now: dict[str, str] = {}
    for path, known in _given(vault, event).items():
        stem = path.rpartition("/")[2].removesuffix(".md")
        places = chain((path,), locations.paths(stem))
        memories = (_memory(vault, stem, place, locations) for place in places)
        memory = next(filter(None, memories), None)
        if memory is None:
            now[path], row = "", since.BlockRow("memories", stem, "", path, True)
            changes += [since.BlockChange("retired", row)] if known else []
            continue
        part = build.memories_part((memory,))
        item = (*part.items, *(omission.item for omission in part.omitted))[0]
        now[path] = _content(item)
        if now[path] != known:
            [row] = since.block_rows((), (part,))
            changes.append(since.BlockChange("changed" if known else "added", row))
    if changes:
        _note_given(vault, event, now)
    return tuple(changes)


def _memory(
    vault: Vault, stem: str, path: str, locations: "memory_files.MemoryLocations"
) -> "build.TopicMemory | None":
    """Return a memory for the prompt; None if it is not in the chain of scopes."""
    scope = layout.scope_of(path)
    if scope is None or scope not in vault.chain:
        return None
    where = memory_files.MemoryPath(stem, path, scope)
    return topic_memory.read_topic_memory(vault, where, locations)


def _content(item: "parts.PromptItem") -> str:
    """Return what identifies the text of a memory, wherever it is shown."""
    shown = [item.data[name] for name in ("title", "text", "contested")]
    return f"{crc32(repr(shown).encode('utf-8', 'replace')):08x}"


def _given(vault: Vault, event: Event) -> dict[str, str]:
    """Return the content of the memories that a session was given, by their paths."""
    root = vault.session_vault.root
    given: dict[str, str] = {}
    for line in journal.read(root, reader_journal(event, SHOWN_SUFFIX)):
        for text in line.get(_GIVEN, ()):
            content, _, path = str(text).partition(" ")
            given[path] = content
    return given


def _note_given(vault: Vault, event: Event, contents: Mapping[str, str]) -> None:
    if contents:
        line = {_GIVEN: [f"{text} {path}" for path, text in contents.items()]}
        append_event(vault, event, line, suffix=SHOWN_SUFFIX)


def _unread(path: str, topic: str) -> "build.TopicMemory":
    """Return a memory that is only counted."""
    scope = layout.scope_of(path) or SYSTEM
    return build.TopicMemory(path, "", "", topic, scope, path)
