"""Choose the memories of a prompt: those on the topic of the task, best first."""

from toolmem.core import limits
from toolmem.core.access.visibility import Audience, may_see
from toolmem.core.memories.naming import without_title
from toolmem.core.memories.topic_finder import find_topic, find_untopical
from toolmem.core.prompt.build import TopicMemory
from toolmem.core.scope import parse_scope, weight
from toolmem.core.search.corpus import Corpus, View
from toolmem.core.search.doc import Doc
from toolmem.core.search.find import FindRequest, Hit, find
from toolmem.core.search.query import parse_query
from toolmem.core.search.terms import normal_topic
from toolmem.ops.search.retrieval_counts import count_found
from toolmem.store.vault.library import Library, ask_library
from toolmem.store.vault.memory_files import MemoryPath, read_memory
from toolmem.store.vault.vault import Vault


def topic_memories(
    vault: Vault, topic: str, task: str = "", *, with_topic: bool = False
) -> tuple[tuple[TopicMemory, ...], tuple[str, ...]]:
    """The memories of the chain on a topic, and what a user should know.

    Without a topic it is found in the task, by the vault's own topics; where the task
    is about none, memories without a topic that clearly fit it are taken, unless only
    those ``with_topic`` are wanted. Private
    memories are never among them. With a task those that fit it best come first,
    else those of the narrowest scope, by importance and age.
    """
    view = View(
        at=vault.now,
        scopes=frozenset(map(str, vault.chain)),
        kinds=frozenset({"memory"}),
        audience=Audience.AGENT,
    )

    def ask(library: Library) -> tuple[list[Doc], tuple[str, ...]]:
        corpus = library.corpus
        wanted = normal_topic(topic) or find_topic(corpus, task)
        if wanted:
            return _ranked(corpus, wanted, task), library.remarks
        if with_topic or not task.strip():
            return [], library.remarks
        return [hit.doc for hit in find_untopical(corpus, task)], library.remarks

    docs, remarks = ask_library(vault, view, ask)
    found = [memory for doc in docs if (memory := _memory(vault, doc)) is not None]
    count_found(vault, (memory.id for memory in found))
    return tuple(found), remarks


def _ranked(corpus: Corpus, topic: str, task: str) -> list[Doc]:
    """Return the memories on a topic, the best for the task first.

    A topic is among the words of its memories, so that asking for it finds them.
    """
    hits = _search(corpus, topic, topic, limits.TOPIC_HITS)
    docs = [hit.doc for hit in hits if normal_topic(hit.doc.topic) == topic]
    docs.sort(key=_order)
    if not task.strip():
        return docs
    place = {
        hit.doc.path: n
        for n, hit in enumerate(_search(corpus, task, topic, limits.TOPIC_HITS))
    }
    return sorted(docs, key=lambda doc: place.get(doc.path, len(place)))


def _search(
    corpus: Corpus, text: str, topic: str | None, limit: int
) -> tuple[Hit, ...]:
    request = FindRequest(
        parse_query(text),
        limit=limit,
        topic=topic,
    )
    return find(corpus, request).hits


def _order(doc: Doc) -> tuple[float, float, str]:
    changed = doc.updated or doc.created
    age = -changed.timestamp() if changed else 0.0
    return (-weight(parse_scope(doc.scope)) * doc.importance, age, doc.path)


def _memory(vault: Vault, doc: Doc) -> TopicMemory | None:
    scope = parse_scope(doc.scope)
    parsed = read_memory(
        vault, MemoryPath(doc.id, doc.path, scope), Audience.AGENT
    ).parsed
    if parsed is None or not may_see(Audience.AGENT, private=parsed.private):
        return None
    text = parsed.summary or without_title(parsed.body)
    return TopicMemory(
        doc.id,
        parsed.title,
        text,
        doc.topic,
        scope,
        doc.path,
        bool(parsed.contested_with),
        parsed.contested_with,
        doc.updated or doc.created,
    )
