"""Load rule files of a vault, and the rules that are in force by them.

A broken file neither hides another nor is lost. Every surface asks here; the guard,
which parses only the files that a call may concern, combines them with the same
function.
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.guard.derivation.stored import read_rule
from toolmem.core.model import ANY_TOOL, Rule, Scope
from toolmem.core.names import decode_name, folder_key
from toolmem.core.rules.contradictions import in_effect as while_contested
from toolmem.core.rules.effective import combine
from toolmem.core.rules.rule_file import (
    RuleFile,
    RuleFiles,
    UnreadableRule,
    override_alone,
)
from toolmem.core.tools.manifest import Manifest, ToolNames, parse_manifest
from toolmem.errors import InvalidFileError
from toolmem.store.files import layout
from toolmem.store.vault.vault import Vault, decode


class InEffect(NamedTuple):
    """Rules of one vault that are in effect, and that vault's names of tools."""

    rules: tuple[Rule, ...]
    unreadable: tuple[UnreadableRule, ...]
    names: ToolNames


class RuleText(NamedTuple):
    """A rule file that was read but not parsed, or why it cannot be read."""

    path: str
    scope: Scope
    folder_tool: str
    data: bytes | InvalidFileError


def load_rule_files(vault: Vault, scopes: Iterable[Scope]) -> RuleFiles:
    """Return every rule and override file of the scopes."""
    loaded = vault.tree.rule_files
    if loaded is not None:
        chosen = [loaded[scope] for scope in scopes if scope in loaded]
        return RuleFiles(
            tuple(file for files in chosen for file in files.files),
            tuple(entry for files in chosen for entry in files.unreadable),
        )
    return read_rule_texts(load_rule_texts(vault, scopes))


def load_rule_texts(
    vault: Vault, scopes: Iterable[Scope], tools: Container[str] | None = None
) -> list[RuleText | UnreadableRule]:
    """Return the same files unparsed, or only those in the folders of ``tools``."""
    return [entry for scope in scopes for entry in _scope_files(vault, scope, tools)]


def read_rule_texts(texts: Iterable[RuleText | UnreadableRule]) -> RuleFiles:
    """Parse rule files; return also those that cannot be read.

    A file in conflict has the effect of its stricter side.
    """
    files: list[RuleFile] = []
    unreadable: list[UnreadableRule] = []
    for entry in texts:
        parsed = entry if isinstance(entry, UnreadableRule) else _parsed(entry)
        if isinstance(parsed, UnreadableRule):
            unreadable.append(parsed)
        else:
            files += while_contested(parsed)
    return RuleFiles(tuple(files), tuple(unreadable))


def _scope_files(
    vault: Vault,
    scope: Scope,
    wanted: Container[str] | None,
    archived: bool = False,
) -> Iterator[RuleText | UnreadableRule]:
    folder = f"{layout.scope_folder(scope)}/{layout.RULES}"
    folder = layout.archived(folder) if archived else folder
    try:
        tools = vault.tree.entries(folder)
    except InvalidFileError as error:
        yield UnreadableRule(ANY_TOOL, scope, folder, error.reason)
        return
    for entry in tools:
        inside, tool = f"{folder}/{entry.name}", folder_key(entry.name)
        if wanted is not None and tool not in wanted:
            continue
        if entry.kind == "link":
            yield UnreadableRule(tool, scope, inside, "is a link")
        elif entry.kind == "folder":
            files = vault.tree.read_all(inside, ".toml", limits.RULE_FILE_BYTES)
            yield from (RuleText(path, scope, tool, data) for path, data in files)


@lru_cache(maxsize=4_096)  # two commits have most rules in common
def _parsed(entry: RuleText) -> RuleFile | UnreadableRule:
    path, scope, tool, data = entry
    try:
        if isinstance(data, InvalidFileError):
            raise data
        return read_rule(decode(data, path), path=path, scope=scope, folder_tool=tool)
    except InvalidFileError as error:
        return UnreadableRule(tool, scope, path, error.reason, error.line)


def load_manifests(vault: Vault) -> tuple[tuple[Manifest, ...], list[InvalidFileError]]:
    """Return the tool manifests, and why others cannot be read."""
    manifests: list[Manifest] = []
    broken: list[InvalidFileError] = []
    try:
        listed = vault.tree.read_all(layout.TOOLS, ".toml", limits.RULE_FILE_BYTES)
    except InvalidFileError as error:
        return (), [error]
    for path, data in listed:
        name = decode_name(path.rpartition("/")[2].removesuffix(".toml"))
        try:
            if isinstance(data, InvalidFileError):
                raise data
            manifests.append(parse_manifest(decode(data, path), path=path, name=name))
        except InvalidFileError as error:
            broken.append(error)
    return tuple(manifests), broken


def load_tool_names(vault: Vault) -> ToolNames:
    """Return the tools' keys, aliases and spellings."""
    return vault.tree.tool_names or ToolNames(load_manifests(vault)[0])


def in_canonical_tools(
    unreadable: Iterable[UnreadableRule], names: ToolNames
) -> tuple[UnreadableRule, ...]:
    """Return the same files under the tool that their folder's name means."""
    return tuple(rule._replace(tool=names.key(rule.tool)) for rule in unreadable)


def in_effect(vault: Vault) -> tuple[InEffect, ...]:
    """Return the rules in effect of each vault in force, the user's own first.

    Overrides and manifests count in their own vault only.
    """
    return tuple(_in_effect(each, vault) for each in vault.in_force)


def lost_overrides(
    vault: Vault, alone: Sequence[UnreadableRule]
) -> tuple[UnreadableRule, ...]:
    """Return the overrides whose id no rule has in the vaults in force, retired or not.

    ``alone`` are those whose rule is not in the chain.
    """
    known = {id_ for each in vault.in_force for id_ in _ids(each)} if alone else set()
    return tuple(override for override in alone if override.overrides not in known)


def _ids(vault: Vault) -> Iterator[str]:
    scopes = tuple(layout.all_scopes(vault.tree))
    for file in load_rule_files(vault, scopes).files:
        if "rule" in file.stated:
            yield file.id
    for scope in scopes:
        retired = read_rule_texts(_scope_files(vault, scope, None, archived=True))
        yield from (file.id for file in retired.files)


def _in_effect(vault: Vault, worked_on: Vault) -> InEffect:
    files = load_rule_files(vault, vault.chain)
    entries = combine(files.files)
    rules = [e.rule for e in entries if e.rule and e.is_in_effect(vault.now)]
    names = load_tool_names(vault)
    gone = {entry.id for entry in entries if entry.rule is None}
    alone = [
        override_alone(f.id, f.folder_tool, f.scope, f.path)
        for f in files.files
        if f.id in gone
    ]
    lost = lost_overrides(vault, alone)
    unreadable = in_canonical_tools((*files.unreadable, *lost), names)
    if vault is not worked_on:
        root = str(vault.root)
        rules = [rule._replace(vault=root) for rule in rules]
        unreadable = tuple(e._replace(vault=root) for e in unreadable)
    return InEffect(tuple(rules), unreadable, names)
