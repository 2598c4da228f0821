"""The rules and facts in force for a reader: overrides, expiry and scopes applied.

Every surface asks here: listings, the prompt block, searches and tools' queries.
The guard, which parses only the rule files that a call may concern, combines them
with the same function.
"""

from collections.abc import Iterable
from typing import NamedTuple

from toolmem.core.model import Fact, Problem, Rule, Scope
from toolmem.core.rules.effective import combine
from toolmem.core.rules.rule_file import UnreadableRule
from toolmem.core.tools.manifest import ToolNames
from toolmem.store.vault.fact_files import load_facts
from toolmem.store.vault.rule_files import (
    in_canonical_tools,
    load_rule_files,
    load_tool_names,
)
from toolmem.store.vault.vault import Vault


class InEffect(NamedTuple):
    """Rules of one vault that are in effect, and how that vault names tools."""

    rules: tuple[Rule, ...]
    unreadable: tuple[UnreadableRule, ...]
    names: ToolNames


class FactListing(NamedTuple):
    """Facts by scope (narrowest first), namespace and key, and what is wrong."""

    facts: tuple[Fact, ...]
    problems: tuple[Problem, ...]


def in_effect(vault: Vault) -> tuple[InEffect, ...]:
    """The rules of each vault in force that are in effect, the user's own first.

    Overrides and manifests count in their own vault only.
    """
    return tuple(_in_effect(one, vault) for one in vault.in_force)


def _in_effect(vault: Vault, worked_on: Vault) -> InEffect:
    found = load_rule_files(vault, vault.chain)
    rules = [e.rule for e in combine(found.files) if e.rule and e.holds(vault.now)]
    names = load_tool_names(vault)
    unreadable = in_canonical_tools(found.unreadable, names)
    if vault is not worked_on:
        root = str(vault.root)
        rules = [rule._replace(vault=root) for rule in rules]
        unreadable = tuple(e._replace(vault=root) for e in unreadable)
    return InEffect(tuple(rules), unreadable, names)


def chain_facts(vault: Vault, scopes: Iterable[Scope]) -> FactListing:
    """The facts of a chain: of each namespace and key the narrowest scope's."""
    facts: dict[tuple[str, str], Fact] = {}
    problems: list[Problem] = []
    for scope in scopes:
        found, wrong = load_facts(vault, scope)
        problems += wrong
        for fact in found:
            facts.setdefault((fact.namespace, fact.key), fact)
    return FactListing(tuple(facts.values()), tuple(problems))
