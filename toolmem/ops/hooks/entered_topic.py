"""Find the topic that a typed message enters, from sketches in local state, and what
a session has not been given of it.

A hook opens neither the memories nor the index for it, however many there are. The
sketch of a scope with few memories is made again when one of them has changed; that of
a large scope answers without those that have, which may be private now, and is brought
up to date after the answer.
"""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import NamedTuple
from zlib import crc32

from toolmem.core import limits, search_limits
from toolmem.core.agents.event import Event
from toolmem.core.memories.topic_sketch import TopicSketch, find_topic, places_of
from toolmem.core.model import SYSTEM, Scope
from toolmem.core.prompt import build, parts
from toolmem.core.prompt.since import BlockChange, BlockRow, block_rows
from toolmem.ops.hooks.journal_event import SHOWN_SUFFIX, append_event, reader_journal
from toolmem.ops.prompt import topic_memory
from toolmem.ops.search import retrieval_counts
from toolmem.store.files import background, layout
from toolmem.store.journal import journal
from toolmem.store.vault import memory_files
from toolmem.store.vault import topic_sketches as stored
from toolmem.store.vault.vault import Vault

_GIVEN = "memories"
"""In the journal of what a session has seen: content and path of each memory."""


class EnteredTopic(NamedTuple):
    """A topic, or none, and the paths of its memories, the most similar first.

    ``known`` are those of all memories in the sketches; with ``partial`` ones there
    may be more on the topic.
    """

    topic: str
    paths: Sequence[str]
    known: Sequence[str] = ()
    partial: bool = False


def find_entered(vault: Vault, message: str) -> EnteredTopic:
    """Return the topic that a message is about."""
    known = (_sketch(vault, scope, message) for scope in vault.chain)
    sketches = [sketch for sketch in known if sketch is not None]
    topic, paths = find_topic(message, sketches, vault.language)
    every = [path for sketch in sketches for _, path, _ in sketch.present]
    partial = any(sketch.partial for sketch in sketches)
    return EnteredTopic(topic, paths, every if topic else (), partial)


def read_entered(vault: Vault, entered: EnteredTopic) -> "parts.PromptPart":
    """Return the memories on a topic as they are now, and count them as found.

    That one contradicts another is shown where the other is in a sketch, too. What is
    left out is counted, unless there may be more than the sketches have.
    """
    names = {path.rpartition("/")[2]: path for path in entered.known}
    locations = memory_files.MemoryLocations(
        vault, lambda name: filter(None, [names.get(name)]), archive=False
    )
    found: list[build.TopicMemory] = []
    read = 0
    for path in entered.paths:
        if len(found) == search_limits.TOPIC_HITS:
            break  # what is not shown takes no place
        read += 1
        stem = path.rpartition("/")[2].removesuffix(".md")
        memory = _memory(vault, stem, path, locations)
        if memory is not None and memory.topic == entered.topic:
            found.append(memory)
    retrieval_counts.count_found(vault, (memory.id for memory in found))
    if entered.partial:
        return build.memories_part(found)._replace(omitted=())
    others = (_unread(path, entered.topic) for path in entered.paths[read:])
    return build.memories_part((*found, *others))


def unseen_memories(
    vault: Vault, event: Event, entered: EnteredTopic
) -> "parts.PromptPart":
    """Return what the session has not been given of a topic, and note that it is."""
    part, given = read_entered(vault, entered), _given(vault, event)
    found = {str(item.data["path"]): item for item in part.items}
    new = {path: _content(item) for path, item in found.items()}
    new = {path: text for path, text in new.items() if given.get(path) != text}
    _note_given(vault, event, new)
    return part._replace(
        items=tuple(found[path] for path in new),
        omitted=tuple(o for o in part.omitted if o.item.data["path"] not in given),
    )


def given_changes(vault: Vault, event: Event) -> tuple[BlockChange, ...]:
    """Return the changes of memories given with messages, and note them as known.

    One that may not be seen any more is retired, as one that is gone.
    """
    locations = memory_files.MemoryLocations(vault, archive=False)
    changes: list[BlockChange] = []
    now: dict[str, str] = {}
    for path, known in _given(vault, event).items():
        stem = path.rpartition("/")[2].removesuffix(".md")
        places = chain((path,), locations.paths(stem))
        memories = (_memory(vault, stem, place, locations) for place in places)
        memory = next(filter(None, memories), None)
        if memory is None:
            now[path], row = "", BlockRow("memories", stem, "", path, True)
            changes += [BlockChange("retired", row)] if known else []
            continue
        part = build.memories_part((memory,))
        item = (*part.items, *(omission.item for omission in part.omitted))[0]
        now[path] = _content(item)
        if now[path] != known:
            [row] = block_rows((), (part,))
            changes.append(BlockChange("changed" if known else "added", row))
    if changes:
        _note_given(vault, event, now)
    return tuple(changes)


def _memory(
    vault: Vault, stem: str, path: str, locations: memory_files.MemoryLocations
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


def _sketch(vault: Vault, scope: Scope, message: str) -> TopicSketch | None:
    """Return the sketch of a scope, None for one without memories or not made yet.

    Memories with words of the message that have changed since are left out.
    """
    if not stored.has_memories(vault, scope):
        return None
    known = stored.stored_sketch(vault, scope)
    if known is not None:
        places = places_of(message, known, vault.language) if known.partial else ()
        changed = stored.changed_memories(vault, known, places)
        known.leave_out(changed)
        if not changed and stored.is_current(vault, known):
            return known
    if known is None or not known.partial:
        made = stored.read_small(vault, scope)
        if made is not None:
            return made
    if stored.begin_update(vault, scope):
        background.run_detached(
            lambda: stored.read_indexed(vault.fresh(), scope),
            limits.SKETCH_UPDATE_SECONDS,
        )
    return known
