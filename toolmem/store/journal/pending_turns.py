"""Messages of turns that have not ended, from the journals of hooks.

A tool that queries memory in the middle of a turn needs its subject.
"""

from collections import Counter
from datetime import timedelta

from toolmem.core import limits
from toolmem.core.access.dialogue import TTL, USER, Message, typed_at
from toolmem.core.transcript.fields import clean
from toolmem.store.journal import journal
from toolmem.store.vault.vault import Vault

_LATELY = timedelta(hours=limits.WORKING_HOURS).total_seconds()


def messages(
    vault: Vault, *, agent: str | None = None, session: str | None = None
) -> tuple[Message, ...]:
    """Return the messages typed to an agent in a session, or in any; oldest first."""
    found: list[Message] = []
    # Numbered by session and project: no id depends on what the asker cannot see.
    numbers: Counter[tuple[str, str]] = Counter()
    for line in journal.recent(vault.root, b'"said"', _LATELY):
        text, to, where = (line.get(key) for key in ("said", "agent", "session"))
        if not isinstance(text, str) or not text or not isinstance(where, str):
            continue
        if agent not in (None, to) or session not in (None, where):
            continue
        at = typed_at(str(line.get("prompt"))) or vault.now
        project = str(line.get("project") or "")
        place = f"{where}/now-{numbers[where, project]}/{USER}"
        numbers[where, project] += 1
        found.append(
            Message(
                place,
                USER,
                clean(text),
                at,
                at + TTL,
                USER,
                agent=str(to),
                session=where,
                project=project,
            )
        )
    return tuple(sorted(found, key=lambda message: message.at))
