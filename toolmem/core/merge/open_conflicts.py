"""List the conflicts in a file, and settle one of them."""

from typing import Any

from toolmem.core.formats.toml_edit import edit_toml
from toolmem.core.formats.toml_text import parse_toml
from toolmem.core.memories.memory_edit import edit_header
from toolmem.core.merge.facts_merge import open_fact_conflicts, resolve_fact
from toolmem.core.merge.memory_merge import table_of
from toolmem.core.merge.merge import TOML, require_rule
from toolmem.core.merge.result import DELETED, Conflict
from toolmem.core.merge.stretches import open_stretches, resolve_range
from toolmem.core.merge.tables import CONFLICT, moment, open_conflicts, resolved
from toolmem.core.model import PRIORITY_RANKS
from toolmem.core.text.textlines import line_ending, split_lines
from toolmem.errors import InvalidFileError, UsageError

TAKES = ("ours", "theirs", "stricter", "both")


def conflicts_of(kind: str, text: str, path: str) -> list[Conflict]:
    """Return the conflicts in a file of a kind (see ``store.walk``).

    Raises ``InvalidFileError`` for a file that cannot be read.
    """
    if kind in TOML:
        if CONFLICT not in text:
            return []  # avoids parsing most files
        line = _line(text, f"[{CONFLICT}]")
        return _at(open_conflicts(parse_toml(text, path)), line)
    if "conflict" not in text:
        return []
    stretches = open_stretches(text)
    if kind == "facts":
        return [*open_fact_conflicts(text), *stretches]
    if kind == "memory":
        line = _line(text, f"{CONFLICT}:")
        stretches = [*_at(open_conflicts(table_of(text, path)), line), *stretches]
    return stretches


def resolve_conflict(
    kind: str, text: str, conflict: Conflict, take: str, path: str
) -> str | None:
    """Return the file with a conflict settled; None if it is to be deleted.

    ``take`` is ``ours``, ``theirs``, for rules ``stricter`` and for conflicts of text
    ``both``. Raises ``UsageError`` if it does not apply to this conflict.
    """
    if take not in TAKES:
        raise UsageError(f"no side {take!r}: {', '.join(TAKES)}")
    if conflict.key.startswith("text:"):
        return resolve_range(text, conflict, _stretch(conflict, take))
    value = _value(conflict, take)
    if kind == "facts":
        return resolve_fact(text, conflict, value, path)
    if conflict.key == DELETED and value == DELETED:
        return None
    if kind == "memory":
        changes = resolved(table_of(text, path), conflict.key, value)
        return edit_header(text, changes, path=path)
    changes = resolved(parse_toml(text, path), conflict.key, value)
    edited = edit_toml(text, changes, path)
    if kind == "rule":
        try:
            require_rule(edited, path)
        except InvalidFileError as error:
            raise UsageError(f"{take} cannot be taken: {error}") from error
    return edited


def _line(text: str, beginning: str) -> int:
    lines = enumerate(split_lines(text), 1)
    return next((n for n, line in lines if line.lstrip().startswith(beginning)), 1)


def _at(conflicts: list[Conflict], line: int) -> list[Conflict]:
    return [conflict._replace(line=line) for conflict in conflicts]


def _stretch(conflict: Conflict, take: str) -> str:
    if take == "stricter":
        raise UsageError(f"{conflict.key}: a text has no stricter side: {_CHOICE}")
    if take != "both":
        return str(conflict.ours if take == "ours" else conflict.theirs)
    ours, theirs = str(conflict.ours), str(conflict.theirs)
    if ours and theirs and not line_ending(ours):
        ours += "\n"
    return ours + theirs


_CHOICE = "take ours, theirs or both"


def _value(conflict: Conflict, take: str) -> Any:
    if take == "both":
        raise UsageError(
            f"{conflict.key}: both cannot be used for a single value: use --take "
            "ours or --take theirs"
        )
    if take == "stricter":
        take = _stricter(conflict)
    return conflict.ours if take == "ours" else conflict.theirs


def _stricter(conflict: Conflict) -> str:
    """Return the side of a key that is more restrictive."""
    key, ours, theirs, _ = conflict
    if key == "priority":
        return _lower(PRIORITY_RANKS.get(ours, 9), PRIORITY_RANKS.get(theirs, 9))
    if key == "enabled":
        return "ours" if ours is not False else "theirs"
    if key == "expires_at":
        if ours is None or theirs is None:
            return "ours" if ours is None else "theirs"
        return "ours" if moment(ours) >= moment(theirs) else "theirs"
    if key == DELETED:
        return "theirs" if ours == DELETED else "ours"
    if key == "private":
        return "ours" if ours is True else "theirs"
    raise UsageError(
        f"{key}: neither side is stricter: use --take ours or --take theirs"
    )


def _lower(ours: int, theirs: int) -> str:
    return "ours" if ours <= theirs else "theirs"
