"""Everything that is wrong with a vault, as a list; nothing hides the rest."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from toolmem.core import limits
from toolmem.core.access import permit
from toolmem.core.facts import parse as fact_texts
from toolmem.core.formats.toml_text import parse_toml
from toolmem.core.guard.derivation.stored import read_rule, without_stored
from toolmem.core.memories import memory_text
from toolmem.core.memories.links import by_folder, link_problems
from toolmem.core.merge import open_conflicts
from toolmem.core.model import Priority, Problem
from toolmem.core.names import decode_name, folder_key, tool_key
from toolmem.core.prompt import lint
from toolmem.core.rules.lint import lint_all, lint_file
from toolmem.core.rules.rule_file import RuleFile, key_line
from toolmem.core.text.conflict_marks import conflict_line
from toolmem.core.text.textlines import TextProblem
from toolmem.core.tools.manifest import Manifest, parse_manifest
from toolmem.errors import InvalidFileError, StorageError, ToolmemError
from toolmem.ops.doctor.labels import ambiguous_labels
from toolmem.ops.rules import compiled
from toolmem.ops.rules import examples as rule_examples
from toolmem.ops.rules.verdict_times import CURE, time_warning
from toolmem.store.files import layout, lock
from toolmem.store.files.layout import STATE
from toolmem.store.files.settings import SCHEMA
from toolmem.store.files.tree import Tree
from toolmem.store.files.walk import VaultFile, walk
from toolmem.store.vault.rule_files import RuleText, load_rule_texts
from toolmem.store.vault.rule_writer import edit_file
from toolmem.store.vault.vault import Vault, decode


@dataclass(frozen=True, slots=True)
class Report:
    """The problems by path and line.

    ``strict`` counts warnings, which time or capture may bring, as failures too;
    ``fixed`` are the files that were rewritten before.
    """

    problems: tuple[Problem, ...]
    strict: bool = False
    fixed: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Return whether the vault passes: no error and, if strict, no warning."""
        failing = ("error", "warning") if self.strict else ("error",)
        return all(problem.severity not in failing for problem in self.problems)

    def with_more(self, problems: Iterable[Problem]) -> "Report":
        """Return the report with further problems."""
        return replace(self, problems=_ordered((*self.problems, *problems)))


class FileResult(NamedTuple):
    """Problems of a file, and what other files may conflict with.

    ``rule`` is the rule in it, ``names`` are those of a manifest's tool. ``rivals`` are
    the memories that a memory is contested with, None for one that cannot be parsed and
    for other files.
    """

    problems: tuple[Problem, ...] = ()
    rule: RuleFile | None = None
    names: tuple[str, ...] = ()
    rivals: tuple[str, ...] | None = None


_PLAIN = FileResult()
"""Result of a file without anything to report."""


def check_vault(
    vault: Vault, *, strict: bool = False, fixed: tuple[str, ...] = ()
) -> Report:
    """Return the problems of all files of a vault; ``fixed`` is part of the report."""
    problems: list[Problem] = [*vault.problems, *_schema(vault), *_settings(vault)]
    rules: list[RuleFile] = []
    manifests: list[tuple[str, tuple[str, ...]]] = []
    rivals: dict[str, tuple[str, ...]] = {}
    tree = vault.tree.unrecorded
    for file in walk(tree):
        if isinstance(file, Problem):
            problems.append(file)
            continue
        result = _examine(tree, file)
        problems += result.problems
        if result.rule is not None:
            rules.append(result.rule)
        if result.names:
            manifests.append((file.path, result.names))
        if result.rivals is not None:
            rivals[file.path] = result.rivals
    problems += _unenforced(vault, rules)
    problems += link_problems(rivals)
    problems += lint_all(
        sorted(rules, key=lambda rule: by_folder(rule.path)), vault.now
    )
    problems += _aliases(sorted(manifests))
    late = time_warning(vault.now) if vault.revision is None else ""
    if late:
        problems.append(Problem(STATE, 0, "not-judged", f"{late}; {CURE}", "warning"))
    return Report(_ordered(problems), strict, fixed)


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


def _examine(tree: Tree, file: VaultFile) -> FileResult:
    """Check one file by itself."""
    if file.kind == "other":
        return _PLAIN  # pictures, long originals: not ours to judge
    if file.kind == "misplaced":
        reason = "is not in the folder of a tool"
        if not file.path.endswith(".toml"):
            reason = "its name does not end in .toml"
        message = f"{reason}: this rule is not read"
        return FileResult((Problem(file.path, 0, "misplaced-rule", message),))
    limit = (
        limits.RULE_FILE_BYTES
        if file.kind in ("rule", "manifest")
        else (limits.TEXT_FILE_BYTES)
    )
    try:
        data = tree.read(file.path, limit)
    except FileNotFoundError:
        return _PLAIN
    except InvalidFileError as error:
        return FileResult((_unreadable(error, file.path),))
    except StorageError as error:
        return FileResult((Problem(file.path, 0, "unreadable", str(error)),))
    return _result(file, data)


def _unreadable(error: InvalidFileError, path: str) -> Problem:
    return Problem(path, error.line, "unreadable", error.reason)


def _result(file: VaultFile, data: bytes) -> FileResult:
    """Return the defects of a file, and what the checks over all files need of it."""
    result = _PLAIN
    try:
        text = decode(data, file.path)
        conflict = conflict_line(text)
        if conflict:
            message = "the file has an unresolved merge conflict"
            problem = Problem(file.path, conflict, "conflict-marker", message)
            return FileResult((problem,))
        result = _parsed(file, text)
        own = _contents(file, text, result)
        return result._replace(problems=(*own, *_unresolved(file, text)))
    except InvalidFileError as error:
        return result._replace(problems=(_unreadable(error, file.path),))
    except StorageError as error:
        problem = Problem(file.path, 0, "unreadable", str(error))
        return result._replace(problems=(problem,))


def _parsed(file: VaultFile, text: str) -> FileResult:
    """Return what a file contains, without its problems."""
    match file.kind:
        case "rule":
            return FileResult(rule=_rule_file(file, text))
        case "manifest":
            manifest = _manifest(file, text)
            return FileResult(names=(manifest.name, *manifest.aliases))
        case "memory":
            parsed = memory_text.parse_memory(text, path=file.path)
            return FileResult(
                _own(file, (*parsed.problems, *ambiguous_labels(parsed))),
                rivals=parsed.contested_with,
            )
    return _PLAIN


def _unresolved(file: VaultFile, text: str) -> Iterator[Problem]:
    """Yield unresolved conflicts: the file is valid and contains both sides."""
    if "conflict" not in text:
        return
    for conflict in open_conflicts.conflicts_of(file.kind, text, file.path):
        message = (
            f"{conflict.key} was changed on both sides: `toolmem resolve {file.path}`"
        )
        yield Problem(file.path, conflict.line, "merge-conflict", message)


def _contents(file: VaultFile, text: str, parsed: FileResult) -> Iterator[Problem]:
    match file.kind:
        case "rule":
            if parsed.rule is not None:
                yield from _rule(parsed.rule, text)
        case "manifest":
            permit.read_access(_manifest(file, text).stated, file.path)
        case "facts":
            yield from _own(file, fact_texts.parse_facts(text).problems)
        case "memory":
            yield from parsed.problems
        case "prose":
            yield from lint.lint_prose(file.path, text)
            if file.name == layout.PROFILE:
                yield from lint.lint_role(file.path, text)
            elif f"/{layout.GUIDANCE}/" in f"/{file.path}":
                yield from lint.lint_guidance(file.path, text)


def _own(file: VaultFile, problems: Iterable[TextProblem]) -> tuple[Problem, ...]:
    return tuple(
        Problem(
            file.path, problem.line, problem.code, problem.message, problem.severity
        )
        for problem in problems
    )


def _manifest(file: VaultFile, text: str) -> Manifest:
    name = decode_name(file.name.removesuffix(".toml"))
    return parse_manifest(text, path=file.path, name=name)


def _rule_file(file: VaultFile, text: str) -> RuleFile | None:
    scope = layout.scope_of(file.path)
    if scope is None:
        return None
    folder_tool = folder_key(file.path.split("/")[-2])
    return read_rule(text, path=file.path, scope=scope, folder_tool=folder_tool)


def fix_rules(vault: Vault) -> tuple[str, ...]:
    """Remove the derived guards that older versions stored; return the files."""
    vault.require_writable()
    fixed: list[str] = []
    with lock.hold(vault.root):
        for entry in load_rule_texts(vault, layout.all_scopes(vault.tree)):
            if not isinstance(entry, RuleText) or not isinstance(entry.data, bytes):
                continue
            with suppress(InvalidFileError):  # `check` reports it
                before = decode(entry.data, entry.path)
                if edit_file(vault, entry.path, {}) != before:
                    fixed.append(entry.path)
    return tuple(fixed)


def _rule(file: RuleFile, text: str) -> Iterator[Problem]:
    raw = parse_toml(text, file.path)
    yield from lint_file(file, raw, text)
    yield from _stored_guards(file, raw, text)
    if file.stated.get("guard"):
        tables = file.stated["guard"]
        yield from rule_examples.guard_problems(tables, file.path, text)[1]
    if file.stated.get("duty"):
        tables = file.stated["duty"]
        yield from rule_examples.duty_problems(tables, file.path, text)[1]


def _unenforced(vault: Vault, rules: Iterable[RuleFile]) -> Iterator[Problem]:
    """Report critical rules that nothing enforces."""
    advice = [
        file
        for file in rules
        if file.stated.get("priority") == Priority.CRITICAL
        and file.stated.get("rule")
        and "guard" not in file.stated
    ]
    if not advice:
        return
    chain = tuple(layout.all_scopes(vault.tree))
    every = compiled.every_rule(vault.with_chain(chain))
    guarded = {rule.file.path for rule in every if rule.guards}
    message = (
        "critical, but advice only: no command, path or address in its text can be "
        "checked; name one in backquotes, or add a [[guard]]"
    )
    for file in advice:
        if file.path not in guarded:
            line = key_line(vault.text(file.path) or "", "rule")
            yield Problem(file.path, line, "advice-only", message, "note")


def _stored_guards(
    file: RuleFile, raw: Mapping[str, Any], text: str
) -> Iterator[Problem]:
    """Report guards with ``derived = true``, which older versions stored."""
    tables = without_stored(raw, file.folder_tool)
    if not tables:
        return
    line, fix = key_line(text, "guard"), "`toolmem check --fix` removes"
    if tables["guard"]:
        message = (
            "a guard marked `derived = true` does not follow from the text: it is "
            f"explicit, and no guard is derived; {fix} the mark"
        )
        yield Problem(file.path, line, "stored-guard", message, "warning")
    else:
        message = f"derived guards are not stored any more and are ignored; {fix} them"
        yield Problem(file.path, line, "stored-guard", message, "note")


def _aliases(manifests: Iterable[tuple[str, tuple[str, ...]]]) -> Iterator[Problem]:
    owner: dict[str, str] = {}
    for path, names in manifests:
        for name in names:
            try:
                key = tool_key(name)
            except ToolmemError:
                continue
            known = owner.setdefault(key, path)
            if known != path:
                yield Problem(
                    path, 1, "duplicate-alias", f"{name!r} is also a name in {known}"
                )
