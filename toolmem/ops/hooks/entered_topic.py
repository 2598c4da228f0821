"""Find the topic that a typed message enters, from sketches in local state.

A hook opens neither the memories nor the index for it, however many there are. The
sketch of a scope with few memories is made again when one of them has changed; that of
a large scope answers as it is, and is brought up to date after the answer.
"""

from collections.abc import Sequence

from toolmem.core import limits
from toolmem.core.memories.topic_sketch import TopicSketch, find_topic
from toolmem.core.model import Scope
from toolmem.core.prompt import build
from toolmem.ops.prompt import topic_memory
from toolmem.ops.search import retrieval_counts
from toolmem.store.files import background, layout
from toolmem.store.vault import memory_files
from toolmem.store.vault import topic_sketches as stored
from toolmem.store.vault.vault import Vault


def find_entered(vault: Vault, message: str) -> tuple[str, Sequence[str]]:
    """Return the topic that a message is about, or none, and paths of its memories."""
    known = (_sketch(vault, scope) for scope in vault.chain)
    sketches = [sketch for sketch in known if sketch is not None]
    return find_topic(message, sketches, vault.language)


def read_entered(
    vault: Vault, topic: str, paths: Sequence[str]
) -> tuple["build.TopicMemory", ...]:
    """Return the memories on a topic as they are now, and count them as found."""
    found = []
    for path in paths[: limits.SKETCH_OF_TOPIC]:
        scope = layout.scope_of(path)
        if scope is None or scope not in vault.chain:
            continue
        stem = path.rpartition("/")[2].removesuffix(".md")
        where = memory_files.MemoryPath(stem, path, scope)
        memory = topic_memory.read_topic_memory(vault, where)
        if memory is not None and memory.topic == topic:
            found.append(memory)
    retrieval_counts.count_found(vault, (memory.id for memory in found))
    return tuple(found)


def _sketch(vault: Vault, scope: Scope) -> TopicSketch | None:
    """Return the sketch of a scope, None for one without memories or not made yet."""
    if not stored.has_memories(vault, scope):
        return None
    known = stored.stored_sketch(vault, scope)
    if known is not None and stored.is_current(vault, known):
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
