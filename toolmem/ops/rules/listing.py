"""Look up and list rules, and those in effect for a chain."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from toolmem.core.model import ANY_TOOL, SYSTEM, Priority, Rule, Scope
from toolmem.core.rules.effective import (
    by_person,
    combine,
    find_by_prefix,
    layer_order,
    listing_order,
    rule_from,
)
from toolmem.core.rules.rule_file import RuleFile, RuleFiles, UnreadableRule
from toolmem.core.scope import is_narrower
from toolmem.core.text.terms import normal_tags
from toolmem.core.tools.manifest import ToolNames
from toolmem.errors import Arg, NextStep, NotFoundError, UsageError
from toolmem.store.files import layout
from toolmem.store.vault.rule_files import (
    in_canonical_tools,
    in_effect,
    load_rule_files,
    load_tool_names,
)
from toolmem.store.vault.vault import Vault

FileGroup = tuple[RuleFile, tuple[RuleFile, ...]]
"""A rule file, and all files of its id."""


class RuleListing(NamedTuple):
    """Rules in the order of listings, and the files that could not be read.

    ``effects``: what each rule does, in a few words, where they are asked for.
    """

    rules: tuple[Rule, ...]
    unreadable: tuple[UnreadableRule, ...]
    effects: tuple[str, ...] = ()


def every_file(vault: Vault) -> RuleFiles:
    """The rule files of all scopes."""
    files = load_rule_files(vault, layout.all_scopes(vault.tree))
    linked = tuple(
        UnreadableRule(ANY_TOOL, SYSTEM, name, "is not a folder")
        for name in layout.linked(vault.tree)
        if name != "system"  # as a separate scope it is listed already
    )
    return RuleFiles(files.files, (*files.unreadable, *linked))


def files_seen(vault: Vault) -> RuleFiles:
    """Return the rule files of all scopes without those of other agents' own.

    A person, for whom no agent is named, sees all.
    """
    agent, files = vault.setting("agent"), every_file(vault)
    if not agent:
        return files

    def seen(entry: RuleFile | UnreadableRule) -> bool:
        return entry.scope.kind != "agent" or entry.scope.name == agent

    return RuleFiles(
        tuple(filter(seen, files.files)), tuple(filter(seen, files.unreadable))
    )


def listed_rules(files: RuleFiles) -> tuple[Rule, ...]:
    """Return the rules of all scopes in the order of listings."""
    return tuple(sorted(_views(files), key=listing_order))


def list_rules(
    vault: Vault,
    tool: str | None = None,
    scope: Scope | None = None,
    priority: Priority | None = None,
    tag: str | None = None,
    *,
    own: bool = False,
) -> RuleListing:
    """Every rule file of the vault (an override shows what it makes of its rule).

    Without a scope, other agents' own are left out. Expired and disabled ones are
    listed, too. ``own``: with the rules in effect of a vault of the user's own, where
    one is in force as well.
    """
    files = files_seen(vault) if scope is None else every_file(vault)
    names = load_tool_names(vault)
    rules = _filtered(
        _views(files),
        *(names, tool, priority, tag),
    )
    broken = in_canonical_tools(files.unreadable, names)
    unreadable = list(_of_tool(broken, names, tool))
    for effective in in_effect(vault)[:-1] if own and vault.own else ():
        rules += _filtered(effective.rules, effective.names, tool, priority, tag)
        unreadable += _of_tool(effective.unreadable, effective.names, tool)
    wanted = [rule for rule in rules if scope in (None, rule.scope)]
    return RuleListing(
        tuple(sorted(wanted, key=listing_order)),
        tuple(entry for entry in unreadable if scope in (None, entry.scope)),
    )


def effective_rules(
    vault: Vault,
    tool: str | None = None,
    *,
    priority: Priority | None = None,
    tag: str | None = None,
) -> RuleListing:
    """The rules in effect for the vault's project, agent type and agent.

    Those of a vault of the user's own that is in force, too, are among them.
    """
    rules: list[Rule] = []
    unreadable: list[UnreadableRule] = []
    for effective in in_effect(vault):
        rules += _filtered(effective.rules, effective.names, tool, priority, tag)
        unreadable += _of_tool(effective.unreadable, effective.names, tool)
    return RuleListing(tuple(sorted(rules, key=listing_order)), tuple(unreadable))


def holder_of(vault: Vault, prefix: str) -> Vault:
    """The vault in force that has the rule with this id or unique prefix.

    Where none has it, the vault itself. Raises ``UsageError`` where several vaults
    have different rules of that prefix.
    """
    if vault.own is None:
        return vault
    known = [
        (place, [file.id for file in every_file(place).files])
        for place in vault.in_force
    ]
    holders = [
        (place, id_) for place, ids in known if (id_ := find_by_prefix(ids, prefix))
    ]
    if len({id_ for _, id_ in holders}) > 1:
        names = ", ".join(id_ for _, id_ in holders)
        raise UsageError(f"{prefix!r} is a prefix of several ids: {names}")
    return holders[0][0] if holders else vault


class Views:
    """Return the rule of each of a set of rule files."""

    def __init__(self, files: Iterable[RuleFile]) -> None:
        self._bases: dict[str, list[RuleFile]] = {}
        for file in sorted(files, key=layer_order):
            if "rule" in file.stated:
                self._bases.setdefault(file.id, []).append(file)

    def rule(self, file: RuleFile) -> Rule | None:
        """The rule that a file states, an override's with what it inherits.

        None for an override whose rule is in no broader scope.
        """
        bases = self._bases.get(file.id, ())
        base = next((b for b in bases if is_narrower(file.scope, b.scope)), None)
        if base is None:
            return rule_from(file.stated, file) if "rule" in file.stated else None
        entry = combine([base, file])[0]
        if entry.rule is None:
            return None
        reason = file.stated.get("reason")
        return entry.rule._replace(scope=file.scope, path=file.path, reason=reason)


def find_file(vault: Vault, prefix: str, scope: Scope | None = None) -> FileGroup:
    """The rule file with this id (or unique prefix), and all files of that id.

    Without a scope it is the broadest: the rule, not an override of it. Raises
    ``NotFoundError``.
    """
    files = every_file(vault).files
    rule_id = find_by_prefix((file.id for file in files), prefix)
    same = sorted((file for file in files if file.id == rule_id), key=layer_order)
    chosen = [file for file in same if scope is None or file.scope == scope]
    if not chosen:
        where = f" in {scope}" if scope else ""
        raise NotFoundError(
            f"no rule {prefix!r}{where}: ", NextStep("rule.list"), " shows the ids"
        )
    return chosen[0], tuple(same)


def one_scope(prefix: str, chosen: RuleFile, same: Sequence[RuleFile]) -> None:
    """Raise ``UsageError`` when several scopes hold the id and none was named."""
    names = dict.fromkeys(str(file.scope) for file in same)
    if len(names) > 1:
        scopes = ", ".join(names)
        raise UsageError(
            f"{prefix!r} is in several scopes ({scopes}): name one with ",
            Arg("scope"),
            ", such as ",
            Arg("scope"),
            f" {chosen.scope}",
        )


def show_rule(vault: Vault, prefix: str, scope: Scope | None = None) -> Rule | None:
    """The rule with this id as its file states it, or None.

    Raises ``UsageError`` when several ids begin with the prefix.
    """
    try:
        file, same = find_file(vault, prefix, scope)
    except NotFoundError:
        return None
    return Views(same).rule(file)


def _views(files: RuleFiles) -> list[Rule]:
    """Return what the files state; an override shows what it makes of its rule."""
    return [rule for rule in map(Views(files.files).rule, files.files) if rule]


def _filtered(
    rules: Sequence[Rule],
    names: ToolNames,
    tool: str | None,
    priority: Priority | None,
    tag: str | None,
) -> list[Rule]:
    keys = _keys(names, tool)
    return [
        rule
        for rule in rules
        if (keys is None or names.key(rule.tool) in keys)
        and (priority is None or rule.priority is priority)
        and (tag is None or normal_tags([tag]) <= normal_tags(rule.tags))
    ]


def _of_tool(
    unreadable: Sequence[UnreadableRule], names: ToolNames, tool: str | None
) -> tuple[UnreadableRule, ...]:
    keys = _keys(names, tool)
    return tuple(e for e in unreadable if keys is None or e.tool in keys)


def _keys(names: ToolNames, tool: str | None) -> frozenset[str] | None:
    """Return the keys whose rules apply to a tool, also every tool's; None for all."""
    return names.ruling(tool) | {ANY_TOOL} if tool else None


def require_person(vault: Vault, file: RuleFile, same: Sequence[RuleFile] = ()) -> None:
    """Raise ``UsageError`` when an agent would change what a person decided.

    ``same`` are the files of the rule's id: one that a person wrote in any scope is a
    person's in all of them.
    """
    if vault.setting("agent") and any(by_person(f.stated) for f in (file, *same)):
        raise UsageError(
            f"{file.id}: a person wrote this rule, and only a person changes it; ",
            NextStep("rule.retract"),
            " takes it back with the user's words",
        )
