"""Three-way merge of facts: key by key, and the prose around them block by block."""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from toolmem.core.facts.parse import FactLine, parse_facts, read_fact
from toolmem.core.merge.exact_facts import Facts, Name, facts_of, made_to_say
from toolmem.core.merge.fact_blocks import name_of, tokens_of
from toolmem.core.merge.lines import (
    Lines,
    MergePiece,
    merge_lines,
    merge_sequences,
)
from toolmem.core.merge.result import Conflict, MergeResult
from toolmem.core.merge.stretches import open_stretches
from toolmem.core.text.conflict_marks import END, OURS, THEIRS
from toolmem.core.text.textlines import line_ending, split_lines
from toolmem.errors import InvalidFileError

_BEGIN, _END = "<!-- conflict: ", " -->"
_NOTE = re.compile(r"^<!-- conflict: (\{.*\}) -->\r?$")
_BULLET = re.compile(r"[-*+][ \t]+")


def merge_facts(base: str, ours: str, theirs: str, path: str) -> MergeResult:
    """Merge three files of facts; a conflict is a comment below its fact.

    Raises ``InvalidFileError`` if the merged facts cannot be written.
    """
    known = [facts_of(text) for text in (base, ours, theirs)]
    wanted, conflicts = _merged(*known)
    sides = [tokens_of(_without_notes(text)) for text in (base, ours, theirs)]
    pieces = merge_sequences(*(tokens for tokens, _ in sides))
    tokens = [token for piece in pieces for token in _tokens(piece)]
    text = _written(tokens, [rows for _, rows in sides], wanted)
    _require_known(facts_of(text), known, wanted, path)
    text = made_to_say(text, wanted, path)
    open_ = [*_carried(base, ours, theirs, wanted), *conflicts]
    names = _names_noted(f"{base}\n{ours}\n{theirs}")
    text = _noted(text, dict.fromkeys(open_), names)
    return MergeResult(text, (*open_fact_conflicts(text), *open_stretches(text)))


def open_fact_conflicts(text: str) -> list[Conflict]:
    """Return the conflicts in a file of facts."""
    conflicts = []
    for number, line in enumerate(split_lines(text), 1):
        note = _read_note(line)
        if note is not None:
            name = f"{note['namespace']}.{note['key']}"
            conflicts.append(Conflict(name, note["ours"], note["theirs"], number))
    return conflicts


def resolve_fact(text: str, conflict: Conflict, value: str | None, path: str) -> str:
    """Settle one conflict: set the fact to this value, or delete it."""
    lines = split_lines(text)
    note = _read_note(lines[conflict.line - 1])
    if note is None:
        raise InvalidFileError(path, conflict.line, "the conflict no longer exists")
    del lines[conflict.line - 1]
    name = note["namespace"], note["key"]
    return made_to_say("".join(lines), _changed(facts_of(text), name, value), path)


def _require_known(
    merged: Facts, known: Sequence[Facts], wanted: Facts, path: str
) -> None:
    """Raise ``InvalidFileError`` if prose became a fact.

    A fact that came under another heading is moved back afterwards.
    """
    missing = {key for _, key in wanted.keys() - merged.keys()}
    for name in sorted(merged.keys() - {one for side in known for one in side}):
        if name[1] not in missing:
            message = f"the merge would turn {name[1]!r} into a fact"
            raise InvalidFileError(path, 0, message)


def _changed(facts: Facts, name: Name, value: str | None) -> dict[Name, str]:
    rest = {known: fact for known, fact in facts.items() if known != name}
    return rest if value is None else {**rest, name: value}


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
    """Yield the conflicts that were open before and that neither side settled."""
    was, *sides = (
        {one._replace(line=0) for one in open_fact_conflicts(text)}
        for text in (base, ours, theirs)
    )
    for conflict in sorted(sides[0] | sides[1], key=repr):
        if conflict not in was or (conflict in sides[0] and conflict in sides[1]):
            yield conflict


def _tokens(piece: MergePiece) -> Lines:
    """Return the tokens of a piece; prose that both sides changed is between marks."""
    if piece.agreed:
        return piece.lines
    base, ours, theirs = (
        [token for token in side if token.strip() and not name_of(token)]
        for side in piece[:3]
    )
    mine, other = _but(ours, base), _but(theirs, base)
    both_gone = _but(_but(base, ours), theirs)
    if not (both_gone and mine and other) or mine == other:
        return _united(piece)
    inner = _inside_a_block(both_gone, mine, other)
    facts = _united(
        piece._replace(ours=_but(piece.ours, mine), theirs=_but(piece.theirs, other))
    )
    if inner is not None:
        return [inner, *facts]
    ending = line_ending(mine[-1]) or "\n"
    sides = ("".join(map(_ended, side)) for side in (mine, other))
    marked = zip((OURS, THEIRS), sides, strict=True)
    text = "".join(f"{mark}{ending}{side}" for mark, side in marked)
    return [f"{text}{END}{ending}", *facts]


def _inside_a_block(base: Lines, ours: Lines, theirs: Lines) -> str | None:
    """Merge a block that both sides changed in different lines."""
    if not len(base) == len(ours) == len(theirs) == 1:
        return None
    out: list[str] = []
    for piece in merge_lines(base[0], ours[0], theirs[0]):
        lines = piece.lines if piece.agreed else _line_by_line(piece)
        if lines is None and base[0].startswith("---"):
            lines = sorted({*piece.ours, *piece.theirs})  # nothing reads it: keep both
        if lines is None:
            return None
        out += lines
    return "".join(out)


def _line_by_line(piece: MergePiece) -> Lines | None:
    """Merge the lines of a piece if each is changed by one side only."""
    if not len(piece.base) == len(piece.ours) == len(piece.theirs):
        return None
    rows = list(zip(piece.base, piece.ours, piece.theirs, strict=True))
    if not all(base in (ours, theirs) for base, ours, theirs in rows):
        return None
    return [theirs if ours == base else ours for base, ours, theirs in rows]


def _but(side: Lines, some: Lines) -> Lines:
    known = set(some)
    return [token for token in side if token not in known]


def _ended(token: str) -> str:
    return _ended_by(token, "\n")


def _united(piece: MergePiece) -> Lines:
    """Return the common tokens of a piece, then the additions of both sides."""
    both = set(piece.ours) & set(piece.theirs)
    common = [token for token in piece.base if token in both]
    added = [_but(side, piece.base) for side in (piece.ours, piece.theirs)]
    # A side with a heading goes last, or the other's facts would be under it.
    added.sort(key=lambda side: (any(t.startswith("## ") for t in side), side))
    out, known = [*common], set(common)
    for side in added:
        # What a side repeats stays: a list needs its bullet before what is below it.
        fresh = [token for token in side if token not in known or not token.strip()]
        out += fresh
        known.update(fresh)
    return [_ended(token) for token in out]


def _written(tokens: Lines, sides: Sequence[Mapping[Name, str]], wanted: Facts) -> str:
    """Return the text of tokens, with one line per fact that has the wanted value."""
    seen: set[Name] = set()
    out = []
    for token in tokens:
        name = name_of(token)
        if name is None:
            out.append(token)
        elif name in wanted and name not in seen:
            seen.add(name)
            rows = sorted({side[name] for side in sides[1:] if name in side})
            says = (row for row in rows if _says(row, name, wanted[name]))
            out.append(_ended(next(says, rows[0])))
    return "".join(out)


def _says(row: str, name: Name, value: str) -> bool:
    fact = read_fact(_BULLET.sub("", row.strip(), count=1))
    return fact == (name[1], value)


def _names_noted(text: str) -> dict[str, Name]:
    """Return the names of facts with a comment: a key may have a dot, too."""
    notes = filter(None, map(_read_note, split_lines(text)))
    names = ((note["namespace"], note["key"]) for note in notes)
    return {".".join(name): name for name in names}


def _noted(
    text: str, conflicts: Collection[Conflict], names: Mapping[str, Name]
) -> str:
    """Add a comment below each fact that is in conflict, else at the end.

    ``names`` are those of facts that may be gone from the text.
    """
    if not conflicts:
        return text
    facts: dict[str, FactLine] = {}
    for one in parse_facts(text).facts:
        facts.setdefault(f"{one.namespace}.{one.key}", one)
    lines = split_lines(text)
    ending = next(filter(None, map(line_ending, lines)), "\n")
    notes: dict[int, list[str]] = {}
    last: list[str] = []
    for conflict in conflicts:
        fact = facts.get(conflict.key)
        if fact is None:
            last.append(_note(*names[conflict.key], conflict) + ending)
        else:
            note = _note(fact.namespace, fact.key, conflict) + ending
            notes.setdefault(fact.line, []).insert(0, note)
    if lines and (last or len(lines) in notes):
        lines[-1] = _ended_by(lines[-1], ending)
    rows = ([line, *notes.get(at, ())] for at, line in enumerate(lines, 1))
    return "".join([*chain.from_iterable(rows), *last])


def _ended_by(line: str, ending: str) -> str:
    return line if line_ending(line) else line + ending


def _note(namespace: str, key: str, conflict: Conflict) -> str:
    fields = {"namespace": namespace, "key": key}
    note = json.dumps(
        {**fields, "ours": conflict.ours, "theirs": conflict.theirs}, ensure_ascii=False
    )
    # Escaped in JSON, because a bare sign could end the comment.
    return _BEGIN + note.replace(">", "\\u003e") + _END


def _read_note(line: str) -> dict[str, Any] | None:
    match = _NOTE.match(line.rstrip("\n"))
    if match is None:
        return None
    try:
        note = json.loads(match[1])
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
