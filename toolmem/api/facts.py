"""``vault.fact``: short facts that every session needs."""

from typing import NamedTuple

from toolmem.api.access import Operations, bounded
from toolmem.core.model import Fact
from toolmem.core.text.textlines import BLANKS
from toolmem.ops.memories import fact_change
from toolmem.ops.memories import fact_listing as facts
from toolmem.ops.memories.fact_listing import FactAnswer, FactListing


class FactResult(NamedTuple):
    """A fact after a change (or before its deletion), and ``created``, ``updated``,
    ``unchanged`` or ``deleted``; None if there was no fact to delete in ``scope``.
    ``others`` are facts of the scope with this key in other namespaces."""

    key: str
    namespace: str
    scope: str
    fact: Fact | None
    action: str
    others: tuple[Fact, ...] = ()
    remarks: tuple[str, ...] = ()


@bounded("fact")
class Facts(Operations):
    """Operations on facts: a key and a value under a heading."""

    def set(
        self,
        key: str,
        value: str,
        *,
        scope: str = "",
        namespace: str = "",
        allow_secret: bool = False,
        create: bool = False,
    ) -> FactResult:
        """Set a fact; one line of ``facts.md`` changes. Durable.

        The namespace is ``project`` unless one is named. Raises ``UsageError`` and
        ``SecretError``.
        """
        vault, named = self._access.write(), _bare(namespace)
        target, remarks = self._access.place(vault, scope, create=create)
        change = fact_change.set_fact(
            vault, key, value, target, named or None, allow_secret=allow_secret
        )
        named_so = (key, named, str(target))
        return FactResult(*named_so, change.fact, change.action, change.others, remarks)

    def get(self, key: str, *, scope: str = "", namespace: str = "") -> FactAnswer:
        """Return the fact of the narrowest scope with the key, else similar ones."""
        asked = self._access.scope(scope)
        named = _bare(namespace) or None
        answer = facts.get_fact(self._access.read(), key, asked, named)
        elsewhere = self._access.seen(answer.elsewhere, lambda fact: fact.scope)
        return answer._replace(elsewhere=elsewhere)

    def list(
        self, *, scope: str = "", namespace: str = "", limit: int | None = None
    ) -> FactListing:
        """Return the facts of a scope, of the chain, or of the whole vault."""
        asked = self._access.scope(scope)
        named = _bare(namespace) or None
        listed = facts.list_facts(self._access.read(), asked, named)
        seen = self._access.seen(listed.facts, lambda fact: fact.scope)
        return listed._replace(facts=seen[:limit])

    def delete(self, key: str, *, scope: str = "", namespace: str = "") -> FactResult:
        """Delete a fact of one scope.

        Raises ``UsageError`` if several namespaces have the key.
        """
        vault, named = self._access.write(), _bare(namespace)
        target = self._access.target(vault, scope)
        change = fact_change.delete_fact(vault, key, target, named or None)
        return FactResult(key, named, str(target), change.fact, change.action)


def _bare(namespace: str) -> str:
    """Strip a namespace, as in headings."""
    return namespace.strip(BLANKS)
