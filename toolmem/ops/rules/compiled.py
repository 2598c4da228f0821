"""The rules that a call may be subject to, out of the compiled guards.

What is compiled follows from the files of the vault alone and is brought up to date
here, part by part, before it is used.
"""

import json
import os
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from toolmem.core.guard import tables
from toolmem.core.guard.action import Action
from toolmem.core.guard.compiled import (
    CompiledRule,
    Probe,
    decode,
    encode,
    scan_names,
    triggers_of,
)
from toolmem.core.guard.derivation import stated
from toolmem.core.guard.derivation.stated import stated_guards
from toolmem.core.guard.patterns import match
from toolmem.core.guard.patterns.match import fold
from toolmem.core.guard.tables import Guard, parse_guards
from toolmem.core.model import SYSTEM, Rule, Scope
from toolmem.core.names import folder_key, tool_key
from toolmem.core.rules import rule_file
from toolmem.core.rules.effective import combine
from toolmem.core.rules.rule_file import KNOWN_KEYS, RuleFile, UnreadableRule
from toolmem.core.shell import program
from toolmem.core.tools.manifest import Manifest, ToolNames
from toolmem.errors import ToolmemError
from toolmem.store.files import layout
from toolmem.store.state.guard_file import (
    RACY,
    DamagedError,
    GuardFile,
    NewPart,
    Part,
    Segment,
    Stamp,
    assembled,
    open_guard_file,
    save,
    segment_of,
    stamp,
)
from toolmem.store.vault.rule_files import (
    load_manifests,
    load_rule_texts,
    read_rule_texts,
)
from toolmem.store.vault.vault import Vault

_MANIFESTS = layout.TOOLS
_FORMAT = 1


class CompiledGuards(NamedTuple):
    """The compiled rules of a vault's chain; each part is as its folder is now."""

    file: GuardFile
    chain: tuple[Scope, ...]
    names: ToolNames

    def tools(self) -> set[str]:
        """The keys of the tools that any rule is for."""
        keys: set[str] = set()
        for _, part in self._parts():
            keys.update(part.index["tools"])
        return {self.names.key(key) for key in keys}

    def unreadable(self) -> tuple[UnreadableRule, ...]:
        """The files that cannot be read."""
        return tuple(
            UnreadableRule(tool, scope, path, reason)
            for scope, part in self._parts()
            for tool, path, reason in part.index["unreadable"]
        )

    def select(self, tools: Container[str], probe: Probe) -> list[RuleFile]:
        """The files of rules for some tools (keys) that a call may meet.

        Files that change or repeat the rule of another file are always among them.
        """
        found: dict[tuple[Any, ...], RuleFile] = {}
        for scope, part in self._parts():
            for rule in self._shared(scope):
                found[_identity(rule.file)] = rule.file
            for key, buckets in part.index["tools"].items():
                if self.names.key(key) not in tools:
                    continue
                for trigger, segment in buckets.items():
                    if probe.fires(trigger):
                        for rule in decode(part.text(segment), scope):
                            found[_identity(rule.file)] = rule.file
        return list(found.values())

    def scan_names(self) -> Iterator[str]:
        """What a plain scan looks for; empty for a rule that any call may meet."""
        shared: list[RuleFile] = []
        for scope, part in self._parts():
            yield from json.loads(part.text(part.index["names"]))
            shared += (rule.file for rule in self._shared(scope))
        for entry in combine(shared):
            yield from stop_names(entry.rule) if entry.rule else ()

    def _shared(self, scope: Scope) -> list[CompiledRule]:
        """The rules of a scope that change or repeat the rule of another file."""
        return decode(self.file.shared.get(str(scope), "[]"), scope)

    def _parts(self) -> Iterator[tuple[Scope, Part]]:
        for scope in self.chain:
            yield scope, self.file.parts[str(scope)]


def _identity(file: RuleFile) -> tuple[Any, ...]:
    """A file in conflict stands for more than one rule."""
    return file.path, file.stated.get("rule"), file.stated.get("tool")


def compiled_guards(vault: Vault) -> CompiledGuards:
    """The compiled guards of the vault's chain, brought up to date where needed."""
    version = _version()
    stamps = _stamps(vault)
    if stamps is None:  # at a revision, or unreadable: nothing to compare with
        return _guards(vault, GuardFile(version, data=_compiled(vault, {}, None)))
    old = _opened(vault, version, stamps)
    if old is not None and old.is_fresh:
        return _guards(vault, old.file)
    data = _compiled(vault, stamps, old.file if old else None)
    if _stamps(vault) == stamps:  # nothing changed while it was read
        save(vault, data)
    return _guards(vault, GuardFile(version, data=data))


def known_guards(vault: Vault) -> CompiledGuards | None:
    """The compiled guards if they are up to date, without compiling anything."""
    stamps = _stamps(vault)
    old = _opened(vault, _version(), stamps) if stamps is not None else None
    return _guards(vault, old.file) if old is not None and old.is_fresh else None


def guards_of(rule: Rule) -> tuple[Guard, ...]:
    """The guards of a rule: all that decides about a call, and is compiled, is here.

    Those that follow from its words are among them.
    """
    return parse_guards(stated_guards(rule), path=rule.path)[0]


def stop_names(rule: Rule) -> tuple[str, ...]:
    """What a plain scan looks for, for the guards of a rule that stop a call."""
    return _names(guards_of(rule))


def _names(guards: Iterable[Guard]) -> tuple[str, ...]:
    return scan_names(guard for guard in guards if guard.action is not Action.WARN)


class _Opened(NamedTuple):
    file: GuardFile
    is_fresh: bool


def _opened(vault: Vault, version: str, stamps: Mapping[str, Stamp]) -> _Opened | None:
    """The file, when it is sound; whether it is what the folders are now."""
    file = open_guard_file(vault, version)
    if file is None:
        return None
    try:
        fresh = all(_is_same(file.parts.get(key), now) for key, now in stamps.items())
    except (DamagedError, KeyError, ValueError, TypeError):
        return None
    return _Opened(file, fresh)


def _is_same(part: Part | None, now: Stamp) -> bool:
    return part is not None and not now.racy and part.stamp == now.text


def _stamps(vault: Vault) -> dict[str, Stamp] | None:
    """What the parts are compared with; None where there is nothing to compare."""
    if vault.revision is not None:
        return None
    try:
        found = {_MANIFESTS: stamp(vault, layout.TOOLS, deep=False)}
        for scope in vault.chain:
            folder = f"{layout.scope_folder(scope)}/{layout.RULES}"
            found[str(scope)] = stamp(vault, folder, deep=True)
    except (OSError, ToolmemError):
        return None
    return found


def _guards(vault: Vault, file: GuardFile) -> CompiledGuards:
    stated = file.parts[_MANIFESTS].index["manifests"]
    names = ToolNames(Manifest(name, tuple(also), "", {}) for name, also in stated)
    return CompiledGuards(file, vault.chain, names)


def _compiled(
    vault: Vault, stamps: Mapping[str, Stamp], old: GuardFile | None
) -> bytes:
    """The bytes of a new file: parts that are as they were, and the others anew."""
    parts: dict[str, NewPart] = {}
    for key, part in (old.parts if old else {}).items():
        if key not in stamps or _is_same(part, stamps[key]):
            parts[key] = NewPart(part.stamp, part.index, part.raw())
    if _MANIFESTS not in parts:
        made = [(one.name, one.aliases) for one in load_manifests(vault)[0]]
        text = stamps[_MANIFESTS].text if stamps else ""
        parts[_MANIFESTS] = NewPart(text, {"manifests": made}, b"")
    for scope in vault.chain:
        key = str(scope)
        if key not in parts:
            known = old.parts.get(key) if old else None
            parts[key] = _part(vault, scope, stamps.get(key), known)
    return assembled(_version(), parts, _shared(parts))


def _part(vault: Vault, scope: Scope, now: Stamp | None, known: Part | None) -> NewPart:
    """The rules of a scope; what is in folders that did not change is taken over."""
    changed = _changed(known, now)
    rules: list[CompiledRule] = []
    unreadable: list[tuple[str, str, str]] = []
    if changed is not None and known is not None:
        kept = decode(known.text(known.index["all"]), scope)
        rules = [one for one in kept if _folder(one.file.path) not in changed]
        broken = known.index["unreadable"]
        unreadable = [one for one in broken if _folder(one[1]) not in changed]
    read = read_rule_texts(load_rule_texts(vault, [scope], changed))
    rules += map(_compiled_rule, read.files)
    unreadable += [(one.tool, one.path, one.reason) for one in read.unreadable]
    return _laid_out(rules, unreadable, now)


def _folder(path: str) -> str:
    """The key of the tool's folder that a rule file lies in."""
    return folder_key(path.rsplit("/", 2)[-2])


def _changed(known: Part | None, now: Stamp | None) -> set[str] | None:
    """The folders (keys) with a change; None where all are to be read."""
    if known is None or now is None:
        return None
    lines = set(now.lines).symmetric_difference(known.stamp.split("\0"))
    lines.update(line for line in now.lines if line.endswith(RACY))
    lines.discard("")
    if not all("/" in line for line in lines):
        return None
    return {folder_key(line.partition("/")[0]) for line in lines}


def _compiled_rule(file: RuleFile) -> CompiledRule:
    rule = combine([file])[0].rule
    if rule is None:
        return CompiledRule(file, "", (), ())
    guards = guards_of(rule)
    return CompiledRule(
        file, tool_key(rule.tool), triggers_of(rule, guards), _names(guards)
    )


def _laid_out(
    rules: Sequence[CompiledRule],
    unreadable: Sequence[tuple[str, str, str]],
    now: Stamp | None,
) -> NewPart:
    buckets: dict[str, dict[str, list[CompiledRule]]] = {}
    names = {fold(tool) for tool, _, _ in unreadable}
    for rule in rules:
        names.update(rule.names)
        tool = buckets.setdefault(rule.tool, {}) if rule.tool else {}
        for trigger in rule.triggers:
            tool.setdefault(trigger, []).append(rule)
    raw = bytearray()

    def segment(text: str) -> Segment:
        data = text.encode()
        found = segment_of(data, len(raw))
        raw.extend(data)
        return found

    index = {
        "all": segment(encode(rules)),
        "ids": segment(json.dumps([rule.file.id for rule in rules])),
        "names": segment(json.dumps(sorted(names))),
        "unreadable": unreadable,
        "tools": {
            tool: {trigger: segment(encode(held)) for trigger, held in made.items()}
            for tool, made in buckets.items()
        },
    }
    return NewPart(now.text if now else "", index, bytes(raw))


def _shared(parts: Mapping[str, NewPart]) -> dict[str, str]:
    """The rules by part whose id more than one file has: they decide together."""
    scoped = {key: part for key, part in parts.items() if key != _MANIFESTS}
    counts = Counter(
        id_ for part in scoped.values() for id_ in json.loads(_cut(part, "ids"))
    )
    several = {id_ for id_, count in counts.items() if count > 1}
    if not several:
        return {}
    found = {}
    for key, part in scoped.items():
        rules = [r for r in decode(_cut(part, "all"), SYSTEM) if r.file.id in several]
        found[key] = encode(rules)
    return found


def _cut(part: NewPart, name: str) -> str:
    offset, length, _ = part.contents[name]
    return part.raw[offset : offset + length].decode()


@lru_cache(maxsize=1)
def _version() -> str:
    """A number for the form of the file and for the code that decides what is in it."""
    made_of: list[object] = [_FORMAT, Guard._fields, Rule._fields, KNOWN_KEYS]
    for module in (tables, stated, match, program, rule_file):
        with os.scandir(Path(module.__file__ or "").parent) as entries:
            found = [(one.name, one.stat()) for one in entries if one.is_file()]
        made_of += sorted((name, s.st_size, s.st_mtime_ns) for name, s in found)
    return f"{crc32(repr(made_of).encode()):08x}"
