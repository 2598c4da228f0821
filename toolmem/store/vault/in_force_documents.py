"""The rules and facts that a search can find: those in force for its reader.

The index has a document for each file alone; what a rule says in a scope follows
from several.
"""

from collections.abc import Iterator, Sequence

from toolmem.core.model import Scope
from toolmem.core.rules.effective import EffectiveRule, breadth, combine
from toolmem.core.scope import chain_of, parse_scope
from toolmem.core.search.doc import Doc
from toolmem.store.files import layout
from toolmem.store.vault.documents import fact_document, rule_document
from toolmem.store.vault.in_force import chain_facts
from toolmem.store.vault.rule_files import RuleFiles, load_rule_files
from toolmem.store.vault.vault import Vault

KINDS = frozenset({"rule", "fact"})
"""The kinds of documents that other scopes may override."""


def documents_in_force(vault: Vault, scopes: frozenset[str] | None) -> tuple[Doc, ...]:
    """The rules and facts that a reader of some scopes can find.

    Several scopes are a chain: each rule and fact as it is in force there. Of one
    scope, and of every scope (None: all but agents' own), each rule and fact is as
    it is in force in its scope.
    """
    if scopes is not None and len(scopes) > 1:
        chain = tuple(sorted(map(parse_scope, scopes), key=lambda s: -breadth(s)))
        return tuple(_of_chain(vault, chain))
    if scopes is None:
        every = layout.all_scopes(vault.tree)
        asked = [scope for scope in every if scope.kind != "agent"]
    else:
        asked = [parse_scope(text) for text in scopes]
    return tuple(_of_scopes(vault, asked))


def _of_chain(vault: Vault, chain: Sequence[Scope]) -> Iterator[Doc]:
    for one in vault.in_force:
        own_chain = one.chain if chain == vault.chain else chain
        files = load_rule_files(one, own_chain)
        for entry in combine(files.files):
            yield from _rule(one, entry, vault)
    yield from map(fact_document, chain_facts(vault, chain).facts)


def _of_scopes(vault: Vault, scopes: Sequence[Scope]) -> Iterator[Doc]:
    for one in vault.in_force:
        chains = {scope: chain_of(scope) for scope in scopes}
        needed = dict.fromkeys(s for chain in chains.values() for s in chain)
        loaded = {scope: load_rule_files(one, [scope]) for scope in needed}
        for scope, chain in chains.items():
            if loaded[scope].files:
                yield from _rules_at(one, scope, [loaded[s] for s in chain], vault)
    for scope in scopes:
        yield from map(fact_document, chain_facts(vault, [scope]).facts)


def _rules_at(
    vault: Vault, scope: Scope, files: Sequence[RuleFiles], worked_on: Vault
) -> Iterator[Doc]:
    """The rules that files of a scope state or change, as they are in force there."""
    for entry in combine(file for found in files for file in found.files):
        layer = next((la for la in entry.layers[::-1] if la.scope == scope), None)
        if layer is None or (len(entry.layers) > 1 and layer.refused):
            continue
        path = _path(vault, layer.path, worked_on)
        for doc in _rule(vault, entry, worked_on):
            yield doc._replace(scope=str(scope), path=path)


def _rule(vault: Vault, entry: EffectiveRule, worked_on: Vault) -> Iterator[Doc]:
    """A rule in force, at the place of the file that states its words."""
    if entry.rule is None or not entry.holds(vault.now):
        return
    stating = [
        layer
        for layer in entry.layers
        if layer.path == entry.rule.path or "rule" in layer.changed
    ]
    place = stating[-1]
    doc = rule_document(entry.rule)
    yield doc._replace(scope=str(place.scope), path=_path(vault, place.path, worked_on))


def _path(vault: Vault, path: str, worked_on: Vault) -> str:
    return path if vault is worked_on else f"{vault.root}/{path}"
