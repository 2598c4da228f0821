"""Everything that is wrong with a vault, as a list; nothing hides the rest."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from toolmem.core import limits
from toolmem.core.access.permit import read_access
from toolmem.core.facts.parse import parse_facts
from toolmem.core.formats.toml_text import parse_toml
from toolmem.core.memories.links import MemoryLinks, link_problems, links_of
from toolmem.core.memories.memory_text import parse_memory
from toolmem.core.merge import open_conflicts
from toolmem.core.model import Problem
from toolmem.core.names import decode_name, folder_key, tool_key
from toolmem.core.prompt.lint import lint_prose
from toolmem.core.rules.lint import lint_all, lint_file
from toolmem.core.rules.rule_file import RuleFile, parse_rule_file
from toolmem.core.text.conflict_marks import conflict_line
from toolmem.core.tools.manifest import Manifest, parse_manifest
from toolmem.errors import InvalidFileError, StorageError, ToolmemError
from toolmem.ops.rules import examples as rule_examples
from toolmem.ops.rules.verdict_times import CURE, time_warning
from toolmem.store.files import layout
from toolmem.store.files.layout import STATE
from toolmem.store.files.settings import SCHEMA
from toolmem.store.files.walk import VaultFile, walk
from toolmem.store.vault.vault import Vault, decode


@dataclass(frozen=True, slots=True)
class Report:
    """The problems by path and line.

    ``strict`` counts warnings, which time or capture may bring, as failures too.
    """

    problems: tuple[Problem, ...]
    strict: bool = False

    @property
    def ok(self) -> bool:
        """Return whether the vault passes: no error and, if strict, no warning."""
        failing = ("error", "warning") if self.strict else ("error",)
        return all(problem.severity not in failing for problem in self.problems)

    def with_more(self, problems: Iterable[Problem]) -> "Report":
        """Return the report with further problems."""
        return replace(self, problems=_ordered((*self.problems, *problems)))


def check_vault(vault: Vault, *, strict: bool = False) -> Report:
    """Return the problems of every file of the vault."""
    problems: list[Problem] = [*vault.problems, *_schema(vault), *_settings(vault)]
    rules: list[RuleFile] = []
    manifests: list[Manifest] = []
    memories: list[MemoryLinks] = []
    for found in walk(vault.tree):
        if isinstance(found, Problem):
            problems.append(found)
            continue
        problems += _look(vault, found, rules, manifests, memories)
    problems += link_problems(memories)
    problems += lint_all(rules, vault.now)
    problems += _aliases(manifests)
    late = time_warning(vault.now) if vault.revision is None else ""
    if late:
        problems.append(Problem(STATE, 0, "not-judged", f"{late}; {CURE}", "warning"))
    return Report(_ordered(problems), strict)


def _ordered(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    return tuple(
        sorted(set(problems), key=lambda p: (p.path, p.line, p.code, p.message))
    )


def _schema(vault: Vault) -> Iterator[Problem]:
    if vault.is_newer:
        yield Problem(
            layout.SETTINGS,
            1,
            "newer-schema",
            f"the vault has a newer schema than {SCHEMA}: it is read-only until you "
            "upgrade toolmem",
        )


def _settings(vault: Vault) -> Iterator[Problem]:
    """Yield unresolved conflicts in the settings, which are still readable."""
    text = vault.text(layout.SETTINGS) or ""
    yield from _unresolved(VaultFile(layout.SETTINGS, "settings"), text)


def _look(
    vault: Vault,
    found: VaultFile,
    rules: list[RuleFile],
    manifests: list[Manifest],
    memories: list[MemoryLinks],
) -> list[Problem]:
    """The defects of one file; what it holds is kept for the checks over all."""
    if found.kind == "other":
        return []  # pictures, long originals: not ours to judge
    if found.kind == "misplaced":
        reason = "is not in the folder of a tool"
        if not found.path.endswith(".toml"):
            reason = "its name does not end in .toml"
        message = f"{reason}: this rule is not read"
        return [Problem(found.path, 0, "misplaced-rule", message)]
    limit = (
        limits.RULE_FILE_BYTES
        if found.kind in ("rule", "manifest")
        else (limits.TEXT_FILE_BYTES)
    )
    try:
        text = decode(vault.tree.read(found.path, limit), found.path)
        conflict = conflict_line(text)
        if conflict:
            message = "the file has an unresolved merge conflict"
            return [Problem(found.path, conflict, "conflict-marker", message)]
        contents = _contents(found, text, rules, manifests, memories)
        return [*contents, *_unresolved(found, text)]
    except FileNotFoundError:
        return []
    except InvalidFileError as error:
        return [Problem(found.path, error.line, "unreadable", error.reason)]
    except StorageError as error:
        return [Problem(found.path, 0, "unreadable", str(error))]


def _unresolved(found: VaultFile, text: str) -> Iterator[Problem]:
    """Yield unresolved conflicts: the file is valid and contains both sides."""
    if "conflict" not in text:
        return
    for conflict in open_conflicts.conflicts_of(found.kind, text, found.path):
        message = (
            f"{conflict.key} was changed on both sides: `toolmem resolve {found.path}`"
        )
        yield Problem(found.path, conflict.line, "merge-conflict", message)


def _contents(
    found: VaultFile,
    text: str,
    rules: list[RuleFile],
    manifests: list[Manifest],
    memories: list[MemoryLinks],
) -> Iterator[Problem]:
    match found.kind:
        case "rule":
            yield from _rule(found, text, rules)
        case "manifest":
            name = decode_name(found.name.removesuffix(".toml"))
            manifest = parse_manifest(text, path=found.path, name=name)
            manifests.append(manifest)
            read_access(manifest.stated, found.path)
        case "facts":
            for problem in parse_facts(text).problems:
                yield Problem(
                    found.path,
                    problem.line,
                    problem.code,
                    problem.message,
                    problem.severity,
                )
        case "memory":
            parsed = parse_memory(text, path=found.path)
            memories.append(links_of(parsed))
            for problem in parsed.problems:
                yield Problem(
                    found.path,
                    problem.line,
                    problem.code,
                    problem.message,
                    problem.severity,
                )
        case "prose":
            yield from lint_prose(found.path, text)


def _rule(found: VaultFile, text: str, rules: list[RuleFile]) -> Iterator[Problem]:
    scope = layout.scope_of(found.path)
    if scope is None:
        return
    folder_tool = folder_key(found.path.split("/")[-2])
    file = parse_rule_file(text, path=found.path, scope=scope, folder_tool=folder_tool)
    rules.append(file)
    yield from lint_file(file, parse_toml(text, found.path), text)
    if file.stated.get("guard"):
        tables = file.stated["guard"]
        yield from rule_examples.guard_problems(tables, found.path, text)[1]


def _aliases(manifests: Iterable[Manifest]) -> Iterator[Problem]:
    owner: dict[str, str] = {}
    for manifest in manifests:
        for name in (manifest.name, *manifest.aliases):
            try:
                key = tool_key(name)
            except ToolmemError:
                continue
            known = owner.setdefault(key, manifest.path)
            if known != manifest.path:
                yield Problem(
                    manifest.path,
                    1,
                    "duplicate-alias",
                    f"{name!r} is also a name in {known}",
                )
