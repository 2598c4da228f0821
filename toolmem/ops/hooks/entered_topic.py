"""Find the topic that a typed message enters, from sketches in local state.

A hook opens neither the memories nor the index for it, however many there are. The
sketch of a scope with few memories is made again when one of them has changed; that of
a large scope answers without those that have, which may be private now, and is brought
up to date after the answer.
"""

from collections.abc import Sequence
from typing import NamedTuple

from toolmem.core import limits, search_limits
from toolmem.core.memories.topic_sketch import TopicSketch, find_topic, places_of
from toolmem.core.model import SYSTEM, Scope
from toolmem.core.prompt import build, parts
from toolmem.ops.prompt import topic_memory
from toolmem.ops.search import retrieval_counts
from toolmem.store.files import background, layout
from toolmem.store.vault import memory_files
from toolmem.store.vault import topic_sketches as stored
from toolmem.store.vault.vault import Vault


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
        scope = layout.scope_of(path)
        if scope is None or scope not in vault.chain:
            continue
        stem = path.rpartition("/")[2].removesuffix(".md")
        where = memory_files.MemoryPath(stem, path, scope)
        memory = topic_memory.read_topic_memory(vault, where, locations)
        if memory is not None and memory.topic == entered.topic:
            found.append(memory)
    retrieval_counts.count_found(vault, (memory.id for memory in found))
    if entered.partial:
        return build.memories_part(found)._replace(omitted=())
    others = (_unread(path, entered.topic) for path in entered.paths[read:])
    return build.memories_part((*found, *others))


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
