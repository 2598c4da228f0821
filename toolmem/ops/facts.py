"""Facts: set, get along the chain, list, delete."""

from collections.abc import Iterable
from dataclasses import dataclass

from toolmem.core.facts.edit import delete_fact as delete_line
from toolmem.core.facts.edit import set_fact as set_line
from toolmem.core.facts.parse import DEFAULT_NAMESPACE
from toolmem.core.model import Fact, Problem, Scope
from toolmem.core.suggest import nearest
from toolmem.errors import UsageError
from toolmem.store import layout, lock
from toolmem.store.fact_files import (
    facts_path,
    load_facts,
    read_facts_text,
    write_facts_text,
)
from toolmem.store.vault import Vault


@dataclass(frozen=True, slots=True)
class FactAnswer:
    """The fact that a key means for a chain, or None and what is near.

    ``others`` are facts of the same scope with the key in another namespace;
    ``elsewhere`` those with the key in scopes that were not asked.
    """

    key: str
    fact: Fact | None
    others: tuple[Fact, ...] = ()
    near: tuple[str, ...] = ()
    elsewhere: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class FactChange:
    """A fact as it stands (or stood) and ``created``, ``updated``, ``unchanged``
    or ``deleted``."""

    fact: Fact | None
    action: str


@dataclass(frozen=True, slots=True)
class FactListing:
    """Facts by scope (narrowest first), namespace and key, and what is wrong."""

    facts: tuple[Fact, ...]
    problems: tuple[Problem, ...]


def chain_facts(vault: Vault, scopes: Iterable[Scope]) -> FactListing:
    """What the chain says: of each namespace and key the narrowest scope's fact."""
    facts: dict[tuple[str, str], Fact] = {}
    problems: list[Problem] = []
    for scope in scopes:
        found, wrong = load_facts(vault, scope)
        problems += wrong
        for fact in found:
            facts.setdefault((fact.namespace, fact.key), fact)
    return FactListing(tuple(facts.values()), tuple(problems))


def list_facts(
    vault: Vault, scope: Scope | None = None, namespace: str | None = None
) -> FactListing:
    """The facts of a scope; without one those of the chain, or of all scopes.

    All scopes are meant where neither a project nor an agent type is set.
    """
    if scope is not None:
        listing = chain_facts(vault, [scope])
    elif len(vault.chain) > 1:
        listing = chain_facts(vault, vault.chain)
    else:
        loaded = [load_facts(vault, each) for each in layout.all_scopes(vault.tree)]
        listing = FactListing(
            tuple(fact for facts, _ in loaded for fact in facts),
            tuple(problem for _, problems in loaded for problem in problems),
        )
    facts = (f for f in listing.facts if namespace is None or f.namespace == namespace)
    ordered = sorted(facts, key=lambda f: (str(f.scope), f.namespace, f.key))
    return FactListing(tuple(ordered), listing.problems)


def get_fact(
    vault: Vault, key: str, scope: Scope | None = None, namespace: str | None = None
) -> FactAnswer:
    """The fact of the first scope of the chain that has the key."""
    asked = (scope,) if scope else vault.chain
    for each in asked:
        same = _with_key(load_facts(vault, each)[0], key, namespace)
        if same:
            return FactAnswer(key, same[0], tuple(same[1:]))
    keys = {f.key for each in asked for f in load_facts(vault, each)[0]}
    elsewhere = [
        fact
        for each in layout.all_scopes(vault.tree)
        if each not in asked and each.kind != "agent"
        for fact in _with_key(load_facts(vault, each)[0], key, namespace)
    ]
    return FactAnswer(key, None, (), nearest(key, keys), tuple(elsewhere))


def set_fact(
    vault: Vault, key: str, value: str, scope: Scope, namespace: str | None = None
) -> FactChange:
    """Set one fact; one line of the file changes. Durable when it returns.

    Raises ``UsageError`` for a key or value that could not be read back.
    """
    vault.require_writable()
    namespace = namespace or DEFAULT_NAMESPACE
    with lock.hold(vault.root):
        before, text = read_facts_text(vault, scope)
        old = _one(load_facts(vault, scope)[0], key, namespace)
        changed = set_line(text, namespace, key, value, path=facts_path(scope))
        write_facts_text(vault, scope, before, changed)
        new = _one(load_facts(vault, scope)[0], key, namespace)
    if changed == text:
        return FactChange(new, "unchanged")
    return FactChange(new, "updated" if old else "created")


def delete_fact(
    vault: Vault, key: str, scope: Scope, namespace: str | None = None
) -> FactChange:
    """Delete one fact of one scope; ``fact`` is None when it was not there.

    Raises ``UsageError`` when several namespaces have the key and none is named.
    """
    vault.require_writable()
    with lock.hold(vault.root):
        before, text = read_facts_text(vault, scope)
        same = _with_key(load_facts(vault, scope)[0], key, namespace)
        if not same:
            return FactChange(None, "unchanged")
        if len(same) > 1:
            spaces = ", ".join(fact.namespace for fact in same)
            raise UsageError(
                f"{key!r} is in several namespaces of {scope} ({spaces}): "
                "name one with --namespace"
            )
        fact = same[0]
        changed = delete_line(text, fact.namespace, key, path=fact.path)
        write_facts_text(vault, scope, before, changed)
        return FactChange(fact, "deleted")


def _with_key(facts: Iterable[Fact], key: str, namespace: str | None) -> list[Fact]:
    """Facts with the key, those of the namespace ``project`` first."""
    same = [
        fact
        for fact in facts
        if fact.key == key and (namespace is None or fact.namespace == namespace)
    ]
    return sorted(same, key=lambda f: (f.namespace != DEFAULT_NAMESPACE, f.line))


def _one(facts: Iterable[Fact], key: str, namespace: str) -> Fact | None:
    return next(iter(_with_key(facts, key, namespace)), None)
