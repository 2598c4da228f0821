"""The rules that a call may be subject to, out of the compiled guards.

What is compiled follows from the files of the vault alone and is brought up to date
here, part by part, before it is used.
"""

import time
from collections.abc import Container, Iterator, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from toolmem.core.guard import derive
from toolmem.core.guard.compiled import (
    CompiledRule,
    Probe,
    Row,
    ToolRule,
    from_row,
    shown_rule,
)
from toolmem.core.guard.derivation import stated
from toolmem.core.model import Rule, Scope
from toolmem.core.patterns import match
from toolmem.core.rules import guard_table, rule_file
from toolmem.core.rules.effective import combine
from toolmem.core.rules.guard_table import Guard
from toolmem.core.rules.rule_file import (
    KNOWN_KEYS,
    RuleFile,
    UnreadableRule,
    override_alone,
)
from toolmem.core.rules.table_text import from_text
from toolmem.core.shell import programs
from toolmem.core.tools.manifest import Manifest, ToolNames
from toolmem.errors import ToolmemError
from toolmem.ops.rules import compilation
from toolmem.store.files import layout
from toolmem.store.files.tree import OpenFolders
from toolmem.store.guards.guard_file import (
    UNLIKE,
    DamagedError,
    GuardFile,
    Part,
    code_version,
    open_guard_file,
    save,
)
from toolmem.store.guards.stamp import Stamp, is_unchanged, stamp
from toolmem.store.vault.vault import Vault

_FORMAT = 8


class CompiledGuards(NamedTuple):
    """The compiled rules of a vault's chain; each part is as its folder is now."""

    file: GuardFile
    chain: tuple[Scope, ...]
    names: ToolNames

    def tools(self) -> set[str]:
        """The keys of the tools that any rule is for."""
        keys: set[str] = set()
        for _, part in self._parts():
            keys.update(part.index["tools"], part.index["shown"])
        return {self.names.key(key) for key in keys}

    def every(self) -> Iterator[CompiledRule]:
        """All rule files of the chain."""
        for scope, part in self._parts():
            for row in part.value(part.index["all"]):
                yield from_row(row, scope)

    def unreadable(self) -> tuple[UnreadableRule, ...]:
        """The files that cannot be read."""
        return tuple(
            UnreadableRule(tool, scope, path, reason, line)
            for scope, part in self._parts()
            for tool, path, reason, line in part.index["unreadable"]
        )

    def newer(self) -> dict[str, int]:
        """The files of a newer format, with its number."""
        return {path: n for _, part in self._parts() for path, n in part.index["newer"]}

    def overrides_alone(self) -> list[UnreadableRule]:
        """The overrides whose rule is not in the chain."""
        overrides = [
            override_alone(id_, tool, scope, path)
            for scope, part in self._parts()
            for id_, tool, path in part.index["overrides"]
        ]
        if not overrides:
            return []
        shared = [rule for scope in self.chain for rule in self._shared(scope)]
        stated = {rule.file.id for rule in shared if "rule" in rule.file.stated}
        return [rule for rule in overrides if rule.overrides not in stated]

    def select(self, tools: Container[str], probe: Probe) -> list[CompiledRule]:
        """The rule files for some tools (keys) that a call may meet.

        Files that change or repeat the rule of another file are always among them.
        """
        selected: dict[tuple[Any, ...], CompiledRule] = {}
        for scope, part in self._parts():
            for rule in self._shared(scope):
                selected[_identity(rule.file)] = rule
            for key, triggers in part.index["tools"].items():
                if self.names.key(key) not in tools:
                    continue
                for segment in probe.chosen(part.value(triggers)):
                    for row in part.value(segment):
                        rule = from_row(row, scope)
                        selected[_identity(rule.file)] = rule
        return list(selected.values())

    def with_duties(self, probe: Probe | None) -> list[CompiledRule]:
        """The rule files with duties that a call concerns, or the end of a turn.

        Files that change or repeat the rule of another file are among them, if any
        file has duties.
        """
        selected: dict[tuple[Any, ...], CompiledRule] = {}
        for scope, part in self._parts():
            for row in self._with_duties(part, probe):
                rule = from_row(row, scope)
                selected[_identity(rule.file)] = rule
        if selected or self._any_shared_duty():
            for scope, _ in self._parts():
                for rule in self._shared(scope):
                    selected[_identity(rule.file)] = rule
        return list(selected.values())

    def has_duties(self) -> bool:
        """Return whether any rule file may have a duty."""
        keys = ("duties", "ends")
        own = any(part.index[key] for _, part in self._parts() for key in keys)
        return own or self._any_shared_duty()

    def _with_duties(self, part: Part, probe: Probe | None) -> Iterator[Sequence[Any]]:
        segment = part.index["ends" if probe is None else "duties"]
        if segment is None:
            return
        if probe is None:
            yield from part.value(segment)
            return
        for chosen in probe.chosen(part.value(segment)):
            yield from part.value(chosen)

    def _any_shared_duty(self) -> bool:
        rows = (Row(*row) for rows in self._rows().values() for row in rows)
        return any('"duty"' in row.stated or row.duties != "[]" for row in rows)

    def shown(self, tools: Container[str], now: datetime) -> Iterator[ToolRule]:
        """The rules in effect that calls of some tools (keys) show.

        Of several files with one id only what they make up together counts: those
        are not among these.
        """
        together = self.shared_ids()
        for _, part in self._parts():
            for key, segment in part.index["shown"].items():
                if self.names.key(key) in tools:
                    for row in part.value(segment):
                        rule = shown_rule(row)
                        gone = rule.expires and rule.expires <= now.timestamp()
                        if not gone and rule.id not in together:
                            yield rule

    def shared_ids(self) -> set[str]:
        """The ids that more than one file has."""
        return {row[0] for rows in self._rows().values() for row in rows}

    def guarded(self, rule: Rule) -> Rule:
        """Return a rule that several files make up, with its guards."""
        if "guard" in rule.stated:
            return rule
        known = self.file.shared.get("derived", {}).get(rule.rule, {}).get(rule.tool)
        if known is None:
            return rule._replace(guards=stated.guards_in_force(rule))
        return rule._replace(guards=stated.by_priority(from_text(known), rule.priority))

    def scan_names(self) -> Iterator[str]:
        """Words of a plain scan; empty for a rule that any call may match."""
        shared: list[RuleFile] = []
        for scope, part in self._parts():
            yield from part.value(part.index["names"])
            shared += (rule.file for rule in self._shared(scope))
        for entry in combine(shared):
            if entry.rule:
                yield from compilation.stop_names(self.guarded(entry.rule))

    def _shared(self, scope: Scope) -> list[CompiledRule]:
        """The rules of a scope that change or repeat the rule of another file."""
        rows = self._rows().get(str(scope), ())
        return [from_row(row, scope) for row in rows]

    def _rows(self) -> Mapping[str, Sequence[tuple[Any, ...]]]:
        rows: Mapping[str, Any] = self.file.shared.get("rows", {})
        return rows

    def _parts(self) -> Iterator[tuple[Scope, Part]]:
        for scope in self.chain:
            yield scope, self.file.parts[str(scope)]


def _identity(file: RuleFile) -> tuple[Any, ...]:
    """A file with a conflict contains more than one rule."""
    return file.path, file.stated.get("rule"), file.stated.get("tool")


def compiled_guards(vault: Vault, *, rebuild: bool = False) -> CompiledGuards:
    """The compiled guards of the vault's chain, brought up to date where needed.

    ``rebuild``: all are compiled, because those of the file turned out to be damaged.
    """
    version = _version()
    old = stamps = None
    begun = time.time_ns()
    if vault.revision is None:  # else there are no times to compare with
        old = None if rebuild else open_guard_file(vault.root, version)
        if old is not None and _is_fresh(vault, old):
            return _guards(vault, old)
        stamps = _stamps(vault, begun)
    data = compilation.compiled(vault, version, stamps or {}, old)
    if stamps is not None and _stamps(vault, begun) == stamps:
        save(vault.root, data)  # nothing changed while it was read
    return _guards(vault, GuardFile(version, data=data))


def every_rule(vault: Vault) -> list[CompiledRule]:
    """Return all rule files of the chain, compiled again if the stored are damaged."""
    try:
        return list(compiled_guards(vault).every())
    except (DamagedError, *UNLIKE):
        return list(compiled_guards(vault, rebuild=True).every())


def has_duties(vault: Vault) -> bool:
    """Return whether a rule in force may have a duty."""
    return any(compiled_guards(place).has_duties() for place in vault.in_force)


def known_guards(vault: Vault) -> CompiledGuards | None:
    """The compiled guards if they are up to date, without compiling anything."""
    old = open_guard_file(vault.root, _version())
    fresh = old is not None and _is_fresh(vault, old)
    return _guards(vault, old) if old is not None and fresh else None


def effects(vault: Vault, rules: Sequence[Rule]) -> tuple[str, ...]:
    """Return what each of some rules of any scopes does, in a few words."""
    compiled: dict[str, CompiledGuards] = {}
    tables: dict[tuple[str, str], stated.Tables] = {}
    due: dict[str | None, tuple[dict[str, Any], ...]] = {}
    for each in vault.in_force:
        origin = "" if each is vault else str(each.root)
        guards = compiled_guards(each.with_chain(tuple(layout.all_scopes(each.tree))))
        compiled[origin], shared = guards, guards.shared_ids()
        for file, *_, denied, _shown, duties in guards.every():
            if file.id not in shared:
                tables[origin, file.path] = denied, duties
            if not {"duty", "guard"} & file.stated.keys():
                due[file.stated.get("rule")] = duties

    def described(rule: Rule) -> str:
        known = tables.get((rule.vault, rule.path))
        if known is None and not {"duty", "guard"} & rule.stated.keys():
            guards = compiled[rule.vault].guarded(rule).guards
            known = guards, due.get(rule.rule, ())
        return stated.effect_of(rule, known)

    return tuple(map(described, rules))


def _folders(vault: Vault) -> dict[str, str]:
    """The folder of each part."""
    folders = {layout.TOOLS: layout.TOOLS}
    for scope in vault.chain:
        folders[str(scope)] = f"{layout.scope_folder(scope)}/{layout.RULES}"
    return folders


def _is_fresh(vault: Vault, file: GuardFile) -> bool:
    """Return whether each part is that of its folder now; False for a damaged one."""
    try:
        with OpenFolders(vault.root) as parents:
            return all(
                key in file.parts
                and is_unchanged(parents, folder, file.parts[key].stamp)
                for key, folder in _folders(vault).items()
            )
    except (OSError, ToolmemError, DamagedError, *UNLIKE):
        return False


def _stamps(vault: Vault, begun: int) -> dict[str, Stamp] | None:
    """The folders as they are; None where one cannot be listed.

    ``begun`` is when the files began to be read, in nanoseconds.
    """
    try:
        with OpenFolders(vault.root) as parents:
            return {
                key: stamp(parents, folder, deep=key != layout.TOOLS, begun=begun)
                for key, folder in _folders(vault).items()
            }
    except (OSError, ToolmemError):
        return None


def _guards(vault: Vault, file: GuardFile) -> CompiledGuards:
    stated = file.parts[layout.TOOLS].index["manifests"]
    names = ToolNames(Manifest(name, tuple(also), "", {}) for name, also in stated)
    return CompiledGuards(file, vault.chain, names)


@lru_cache(maxsize=1)
def _version() -> str:
    """A number for the form of the file and for the code that decides what is in it."""
    places = [__file__]
    for module in (guard_table, derive, stated, match, programs, rule_file):
        places.append(module.__file__ or "")
    folders = [Path(place).parent for place in places]
    return code_version(folders, _FORMAT, KNOWN_KEYS, Guard._fields, Rule._fields)
