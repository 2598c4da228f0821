"""Three files of facts made one: key by key, the prose around them line by line."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from toolmem.core.facts.edit import delete_fact, set_fact
from toolmem.core.facts.parse import parse_facts, read_fact
from toolmem.core.merge.lines import Lines, MergePiece, merge_lines
from toolmem.core.merge.result import Conflict, MergeResult
from toolmem.core.text.textlines import line_ending, split_lines
from toolmem.errors import InvalidFileError, ToolmemError

_BEGIN, _END = "<!-- conflict: ", " -->"
_NOTE = re.compile(r"^<!-- conflict: (\{.*\}) -->\r?$")
_BULLET = re.compile(r"[-*+][ \t]+")

Name = tuple[str, str]
"""Namespace and key of a fact."""
Facts = Mapping[Name, str]


def merge_facts(base: str, ours: str, theirs: str, path: str) -> MergeResult:
    """The merged file; a fact in conflict has a comment below it that says so.

    Raises ``InvalidFileError`` where the merged facts cannot be written.
    """
    known = [_facts(text) for text in (base, ours, theirs)]
    wanted, conflicts = _merged(*known)
    pieces = merge_lines(*(_without_notes(text) for text in (base, ours, theirs)))
    joined = "".join(line for piece in pieces for line in _lines(piece))
    text = _made_to_say(joined, wanted, path)
    open_ = [*_carried(base, ours, theirs, wanted), *conflicts]
    for conflict in dict.fromkeys(open_):
        text = _noted(text, conflict)
    return MergeResult(text, tuple(open_fact_conflicts(text)))


def open_fact_conflicts(text: str) -> list[Conflict]:
    """The conflicts that stand in a file of facts."""
    found = []
    for number, line in enumerate(split_lines(text), 1):
        note = _read_note(line)
        if note is not None:
            name = f"{note['namespace']}.{note['key']}"
            found.append(Conflict(name, note["ours"], note["theirs"], number))
    return found


def resolve_fact(text: str, conflict: Conflict, value: str | None, path: str) -> str:
    """The file with one conflict settled: the fact with this value, or without it."""
    lines = split_lines(text)
    note = _read_note(lines[conflict.line - 1])
    if note is None:
        raise InvalidFileError(
            path, conflict.line, "the conflict is not there any more"
        )
    del lines[conflict.line - 1]
    name = note["namespace"], note["key"]
    return _made_to_say("".join(lines), _changed(_facts(text), name, value), path)


def _changed(facts: Facts, name: Name, value: str | None) -> dict[Name, str]:
    found = {known: held for known, held in facts.items() if known != name}
    return found if value is None else {**found, name: value}


def _facts(text: str) -> dict[Name, str]:
    return {(f.namespace, f.key): f.value for f in parse_facts(text).facts}


def _merged(
    base: Facts, ours: Facts, theirs: Facts
) -> tuple[dict[Name, str], list[Conflict]]:
    wanted: dict[Name, str] = {}
    conflicts = []
    for name in dict.fromkeys([*ours, *theirs]):
        was, left, right = base.get(name), ours.get(name), theirs.get(name)
        value = right if left == was else left
        if left != right and was not in (left, right):
            conflicts.append(Conflict(".".join(name), left, right))
            value = right if left is None else left
        if value is not None:
            wanted[name] = value
    return wanted, conflicts


def _carried(base: str, ours: str, theirs: str, wanted: Facts) -> Iterator[Conflict]:
    """The conflicts that were open before, without those that one side settled."""
    was, *sides = (
        {one._replace(line=0) for one in open_fact_conflicts(text)}
        for text in (base, ours, theirs)
    )
    for conflict in sorted(sides[0] | sides[1], key=repr):
        if conflict not in was or (conflict in sides[0] and conflict in sides[1]):
            yield conflict


def _lines(piece: MergePiece) -> Lines:
    return piece.lines if piece.agreed else _united(piece)


def _united(piece: MergePiece) -> Lines:
    """What both sides kept of a stretch, then what either added.

    Which value a fact gets is seen to later; here its line is kept once.
    """
    ending = next(
        filter(None, map(line_ending, (*piece.ours, *piece.theirs, *piece.base))), "\n"
    )
    marks = [{_mark(line) for line in side} for side in piece[:3]]
    seen: set[str] = set()
    out: list[str] = []
    for line in piece.base:
        if _mark(line) in marks[1] and _mark(line) in marks[2]:
            out.append(line)
            seen.add(_mark(line))
    added = [
        [line for line in side if _mark(line) not in marks[0]]
        for side in (piece.ours, piece.theirs)
    ]
    # What brings a heading comes last, lest it take the other's facts under it.
    added.sort(key=lambda side: (any(ln.startswith("## ") for ln in side), side))
    for line in (line for side in added for line in side):
        if _mark(line) not in seen or not line.strip():
            seen.add(_mark(line))
            out.append(line)
    return [line if line_ending(line) else line + ending for line in out]


def _mark(line: str) -> str:
    """What a line is known by: a fact by its key, another by its text."""
    bare = line.strip()
    fact = read_fact(_BULLET.sub("", bare, count=1))
    return f"fact {fact[0]}" if fact else bare


def _made_to_say(text: str, wanted: Facts, path: str) -> str:
    """The text changed until its facts are exactly these."""
    try:
        for name in _facts(text).keys() - wanted.keys():
            text = delete_fact(text, *name, path=path)
        for name, value in sorted(wanted.items()):
            if _facts(text).get(name) != value:
                text = set_fact(text, *name, value, path=path)
    except InvalidFileError:
        raise
    except ToolmemError as error:
        raise InvalidFileError(path, 0, f"cannot be merged: {error}") from error
    if _facts(text) != wanted:
        raise InvalidFileError(path, 0, "the merged facts would not read back")
    return text


def _noted(text: str, conflict: Conflict) -> str:
    """The text with a comment below the fact that is in conflict."""
    namespace, _, key = conflict.key.rpartition(".")
    fact = next(
        (
            f
            for f in parse_facts(text).facts
            if f"{f.namespace}.{f.key}" == conflict.key
        ),
        None,
    )
    lines = split_lines(text)
    place = len(lines)
    if fact is not None:
        namespace, key, place = fact.namespace, fact.key, fact.line
    ending = next(filter(None, map(line_ending, lines)), "\n")
    if place and not line_ending(lines[place - 1]):
        lines[place - 1] += ending
    held = {"namespace": namespace, "key": key}
    note = json.dumps(
        {**held, "ours": conflict.ours, "theirs": conflict.theirs}, ensure_ascii=False
    )
    # In JSON the sign may be escaped; as it is it could end the comment.
    lines.insert(place, _BEGIN + note.replace(">", "\\u003e") + _END + ending)
    return "".join(lines)


def _read_note(line: str) -> dict[str, Any] | None:
    found = _NOTE.match(line.rstrip("\n"))
    if found is None:
        return None
    try:
        note = json.loads(found[1])
    except (ValueError, RecursionError):
        return None
    keys = {"namespace": str, "key": str, "ours": str, "theirs": str}
    for key, kind in keys.items():
        value = note.get(key)
        may_be_none = key in ("ours", "theirs")
        if not isinstance(value, kind) and not (may_be_none and value is None):
            return None
    return dict(note)


def _without_notes(text: str) -> str:
    return "".join(line for line in split_lines(text) if _read_note(line) is None)
