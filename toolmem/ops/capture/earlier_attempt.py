"""Captures of a helper that ended before its answer was received.

The hook that handles the event again finds its message captured. What is to be shown of
a message is stored before the message is forgotten, until the turn ends or the next
message of the session is captured.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from toolmem.errors import StorageError
from toolmem.store.journal import attempt, journal
from toolmem.store.state import candidates as stored

_SUFFIX = ".captured"
_EVENT, _LINES, _CANDIDATES = "of", "lines", "candidates"


def keep(
    root: Path,
    session: str,
    lines: list[str],
    candidates: "Sequence[stored.StoredCandidate]",
) -> None:
    """Store what is to be shown, if another attempt may follow this one."""
    now = attempt.current()
    if now is None or not now.is_first or not (lines or candidates):
        return
    name = journal.name_of(session) + _SUFFIX
    if any(line.get(_EVENT) != now.event for line in journal.read(root, name)):
        journal.forget(journal.take(root, name))  # of an event that was answered
    line = {_EVENT: now.event, _LINES: lines, _CANDIDATES: candidates}
    with suppress(StorageError):
        journal.append(root, name, line, counts_always=True)


def forget(root: Path, session: str) -> None:
    """Delete what was stored: the message was answered."""
    name = journal.name_of(session) + _SUFFIX
    if journal.is_there(root, name):
        journal.forget(journal.take(root, name))


def is_there(root: Path, session: str) -> bool:
    """Return whether an earlier attempt may have stored something."""
    now = attempt.current()
    if now is None or now.is_first:
        return False
    return journal.is_there(root, journal.name_of(session) + _SUFFIX)


def kept(root: Path, session: str) -> "tuple[list[str], list[stored.StoredCandidate]]":
    """Return what an earlier attempt to handle this event stored."""
    now = attempt.current()
    if now is None or not is_there(root, session):
        return [], []
    found = journal.read(root, journal.name_of(session) + _SUFFIX)
    same = [line for line in found if line.get(_EVENT) == now.event]
    candidates = (one for line in same for one in line[_CANDIDATES])
    return [text for line in same for text in line[_LINES]], list(_read(candidates))


def _read(candidates: Iterable[Sequence[object]]) -> "Iterable[stored.StoredCandidate]":
    for one in candidates:
        fields = (tuple(each) if isinstance(each, list) else each for each in one)
        yield stored.StoredCandidate(*fields)  # type: ignore[arg-type]
