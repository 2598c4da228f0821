"""Remarks on a project or an agent type of which the vault has nothing."""

from collections.abc import Iterator

from toolmem.core.model import Scope
from toolmem.core.text.suggest import did_you_mean
from toolmem.store.files import layout
from toolmem.store.vault.vault import Vault


def unknown_scopes(vault: Vault) -> Iterator[str]:
    """Warn of an unknown project or agent type, which is probably a typo.

    Only visible files count: of others an agent learns nothing.
    """
    seen = vault.tree.has_files
    for kind, setting in (("project", "project"), ("agent-type", "agent_type")):
        name = vault.setting(setting)
        if name and not seen(layout.scope_folder(Scope(kind, name))):
            similar = did_you_mean(name, _names_of(vault, kind))
            yield f"the vault has nothing for {kind} {name!r}{similar}"


def _names_of(vault: Vault, kind: str) -> Iterator[str]:
    seen = vault.tree.has_files
    for scope in layout.all_scopes(vault.tree):
        if scope.kind == kind and seen(layout.scope_folder(scope)):
            yield scope.name
