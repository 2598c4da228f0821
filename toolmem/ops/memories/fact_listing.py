"""Facts: one along the chain, and listings."""

from collections.abc import Iterable
from typing import NamedTuple

from toolmem.core.facts.parse import DEFAULT_NAMESPACE, plain_name
from toolmem.core.model import Fact, Problem, Scope
from toolmem.core.text.suggest import most_similar
from toolmem.store.files import layout
from toolmem.store.vault.fact_files import FactListing as FactListing
from toolmem.store.vault.fact_files import chain_facts, load_facts
from toolmem.store.vault.vault import Vault


class FactAnswer(NamedTuple):
    """Return the fact of a key for a chain, or None and similar keys.

    ``others`` are facts with the key in another namespace: of the same scope, or,
    where there is no fact, of all that were asked; ``elsewhere`` those with the key
    in scopes that were not asked. ``problems``
    say what of the scopes that were asked could not be read; ``namespace`` is the
    one that was asked for.
    """

    key: str
    fact: Fact | None
    others: tuple[Fact, ...] = ()
    near: tuple[str, ...] = ()
    elsewhere: tuple[Fact, ...] = ()
    problems: tuple[Problem, ...] = ()
    namespace: str | None = None

    @property
    def value(self) -> str | None:
        """Value of the fact, None if there is none."""
        return self.fact.value if self.fact else None


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
    others: list[Fact] = []
    keys: set[str] = set()
    wrong: list[Problem] = []
    for each in asked:
        facts, problems = load_facts(vault, each)
        wrong += [problem for problem in problems if problem.severity == "error"]
        same = with_key(facts, key, namespace)
        if same:
            rest = tuple(same[1:])
            return FactAnswer(
                key, same[0], rest, problems=tuple(wrong), namespace=namespace
            )
        others += with_key(facts, key, None)
        keys |= {fact.key for fact in facts if fact.key != key}
    elsewhere = [
        fact
        for each in layout.all_scopes(vault.tree)
        if each not in asked and each.kind != "agent"
        for fact in with_key(load_facts(vault, each)[0], key, namespace)
    ]
    return FactAnswer(
        key,
        None,
        tuple(others),
        most_similar(key, keys),
        tuple(elsewhere),
        tuple(wrong),
        namespace,
    )


def find_fact(
    vault: Vault, key: str, scope: Scope | None = None, namespace: str | None = None
) -> Fact | None:
    """The same fact alone, which takes reading the facts of fewer scopes."""
    for each in (scope,) if scope else vault.chain:
        same = with_key(load_facts(vault, each)[0], key, namespace)
        if same:
            return same[0]
    return None


def with_key(facts: Iterable[Fact], key: str, namespace: str | None) -> list[Fact]:
    """Facts with the key, those of the namespace ``project`` first."""
    key = plain_name(key)
    namespace = None if namespace is None else plain_name(namespace)
    same = [
        fact
        for fact in facts
        if fact.key == key and (namespace is None or fact.namespace == namespace)
    ]
    return sorted(same, key=lambda f: (f.namespace != DEFAULT_NAMESPACE, f.line))
