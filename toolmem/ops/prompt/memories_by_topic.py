"""Choose the memories of a prompt: those on the topic of the task, best first."""

from toolmem.core import search_limits
from toolmem.core.access.visibility import Audience
from toolmem.core.memories.topic_finder import find_topic, find_untopical
from toolmem.core.prompt.build import TopicMemory
from toolmem.core.scope import parse_scope, weight
from toolmem.core.search.corpus import View
from toolmem.core.search.doc import Doc
from toolmem.core.search.find import Hit, find
from toolmem.core.search.query import parse_query
from toolmem.core.search.ranking import FindRequest
from toolmem.core.search.terms import normal_topic
from toolmem.ops.prompt.topic_memory import read_topic_memory
from toolmem.ops.search.retrieval_counts import count_found
from toolmem.store.vault.library import Library, ask_library
from toolmem.store.vault.memory_files import MemoryLocations, MemoryPath, NamedPaths
from toolmem.store.vault.vault import Vault


def topic_memories(
    vault: Vault, topic: str, task: str = ""
) -> tuple[tuple[TopicMemory, ...], tuple[str, ...]]:
    """The memories of the chain on a topic, and what a user should know.

    Without a topic it is found in the task, by the vault's own topics; where the task
    is about none, memories without a topic that clearly fit it are taken. Private
    memories are never among them. With a task those that fit it best come first,
    else those of the narrowest scope, by importance and age.
    """
    view = View(
        at=vault.now,
        scopes=frozenset(map(str, vault.chain)),
        kinds=frozenset({"memory"}),
        audience=Audience.AGENT,
    )

    named: NamedPaths | None = None

    def ask(library: Library) -> tuple[list[Doc], tuple[str, ...]]:
        nonlocal named
        named = library.opened.paths_named if library.opened else None
        corpus = library.corpus
        wanted = normal_topic(topic) or find_topic(corpus, task)
        if wanted:
            return _ranked(library, wanted, task), library.remarks
        if not task.strip():
            return [], library.remarks
        return [hit.doc for hit in find_untopical(corpus, task)], library.remarks

    docs, remarks = ask_library(vault, view, ask)
    places = [MemoryPath(doc.id, doc.path, parse_scope(doc.scope)) for doc in docs]
    locations = MemoryLocations(vault, named)
    read = (read_topic_memory(vault, where, locations) for where in places)
    found = [memory for memory in read if memory is not None]
    count_found(vault, (memory.id for memory in found))
    return tuple(found), remarks


def _ranked(library: Library, topic: str, task: str) -> list[Doc]:
    """Return the memories on a topic, the best for the task first.

    A topic is among the words of its memories, so that asking for it finds them.
    """
    hits = _search(library, topic, topic, search_limits.TOPIC_HITS)
    docs = [hit.doc for hit in hits if normal_topic(hit.doc.topic) == topic]
    docs.sort(key=_order)
    if not task.strip():
        return docs
    place = {
        hit.doc.path: n
        for n, hit in enumerate(_search(library, task, topic, search_limits.TOPIC_HITS))
    }
    return sorted(docs, key=lambda doc: place.get(doc.path, len(place)))


def _search(
    library: Library, text: str, topic: str | None, limit: int
) -> tuple[Hit, ...]:
    query = parse_query(text, library.corpus.language)
    similarity = library.similarity_to(query)
    request = FindRequest(query, limit=limit, topic=topic, similarity=similarity)
    return find(library.corpus, request).hits


def _order(doc: Doc) -> tuple[float, float, str]:
    changed = doc.updated or doc.created
    age = -changed.timestamp() if changed else 0.0
    return (-weight(parse_scope(doc.scope)) * doc.importance, age, doc.path)
