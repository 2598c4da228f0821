"""Choose the memories of a prompt: those on the topic of the task, best first."""

from collections.abc import Iterator, Sequence

from toolmem.core import search_limits
from toolmem.core.memories.topic_finder import find_fitting, find_topic, find_untopical
from toolmem.core.prompt import build
from toolmem.core.scope import parse_scope, weight
from toolmem.core.search.corpus import Corpus, View
from toolmem.core.search.doc import Doc
from toolmem.core.search.find import find
from toolmem.core.search.query import parse_query
from toolmem.core.search.ranking import FindRequest
from toolmem.core.text.suggest import did_you_mean
from toolmem.core.text.terms import normal_topic
from toolmem.core.visibility import Audience
from toolmem.ops.prompt import topic_memory
from toolmem.ops.search import retrieval_counts
from toolmem.store.vault.library import Library, ask_library
from toolmem.store.vault.memory_files import MemoryLocations, MemoryPath, NamedPaths
from toolmem.store.vault.vault import Vault


def topic_memories(
    vault: Vault, topic: str, task: str = ""
) -> "tuple[tuple[build.TopicMemory, ...], tuple[str, ...]]":
    """The memories of the chain on a topic, and what a user should know.

    Without a topic it is found in the task, by the vault's own topics, and memories off
    it that fit the task better than all on it come first; where the task is about no
    topic, memories without one that clearly fit it are taken. Private
    memories are never among them. With a task those that fit it best come first,
    else those of the narrowest scope, by importance and age. All are returned: what a
    block has no space for is counted in it.
    """
    named: NamedPaths | None = None

    def ask(library: Library) -> tuple[list[Doc], tuple[str, ...]]:
        nonlocal named
        named = library.opened.paths_named if library.opened else None
        corpus = library.corpus
        stated = normal_topic(topic)
        wanted = stated or find_topic(corpus, task)
        if wanted:
            fitting = () if stated else find_fitting(corpus, task, wanted)
            docs = [*(hit.doc for hit in fitting), *ranked(library, wanted, task)]
            return docs, (*library.remarks, *_missing(corpus, stated, docs))
        if not task.strip():
            return [], library.remarks
        return [hit.doc for hit in find_untopical(corpus, task)], library.remarks

    docs, remarks = ask_library(vault, memories_of_chain(vault), ask)
    memories, others = _read(vault, docs, named)
    retrieval_counts.count_found(vault, (memory.id for memory in memories))
    return (*memories, *others), remarks


def memories_of_chain(vault: Vault) -> View:
    """Return the view of the memories of the chain that an agent may see."""
    return View(
        at=vault.now,
        scopes=frozenset(map(str, vault.chain)),
        kinds=frozenset({"memory"}),
        audience=Audience.AGENT,
    )


def _missing(corpus: Corpus, stated: str, docs: Sequence[Doc]) -> Iterator[str]:
    """Warn of a stated topic that no memory has, which is probably a typo."""
    if stated and not docs:
        similar = did_you_mean(stated, sorted(corpus.topics()))
        yield f"no memory of the chain has the topic {stated!r}{similar}"


def _read(
    vault: Vault, docs: Sequence[Doc], named: NamedPaths | None
) -> "tuple[list[build.TopicMemory], list[build.TopicMemory]]":
    """Return the first memories as their files are now, and the others as indexed."""
    locations = MemoryLocations(vault, named)
    memories: list[build.TopicMemory] = []
    for at, doc in enumerate(docs):
        if len(memories) == search_limits.TOPIC_HITS:
            return memories, [_as_indexed(other) for other in docs[at:]]
        where = MemoryPath(doc.id, doc.path, parse_scope(doc.scope))
        memory = topic_memory.read_topic_memory(vault, where, locations)
        if memory is not None:
            memories.append(memory)
    return memories, []


def _as_indexed(doc: Doc) -> "build.TopicMemory":
    scope, changed = parse_scope(doc.scope), doc.updated or doc.created
    topic = normal_topic(doc.topic)
    return build.TopicMemory(
        doc.id, doc.title, doc.body, topic, scope, doc.path, changed=changed
    )


def ranked(library: Library, topic: str, task: str) -> list[Doc]:
    """Return all memories on a topic, the best for the task first."""
    corpus = library.corpus
    docs = sorted((candidate.doc for candidate in corpus.on_topic(topic)), key=_order)
    if not task.strip():
        return docs
    query = parse_query(task, corpus.language)
    request = FindRequest(
        query,
        limit=len(docs),
        topic=topic,
        where=lambda doc: normal_topic(doc.topic) == topic,
        similarity=library.similarity_to(query),
    )
    hits = find(corpus, request).hits
    place = {hit.doc.path: at for at, hit in enumerate(hits)}
    return sorted(docs, key=lambda doc: place.get(doc.path, len(place)))


def _order(doc: Doc) -> tuple[float, float, str]:
    changed = doc.updated or doc.created
    age = -changed.timestamp() if changed else 0.0
    return (-weight(parse_scope(doc.scope)) * doc.importance, age, doc.path)
