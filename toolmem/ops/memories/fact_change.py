"""Facts: set and delete, a line at a time."""

from collections.abc import Iterable
from dataclasses import dataclass

from toolmem.core import limits
from toolmem.core.facts.edit import delete_fact as delete_line
from toolmem.core.facts.edit import set_fact as set_line
from toolmem.core.facts.parse import DEFAULT_NAMESPACE
from toolmem.core.model import Fact, Scope
from toolmem.core.secrets import detect
from toolmem.errors import Arg, UsageError
from toolmem.ops.memories.fact_listing import with_key
from toolmem.store.files import files, lock
from toolmem.store.vault.fact_files import facts_path, load_facts, read_facts_text
from toolmem.store.vault.vault import Vault


@dataclass(frozen=True, slots=True)
class FactChange:
    """A fact as it is (or was) and ``created``, ``updated``, ``unchanged`` or
    ``deleted``; ``others`` are those of the same key in other namespaces."""

    fact: Fact | None
    action: str
    others: tuple[Fact, ...] = ()


def set_fact(
    vault: Vault,
    key: str,
    value: str,
    scope: Scope,
    namespace: str | None = None,
    *,
    allow_secret: bool = False,
) -> FactChange:
    """Set one fact; one line of the file changes. Durable when it returns.

    Raises ``UsageError`` for a key or value that could not be read back and
    ``SecretError`` for a credential.
    """
    vault.require_writable()
    if not allow_secret:
        # The key shows what the value is: ``api_token: 7f3…``.
        detect.refuse_secrets(f"{key}: {value}", "fact")
        detect.refuse_secrets(namespace or "", "namespace")
    namespace = namespace or DEFAULT_NAMESPACE
    with lock.hold(vault.root):
        before, text = read_facts_text(vault, scope)
        old = _one(load_facts(vault, scope)[0], key, namespace)
        changed = set_line(text, namespace, key, value, path=facts_path(scope))
        _write(vault, scope, before, changed)
        same = with_key(load_facts(vault, scope)[0], key, None)
    new = _one(same, key, namespace)
    others = tuple(fact for fact in same if fact != new)
    if changed == text:
        return FactChange(new, "unchanged", others)
    return FactChange(new, "updated" if old else "created", others)


def delete_fact(
    vault: Vault, key: str, scope: Scope, namespace: str | None = None
) -> FactChange:
    """Delete one fact of one scope; ``fact`` is None when it was not there.

    Raises ``UsageError`` when several namespaces have the key and none is named.
    """
    vault.require_writable()
    with lock.hold(vault.root):
        before, text = read_facts_text(vault, scope)
        same = with_key(load_facts(vault, scope)[0], key, namespace)
        if not same:
            return FactChange(None, "unchanged")
        if len(same) > 1:
            spaces = ", ".join(fact.namespace for fact in same)
            raise UsageError(
                f"{key!r} is in several namespaces of {scope} ({spaces}): "
                "name one with ",
                Arg("namespace"),
            )
        fact = same[0]
        changed = delete_line(text, fact.namespace, key, path=fact.path)
        _write(vault, scope, before, changed)
        return FactChange(fact, "deleted")


def _one(facts: Iterable[Fact], key: str, namespace: str) -> Fact | None:
    return next(iter(with_key(facts, key, namespace)), None)


def _write(vault: Vault, scope: Scope, before: bytes | None, text: str) -> None:
    path = facts_path(scope)
    data = text.encode()
    if len(data) > limits.TEXT_FILE_BYTES:
        raise UsageError(f"{path}: more than {limits.TEXT_FILE_BYTES} bytes of facts")
    if before is None:
        files.create(vault.root, path, data)
    elif data != before:
        files.replace(vault.root, path, data, expected=before)
