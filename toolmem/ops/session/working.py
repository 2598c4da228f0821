"""Set, show and clear the working memory of an agent."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from toolmem.core.access.working_memory import WorkingValue, read_value
from toolmem.store.state import working
from toolmem.store.state.rows import project_of
from toolmem.store.vault.vault import Vault

_PERSON = "user"


class WorkingSet(NamedTuple):
    """A value as it is kept, what had to go for it, and warnings."""

    value: WorkingValue
    dropped: tuple[WorkingValue, ...]
    warnings: tuple[str, ...]


def set_value(
    vault: Vault, name: str, document: Mapping[str, Any], session: str = ""
) -> WorkingSet:
    """Keep a value in the place of the one of its name.

    Raises ``UsageError`` for what cannot be kept, and ``StorageError``.
    """
    agent = vault.setting("agent") or ""
    value, warnings = read_value(name, document, vault.now, source=agent or _PERSON)
    value = value._replace(agent=agent, session=session, project=project_of(vault))
    return WorkingSet(value, working.put(vault, value), warnings)


def show_values(
    vault: Vault, name: str = "", session: str | None = None
) -> tuple[WorkingValue, ...]:
    """Return the values, newest first; under one name, or all."""
    stored = working.values(vault, agent=vault.setting("agent"), session=session)
    return tuple(value for value in stored if name in ("", value.name))


def clear_values(
    vault: Vault, names: Sequence[str] = (), session: str | None = None
) -> int:
    """Forget values by name, or all; how many there were."""
    return working.clear(vault, names, agent=vault.setting("agent"), session=session)
