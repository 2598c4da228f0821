"""Conversation memory: what was said lately, added, listed, shown and cleared."""

from collections.abc import Mapping
from typing import Any

from toolmem.core.access.dialogue import Message, read_message
from toolmem.core.ulid import ulid
from toolmem.store.state import conversation, retention
from toolmem.store.state.rows import project_of
from toolmem.store.vault.vault import Vault

_PERSON = "user"


def add_message(
    vault: Vault, document: Mapping[str, Any], unique_id: str, session: str = ""
) -> tuple[Message, tuple[str, ...]]:
    """Keep a message; the message, and warnings about what it was made of.

    ``unique_id`` is a UUID. Raises ``UsageError`` for what cannot be kept, and
    ``StorageError``.
    """
    agent = vault.setting("agent") or ""
    message, warnings = read_message(
        document,
        vault.now,
        message_id=ulid(vault.now, unique_id),
        source=agent or _PERSON,
    )
    message = message._replace(agent=agent, session=session, project=project_of(vault))
    conversation.add(vault, message)
    return message, warnings


def list_messages(
    vault: Vault, session: str | None = None, last: int | None = None
) -> tuple[Message, ...]:
    """The ``last`` messages, or all, in order; of one session, or of any."""
    agent = vault.setting("agent")
    return conversation.messages(vault, agent=agent, session=session, last=last)


def show_message(vault: Vault, message_id: str) -> Message | None:
    """One message, or None."""
    messages = conversation.messages(vault, agent=vault.setting("agent"))
    return next((message for message in messages if message.id == message_id), None)


def clear_messages(vault: Vault, session: str | None = None) -> int:
    """Delete what was said, in one session or in any; return how many messages."""
    agent = vault.setting("agent")
    return retention.forget_dialogue(vault, agent=agent, session=session)
