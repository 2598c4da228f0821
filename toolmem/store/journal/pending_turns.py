"""Messages of turns that have not ended, from the journals of hooks.

A tool that queries memory in the middle of a turn needs its subject.
"""

from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from toolmem.core import limits
from toolmem.core.access.dialogue import TTL, USER, Message
from toolmem.core.transcript.fields import clean
from toolmem.core.turns.places import typed_at
from toolmem.store.journal import journal, journal_edit
from toolmem.store.vault.vault import Vault

_WORDS = ("said", "reply")
"""Keys of what was said; the other keys are about the turn."""
_LATELY = timedelta(hours=limits.WORKING_HOURS).total_seconds()


def messages(
    vault: Vault, *, agent: str | None = None, session: str | None = None
) -> tuple[Message, ...]:
    """Return the messages typed to an agent in a session, or in any; oldest first."""
    typed: list[Message] = []
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
        typed.append(
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
    return tuple(sorted(typed, key=lambda message: message.at))


def forget(
    vault: Vault,
    is_visible: Callable[[str], bool],
    *,
    agent: str | None = None,
    session: str | None = None,
) -> int:
    """Delete the messages of these turns, not the calls; return how many there were.

    ``is_visible`` is for the project of a message.
    """
    typed = messages(vault, agent=agent, session=session)

    def without_words(line: dict[str, Any]) -> dict[str, Any]:
        asked = {"agent": agent, "session": session}
        is_meant = all(value in (None, line.get(key)) for key, value in asked.items())
        if not is_meant or not is_visible(str(line.get("project") or "")):
            return line
        return {key: line[key] for key in line if key not in _WORDS}

    for name in journal.names(vault.root):
        if "." not in name:
            journal_edit.edit(vault.root, name, without_words)
    return sum(is_visible(message.project) for message in typed)
