"""A block that stays the same for a session, and what has changed since.

The first call of a session with the same flags freezes the block. Each time it is
given out it is compared with the vault: changes are in a separate section, so that a
cached prefix stays valid, and a block with something that was deleted or may no longer
be seen is made again.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from toolmem.core.prompt.since import (
    BlockChange,
    BlockRow,
    block_rows,
    changes_between,
)
from toolmem.core.text.safetext import find_unsafe
from toolmem.errors import InvalidFileError, UsageError
from toolmem.ops.prompt.build import Block, PromptRequest
from toolmem.ops.prompt.topic_memory import read_topic_memory
from toolmem.store.files import layout
from toolmem.store.state.database import open_state
from toolmem.store.state.turn_log import drop_snapshot, forget_sessions, stored_snapshot
from toolmem.store.vault.memory_files import MemoryLocations, MemoryPath
from toolmem.store.vault.vault import Vault

_READ = "read"
"""In place of flags: the rows of the block that a session was given last."""


class PromptSnapshot(NamedTuple):
    """The document of a session's block, and the changes since it was made.

    ``document`` is as it was stored, unchanged; ``news`` are the changes since the last
    call that was ``shown``.
    """

    document: Mapping[str, Any]
    changes: tuple[BlockChange, ...]
    news: tuple[BlockChange, ...] = ()


class _Block(NamedTuple):
    document: Mapping[str, Any]
    rows: tuple[BlockRow, ...]


def freeze(
    vault: Vault,
    session: str,
    request: PromptRequest,
    block: Block,
    document: Mapping[str, Any],
    *,
    refresh: bool = False,
    shown: bool = False,
) -> PromptSnapshot:
    """Store this document for the session, or return its existing one.

    It is replaced with ``refresh``, and if something in it was deleted or may not be
    seen any more; ``shown`` says that the session now reads all changes.
    Raises ``StorageError`` when the local state cannot be used and ``UsageError`` for
    an invalid id of a session.
    """
    unsafe = find_unsafe(session)
    if unsafe:
        raise UsageError(f"the session's id contains {unsafe[1]}")
    rows = block_rows(block.rules, block.parts)
    flags = _flags(vault, request)
    now, home = vault.now, vault.session_vault
    # In ASCII: a path may hold bytes that are no text, which SQLite refuses.
    data = json.dumps({"document": document, "rows": rows})
    with open_state(home.root) as state:
        if refresh:
            drop_snapshot(state, session, flags)
        stored = _read(stored_snapshot(state, session, flags, data, now))
        if stored is None or _has_gone(vault, stored.rows, rows):
            drop_snapshot(state, session, flags)
            stored_snapshot(state, session, flags, data, now)
            stored = _Block({**document, "text": str(document["text"])}, tuple(rows))
        last: _Block | None = stored
        if shown:
            # Whatever its project was then, the model has that text.
            last = _read(stored_snapshot(state, session, _READ, data, now))
            drop_snapshot(state, session, _READ)
            stored_snapshot(state, session, _READ, data, now)
        forget_sessions(state, now, home.session_days)
    changes = changes_between(stored.rows, rows)
    news = changes_between((last or stored).rows, rows)
    return PromptSnapshot(stored.document, changes, news)


def _read(data: str) -> _Block | None:
    """Return a stored block; None if local state is damaged or of an older version."""
    try:
        stored = json.loads(data)
        document = {**stored["document"], "text": str(stored["document"]["text"])}
        rows = tuple(BlockRow(*row) for row in stored["rows"])
    except (TypeError, ValueError, KeyError):
        return None
    return _Block(document, rows)


def _has_gone(
    vault: Vault, before: Iterable[BlockRow], now: Sequence[BlockRow]
) -> bool:
    """Return whether something in a block was deleted or may not be seen any more.

    A rule that was archived or overridden, or has expired, may still be seen.
    """
    present = {(row.kind, row.id) for row in now}
    gone = (row for row in before if row.shown and (row.kind, row.id) not in present)
    return not all(_may_be_shown(vault, row) for row in gone)


def _may_be_shown(vault: Vault, row: BlockRow) -> bool:
    """Return whether an item that a block no longer has is still in the vault."""
    if row.kind == "rules":
        home = vault.own if row.vault and vault.own else vault
        return any(
            _exists(home, path) for path in (row.path, layout.archived(row.path))
        )
    scope = layout.scope_of(row.path)
    if row.kind != "memories" or scope not in vault.chain:
        return False
    where = MemoryPath(row.id, row.path, scope)
    return read_topic_memory(vault, where, MemoryLocations(vault)) is not None


def _exists(vault: Vault, path: str) -> bool:
    folder, _, name = path.rpartition("/")
    try:
        entries = vault.tree.unrecorded.entries(folder)
    except InvalidFileError:
        return False
    return any(entry.name == name for entry in entries)


def _flags(vault: Vault, request: PromptRequest) -> str:
    flags = request._asdict()
    for name in ("project", "agent_type", "agent"):
        flags[name] = vault.setting(name)
    if vault.own is not None:
        flags["vault"] = str(vault.root)
    return json.dumps(flags, sort_keys=True, ensure_ascii=False)
