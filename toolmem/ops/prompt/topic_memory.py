"""Read the memories that a prompt shows on a topic."""

from datetime import datetime

from toolmem.core.memories import memory_text, naming, summary
from toolmem.core.prompt import build
from toolmem.core.text.terms import normal_topic
from toolmem.core.times import as_moment
from toolmem.core.visibility import Audience, may_see
from toolmem.store.vault.memory_files import MemoryLocations, MemoryPath, read_memory
from toolmem.store.vault.vault import Vault


def read_topic_memory(
    vault: Vault, where: MemoryPath, locations: MemoryLocations
) -> "build.TopicMemory | None":
    """Return a memory for the prompt of an agent, as its file is now.

    A long one without a summary gets one, so that it has a place in the block. None for
    a private or expired one, and for one that is gone or cannot be read.
    """
    parsed = read_memory(vault, where, Audience.AGENT, locations).parsed
    if parsed is None or not may_see(Audience.AGENT, private=parsed.private):
        return None
    ends = as_moment(parsed.expires_at)
    if ends is not None and ends <= vault.now:
        return None
    text = parsed.summary or naming.without_title(parsed.body)
    if summary.needs_summary(text):
        text = summary.summary_of(parsed.title, text, vault.language)
        text = f"{text}\n\nSummary; whole: `toolmem memory show {parsed.id}`."
    return build.TopicMemory(
        parsed.id,
        parsed.title,
        text,
        normal_topic(parsed.topic or ""),
        where.scope,
        where.path,
        bool(parsed.contested_with),
        parsed.contested_with,
        _changed(parsed),
        parsed.supersedes,
    )


def _changed(parsed: "memory_text.ParsedMemory") -> datetime | None:
    return as_moment(parsed.updated) or as_moment(parsed.created)
