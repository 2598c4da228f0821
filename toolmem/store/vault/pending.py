"""Proposals that wait for review: a file each in ``.toolmem/pending/``.

The folder is local state and may be deleted with it; it has no accepted rules.
"""

from contextlib import suppress
from datetime import datetime
from sqlite3 import Connection
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.model import Problem
from toolmem.core.rules.proposal import Proposal, parse_proposal, proposal_text
from toolmem.core.times import rfc3339
from toolmem.errors import ExistsError, InvalidFileError
from toolmem.store.files import files, layout, lock
from toolmem.store.vault.vault import Vault, decode


class Pending(NamedTuple):
    """Proposals, oldest first, and the files that are not proposals."""

    proposals: tuple[Proposal, ...]
    problems: tuple[Problem, ...]


def load_pending(vault: Vault) -> Pending:
    """Return every waiting proposal."""
    proposals: list[Proposal] = []
    problems: list[Problem] = []
    try:
        listed = vault.tree.read_all(layout.PENDING, ".toml", limits.RULE_FILE_BYTES)
    except InvalidFileError as error:
        return Pending((), (_problem(error),))
    for path, data in listed:
        try:
            if isinstance(data, InvalidFileError):
                raise data
            proposals.append(parse_proposal(decode(data, path), path))
        except InvalidFileError as error:
            problems.append(_problem(error))
    ordered = sorted(proposals, key=lambda p: (p.created_at, p.id))
    return Pending(tuple(ordered), tuple(problems))


def save_proposal(vault: Vault, proposal: Proposal) -> str:
    """Write a proposal, unless it exists already; return its path."""
    path = _path(proposal)
    lock.prepare_state(vault.root)
    with suppress(ExistsError):
        files.create(vault.root, path, proposal_text(proposal).encode())
    return path


def drop_proposal(vault: Vault, proposal: Proposal) -> None:
    """Delete the file of a finished proposal."""
    data = vault.tree.read(proposal.path, limits.RULE_FILE_BYTES)
    files.delete(vault.root, proposal.path, expected=data)


def is_rejected(state: Connection, proposal_id: str) -> bool:
    """Return True if a person rejected this proposal before."""
    row = state.execute("SELECT 1 FROM rejected WHERE id = ?", (proposal_id,))
    return row.fetchone() is not None


def note_rejected(state: Connection, proposal_id: str, now: datetime) -> None:
    """Store that a person rejected a proposal."""
    state.execute(
        "INSERT OR REPLACE INTO rejected VALUES (?, ?)", (proposal_id, rfc3339(now))
    )


def _path(proposal: Proposal) -> str:
    stem = f"{layout.slug(proposal.rule or proposal.sentence)}-{proposal.id[:8]}"
    return f"{layout.PENDING}/{stem}.toml"


def _problem(error: InvalidFileError) -> Problem:
    return Problem(error.path, error.line, "unreadable", error.reason)
