"""Compile rule files: read each once, with all that decides about a call."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice, product
from typing import Any

from toolmem.core.guard.compiled import (
    CompiledRule,
    Row,
    duty_triggers,
    row_of,
    scan_names,
    tool_rule,
    triggers_of,
)
from toolmem.core.guard.derivation.stated import (
    derived_guards,
    duties_in_force,
    guards_in_force,
)
from toolmem.core.model import Action, Rule, Scope
from toolmem.core.names import folder_key, tool_key
from toolmem.core.patterns.match import fold
from toolmem.core.rules.duty_table import parse_duties
from toolmem.core.rules.effective import combine
from toolmem.core.rules.guard_table import Guard, parse_guards
from toolmem.core.rules.rule_file import RuleFile
from toolmem.core.rules.table_text import from_text, to_text
from toolmem.store.files import layout
from toolmem.store.guards.guard_file import (
    UNLIKE,
    DamagedError,
    GuardFile,
    NewPart,
    Part,
    Segment,
    assembled,
    encoded,
    segment_of,
)
from toolmem.store.guards.stamp import Stamp, is_racy
from toolmem.store.vault.rule_files import (
    load_manifests,
    load_rule_texts,
    read_rule_texts,
)
from toolmem.store.vault.vault import Vault

MANIFESTS = layout.TOOLS
"""The key of the part with the tools' names."""

_MOST_PAIRS = 64
"""Maximum number of texts and tools of one id whose guards are derived in advance."""

Unreadable = tuple[str, str, str, int]
"""Tool, path, reason and line of a file that cannot be read."""


def compiled(
    vault: Vault, version: str, stamps: Mapping[str, Stamp], old: GuardFile | None
) -> bytes:
    """Return the bytes of a new file: unchanged parts and newly compiled ones."""
    parts = _unchanged_parts(stamps, old) if old else {}
    if MANIFESTS not in parts:
        made = [
            (manifest.name, manifest.aliases) for manifest in load_manifests(vault)[0]
        ]
        now = stamps.get(MANIFESTS, [])
        parts[MANIFESTS] = NewPart(now, {"manifests": made}, b"")
    for scope in vault.chain:
        key = str(scope)
        if key not in parts:
            known = old.parts.get(key) if old else None
            parts[key] = _part(vault, scope, stamps.get(key), known)
    return assembled(vault.root, version, parts, _shared(parts, old))


def stop_names(rule: Rule) -> tuple[str, ...]:
    """Return the words of a plain scan for the guards of a rule that stop a call."""
    return _names(parse_guards(rule.guards, path=rule.path)[0])


def _names(guards: Iterable[Guard]) -> tuple[str, ...]:
    return scan_names(guard for guard in guards if guard.action is not Action.WARN)


def _unchanged_parts(stamps: Mapping[str, Stamp], old: GuardFile) -> dict[str, NewPart]:
    """The parts of a file whose folders did not change, or belong to other scopes."""
    parts: dict[str, NewPart] = {}
    try:
        for key, part in old.parts.items():
            now = stamps.get(key)
            if now is None or (part.stamp == now and not any(map(is_racy, now))):
                parts[key] = NewPart(part.stamp, part.index, part.raw())
    except (DamagedError, *UNLIKE):
        return {}
    return parts


def _part(vault: Vault, scope: Scope, now: Stamp | None, known: Part | None) -> NewPart:
    """The rules of a scope; what is in folders that did not change is taken over.

    Of a changed folder all files are read, and guards are derived only for new content.
    """
    every: list[Row] = []
    rows: list[Row] = []
    unreadable: list[Unreadable] = []
    newer: list[tuple[str, int]] = []
    changed = None
    try:
        if known is not None:
            every = [Row(*row) for row in known.value(known.index["all"])]
            changed = _changed(known, now)
        if known is not None and changed is not None:
            rows = [row for row in every if _folder(row.path) not in changed]
            broken = known.index["unreadable"]
            unreadable = [lost for lost in broken if _folder(lost[1]) not in changed]
            newer = [o for o in known.index["newer"] if _folder(o[0]) not in changed]
    except (DamagedError, *UNLIKE):
        every, rows, unreadable, newer, changed = [], [], [], [], None
    read = read_rule_texts(load_rule_texts(vault, [scope], changed))
    same = {(row.path, row.stated): row for row in every}
    for file in read.files:
        row = same.get((file.path, to_text(file.stated)))
        rows.append(row or row_of(_compiled_rule(file)))
    for unread in read.unreadable:
        unreadable.append((unread.tool, unread.path, unread.reason, unread.line))
    newer += [
        (newer_file.path, newer_file.newer_format)
        for newer_file in read.files
        if newer_file.newer_format
    ]
    return _laid_out(rows, unreadable, newer, now)


def _folder(path: str) -> str:
    """The key of the tool's folder that a rule file lies in."""
    return folder_key(path.rsplit("/", 2)[-2])


def _changed(known: Part | None, now: Stamp | None) -> set[str] | None:
    """The folders (keys) with a change; None where all are to be read."""
    before = known.stamp if known else []
    if not now or not before or before[0][1][0] != now[0][1][0]:
        return None
    if known is not None and len(known.index["unreadable"]):
        return None  # some are links, which have a stamp but no row
    old = {row[0]: row for row in before}
    new = {row[0]: row for row in now}
    names = {
        name
        for name in old.keys() | new.keys()
        if name and (old.get(name) != new.get(name) or is_racy(new[name]))
    }
    return {folder_key(name) for name in names}


def _compiled_rule(file: RuleFile) -> CompiledRule:
    rule = combine([file])[0].rule
    if rule is None:
        return CompiledRule(file, "", (), ())
    tables = guards_in_force(rule)
    guards = parse_guards(tables, path=rule.path)[0]
    return CompiledRule(
        file,
        tool_key(rule.tool),
        triggers_of(rule, guards),
        _names(guards),
        tables,
        tool_rule(rule),
        duties_in_force(rule),
    )


def _laid_out(
    rows: Sequence[Row],
    unreadable: Sequence[Unreadable],
    newer: Sequence[tuple[str, int]],
    now: Stamp | None,
) -> NewPart:
    tools: dict[str, dict[str, Any]] = {}
    shown: dict[str, list[tuple[Any, ...]]] = {}
    names = {fold(tool) for tool, *_ in unreadable}
    for row in rows:
        names.update(row.names)
        if row.shown:
            shown.setdefault(row.tool, []).append(row.shown)
        for kind, text, word in row.triggers:
            kinds = tools.setdefault(row.tool, {}).setdefault(kind, {})
            kinds.setdefault(text, {}).setdefault(word, []).append(tuple(row))
    raw = bytearray()

    def segment(value: Any) -> Segment:
        data = encoded(value)
        part = segment_of(data, len(raw))
        raw.extend(data)
        return part

    duties, ends = _with_duties(rows)
    _place_rows([*tools.values(), duties], segment)
    index = {
        "all": segment([tuple(row) for row in rows]),
        "ids": segment([row.id for row in rows]),
        "names": segment(sorted(names)),
        "unreadable": list(unreadable),
        "newer": list(newer),
        "overrides": [(r.id, r.folder_tool, r.path) for r in rows if not r.tool],
        "tools": {tool: segment(kinds) for tool, kinds in tools.items()},
        "shown": {tool: segment(numbers) for tool, numbers in shown.items()},
        "duties": segment(duties) if duties else None,
        "ends": segment(ends) if ends else None,
    }
    return NewPart(now or [], index, bytes(raw))


def _place_rows(
    every: Iterable[dict[str, Any]], segment: Callable[[Any], Segment]
) -> None:
    """Replace the rows of each trigger with the segment that has them."""
    for kinds in every:
        for by_text in kinds.values():
            for by_word in by_text.values():
                for word, rows in by_word.items():
                    by_word[word] = segment(rows)


def _with_duties(
    rows: Iterable[Row],
) -> tuple[dict[str, Any], list[tuple[Any, ...]]]:
    """Return the rows with duties before commands, by trigger, and those with duties at
    the end of a turn."""
    before: dict[str, Any] = {}
    ends: list[tuple[Any, ...]] = []
    for row in rows:
        duties = parse_duties(from_text(row.duties), path=row.path)[0]
        if any(not duty.before for duty in duties):
            ends.append(tuple(row))
        for kind, text, word in duty_triggers(c for d in duties for c in d.before):
            by_word = before.setdefault(kind, {}).setdefault(text, {})
            by_word.setdefault(word, []).append(tuple(row))
    return before, ends


def _shared(parts: Mapping[str, NewPart], old: GuardFile | None) -> dict[str, Any]:
    """The rules by part whose id more than one file has: they decide together."""
    scoped = {key: part for key, part in parts.items() if key != MANIFESTS}
    counts = Counter(id_ for part in scoped.values() for id_ in part.value("ids"))
    several = {id_ for id_, count in counts.items() if count > 1}
    if not several:
        return {}
    rows = {
        key: [row for row in part.value("all") if row[0] in several]
        for key, part in scoped.items()
    }
    known = old.shared.get("derived", {}) if old else {}
    return {"rows": rows, "derived": _derived(rows.values(), known)}


def _derived(
    parts: Iterable[Iterable[Sequence[Any]]], known: Mapping[str, Mapping[str, str]]
) -> dict[str, dict[str, str]]:
    """The guards derived from each text and tool that files of one id state together.

    They are JSON texts, by text and tool; ``known`` are those of an earlier time.
    """
    texts: dict[str, set[str]] = {}
    tools: dict[str, set[str]] = {}
    for row in (Row(*values) for rows in parts for values in rows):
        stated = from_text(row.stated)
        if "rule" in stated:
            texts.setdefault(row.id, set()).add(stated["rule"])
        tools.setdefault(row.id, set()).add(stated.get("tool", row.folder_tool))
    derived: dict[str, dict[str, str]] = {}
    for id_, ruled in texts.items():
        pairs = product(sorted(ruled), sorted(tools[id_]))
        for text, tool in islice(pairs, _MOST_PAIRS):
            guards = known.get(text, {}).get(tool)
            if guards is None:
                guards = to_text(derived_guards(text, tool))
            derived.setdefault(text, {})[tool] = guards
    return derived
