"""Context of a capture: the rules in effect and the known tools."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from toolmem.core import limits
from toolmem.core.agents.registry import tools_of
from toolmem.core.candidates.captured import CAPTURED, is_evidence_at
from toolmem.core.candidates.place import scope_for, stated_scope
from toolmem.core.capture.relate.names import ToolWords
from toolmem.core.capture.relate.rules import KnownRule
from toolmem.core.comparison.same import same_text
from toolmem.core.formats.toml_text import parse_toml
from toolmem.core.model import ANY_TOOL, Priority, Rule, Scope
from toolmem.core.names import clean_name, fold
from toolmem.core.rules.effective import combine, rule_from
from toolmem.core.tools.manifest import ToolNames
from toolmem.core.transcript.events import ToolKind
from toolmem.core.transcript.tools import kind_of
from toolmem.errors import InvalidFileError, UsageError
from toolmem.store.files import layout
from toolmem.store.vault.pointer import foreign_project
from toolmem.store.vault.rule_files import load_manifests, load_rule_files
from toolmem.store.vault.vault import Vault, decode


class CaptureContext:
    """The rules that hold where a message is captured; it follows what capture does.

    Rules are those of the vault's chain and of the scope that is written to;
    ``ids`` are those of all rule files there, also of what does not hold. With
    ``asked`` a person named the scope.
    """

    def __init__(self, vault: Vault, scope: Scope, *, asked: bool = False) -> None:
        chain = dict.fromkeys((*vault.chain, scope))
        files = load_rule_files(vault, chain)
        self._manifests = load_manifests(vault)[0]
        self.names = ToolNames(self._manifests)
        in_effect = (
            e.rule for e in combine(files.files) if e.rule and e.is_in_effect(vault.now)
        )
        self._vault = vault
        self.scope = scope
        self._asked = asked
        self._rules = {rule.id: rule for rule in in_effect}
        self._files = {file.id: file for file in files.files if file.scope == scope}
        self.ids = {file.id for file in files.files}
        self._archived: dict[tuple[Scope, str], frozenset[str]] = {}
        self._tools: dict[tuple[Sequence[str], ...], tuple[ToolWords, ...]] = {}

    def rule(self, rule_id: str) -> Rule:
        """The rule with this id."""
        return self._rules[rule_id]

    def file_rule(self, rule_id: str) -> Rule | None:
        """Return the rules in a file of the scope, in effect or not."""
        file = self._files.get(rule_id)
        if file is None or "rule" not in file.stated:
            return self._rules.get(rule_id)
        return rule_from(file.stated, file)

    def same_text(self, key: str, text: str) -> str | None:
        """The id of a rule of a tool that reads so."""
        for rule in self._rules.values():
            if self.names.key(rule.tool) == key and same_text(rule.rule, text):
                return rule.id
        return None

    def add(self, rule: Rule) -> None:
        """Take note of a rule that was made or changed."""
        self._rules[rule.id] = rule
        self.ids.add(rule.id)
        self._tools.clear()

    def drop(self, rule_id: str) -> None:
        """Take note that a rule is gone."""
        rule = self._rules.pop(rule_id, None)
        self.ids.discard(rule_id)
        self._tools.clear()
        if rule is not None:
            place = (rule.scope, self.names.key(rule.tool))
            self._archived[place] = self.archived(*place) | {rule_id}

    def archived(self, scope: Scope, key: str) -> frozenset[str]:
        """The ids of a tool's retired rules in a scope."""
        ids = self._archived.get((scope, key))
        if ids is None:
            folder = layout.archived(layout.rules_folder(scope, key))
            listed = self._vault.tree.read_all(folder, ".toml", limits.RULE_FILE_BYTES)
            ids = frozenset(_ids_of(path, data) for path, data in listed)
            self._archived[scope, key] = ids
        return ids

    def spelt(self, tools: Iterable[str]) -> tuple[str, ...]:
        """The tools as their manifests spell them; every tool where there are none.

        What cannot be a tool's name is left out.
        """
        named = (tool.strip() for tool in tools if _is_name(tool))
        spellings = (
            self.names.spelling(self.names.key(tool)) or tool for tool in named
        )
        return tuple(dict.fromkeys(spellings)) or (ANY_TOOL,)

    def stated_at(self, place: str) -> tuple[str, ...]:
        """The ids of the rules that were captured in a place, the latest first."""
        captured = [
            rule
            for rule in self._rules.values()
            if CAPTURED in rule.tags and is_evidence_at(rule.evidence or "", place)
        ]
        captured.sort(key=lambda rule: (rule.created_at, rule.id), reverse=True)
        return tuple(rule.id for rule in captured)

    def target(self, sentence: str, *, ban: bool) -> Scope:
        """The scope of a rule: the one that was asked for, or by its sentence."""
        if self._asked:
            return self.scope
        return scope_for(sentence, ban=ban, here=self.scope)

    def criticals(self) -> int:
        """Return the number of critical rules in effect."""
        return sum(r.priority is Priority.CRITICAL for r in self._rules.values())

    def of_tool(self, tool: str) -> tuple[KnownRule, ...]:
        """The rules of a tool and those of every tool; for every tool, all rules."""
        keys = {self.names.key(tool), ANY_TOOL}
        return tuple(
            KnownRule(rule.id, rule.tool, rule.rule)
            for rule in self._rules.values()
            if tool == ANY_TOOL or self.names.key(rule.tool) in keys
        )

    def every(self) -> tuple[KnownRule, ...]:
        """All rules."""
        return self.of_tool(ANY_TOOL)

    def tool_words(
        self, declared: Sequence[str], used: Sequence[str], agent: str
    ) -> tuple[ToolWords, ...]:
        """The tools that a message may mean, with the words that mean them.

        Those that the agent declared and used; where it declares none, also what
        it brings along and what the vault knows.
        """
        asked = (declared, used, (agent,))
        words = self._tools.get(asked)
        if words is None:
            named = self._tool_names(declared, used, agent)
            words = self._tools[asked] = tuple(self._words(named))
        return words

    def _tool_names(
        self, declared: Sequence[str], used: Sequence[str], agent: str
    ) -> list[str]:
        names = [*declared, *used]
        if not declared:
            names += [m.name for m in self._manifests]
            names += [r.tool for r in self._rules.values() if r.tool != ANY_TOOL]
            names += _gaps(tools_of(agent), used)
        return names

    def _words(self, names: Iterable[str]) -> Iterable[ToolWords]:
        manifests = {self.names.key(m.name): m for m in self._manifests}
        seen: set[str] = set()
        for name in filter(_is_name, dict.fromkeys(names)):
            key = self.names.key(name)
            if key in seen or key == ANY_TOOL:
                continue
            seen.add(key)
            manifest = manifests.get(key)
            if manifest is None:
                yield ToolWords(name)
                continue
            also = {fold(alias): alias for alias in (*manifest.aliases, name)}
            also.pop(fold(manifest.name), None)
            yield ToolWords(
                manifest.name,
                tuple(also.values()),
                manifest.verbs,
                manifest.arguments,
            )


def typed_scope(vault: Vault, cwd: str) -> Scope:
    """Return the scope of the project in which a message is typed.

    A repository is a project of the user's vault, also if the vault has no rule of it
    yet, unless the repository contains the vault.
    """
    scope = vault.write_scope
    if scope.kind != "project" and cwd:
        name = foreign_project(Path(cwd), vault.root)
        return Scope("project", name) if name else scope
    return scope


def stated_by(words: str, vault: Vault, cwd: str) -> Scope | None:
    """Return the scope that the words of a rule name, None if they name none."""
    return stated_scope(words, typed_scope(vault, cwd))


def _is_name(tool: str) -> bool:
    try:
        clean_name(tool)
    except UsageError:
        return False
    return True


def _ids_of(path: str, data: bytes | InvalidFileError) -> str:
    """The id that an archived file states; what cannot be read states none."""
    if isinstance(data, InvalidFileError):
        return ""
    try:
        return str(parse_toml(decode(data, path), path).get("id", ""))
    except InvalidFileError:
        return ""


def _gaps(toolbox: Iterable[str], used: Iterable[str]) -> list[str]:
    """The tools brought along, but for those of a kind of which one was used."""
    kinds = {kind_of(name, {}) for name in used} - {ToolKind.OTHER, ToolKind.MCP}
    return [name for name in toolbox if kind_of(name, {}) not in kinds]
