"""Projects, agent types and tools that a vault does not know: new ones, or typos."""

import shutil
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from toolmem.core.agents import registry
from toolmem.core.capture.relate import tools as tool_words
from toolmem.core.model import ANY_TOOL, Scope
from toolmem.core.names import decode_name, fold
from toolmem.core.search import spelling
from toolmem.core.text.suggest import did_you_mean
from toolmem.errors import Arg, UnknownNameError
from toolmem.store.files import layout
from toolmem.store.vault.rule_files import load_manifests, load_tool_names
from toolmem.store.vault.vault import Vault

_SETTINGS = {"project": "project", "agent-type": "agent_type"}
"""Settings that name the scopes of a kind."""


class NewName(NamedTuple):
    """A name that a vault does not know, and a known one of which it may be a typo."""

    kind: str
    name: str
    similar: str

    def __str__(self) -> str:
        """Return the remark that it is new."""
        return f"{self.kind} {self.name!r} is new in this vault"


def unknown_scopes(vault: Vault) -> Iterator[str]:
    """Warn of an unknown project or agent type, which is probably a typo.

    Only visible files count: of others an agent learns nothing.
    """
    seen = vault.tree.has_files
    for kind, setting in _SETTINGS.items():
        name = vault.setting(setting)
        if name and not seen(layout.scope_folder(Scope(kind, name))):
            similar = did_you_mean(name, _names_of(vault, kind))
            yield f"the vault has nothing for {kind} {name!r}{similar}"


def new_names(vault: Vault, scope: Scope, tool: str = "") -> Iterator[NewName]:
    """Yield the names of a scope and a tool that the vault does not know.

    A project or agent type that a file of settings names is no typo, and neither is a
    tool that is a program here or a built-in tool of an agent.
    """
    parts = {
        "project": [("project", scope.name)],
        "agent-type": [("agent-type", scope.name)],
        "override": [("project", scope.name), ("agent-type", scope.sub)],
    }
    for kind, name in parts.get(scope.kind, []):
        known = set(_names_of(vault, kind))
        if name not in known:
            setting = vault.settings[_SETTINGS[kind]]
            typed = name != setting.value or setting.origin.startswith(("flag", "$"))
            similar = spelling.slip_of(name, known) if typed else ""
            yield NewName(kind.replace("-", " "), name, similar)
    if tool:
        yield from _new_tool(vault, tool)


def accepted_names(
    vault: Vault, scope: Scope, tool: str = "", *, create: bool
) -> tuple[str, ...]:
    """Return a remark on each new name of a scope and a tool.

    Raises ``UnknownNameError`` for one that may be a typo, unless ``create``.
    """
    names = tuple(new_names(vault, scope, tool))
    for new in () if create else names:
        if new.similar:
            raise UnknownNameError(
                f"the vault has no {new.kind} {new.name!r}; did you mean "
                f"{new.similar!r}? ",
                Arg("create"),
                " makes a new one",
                suggestions=(new.similar,),
            )
    return tuple(map(str, names))


def remarks_on_names(vault: Vault, scope: Scope, tool: str = "") -> tuple[str, ...]:
    """Return a remark on each new name, with the known one that it resembles."""
    return tuple(
        f"{new}; did you mean {new.similar!r}?" if new.similar else str(new)
        for new in new_names(vault, scope, tool)
    )


def _new_tool(vault: Vault, tool: str) -> Iterator[NewName]:
    key = load_tool_names(vault).key(tool)
    if key == ANY_TOOL or tool_words.is_program(key):
        return
    manifests = load_manifests(vault)[0]
    known = {
        fold(name): name
        for manifest in manifests
        for name in (manifest.name, *manifest.aliases)
    }
    for scope in layout.all_scopes(vault.tree):
        folder = f"{layout.scope_folder(scope)}/{layout.RULES}"
        for entry in vault.tree.entries(folder):
            known.setdefault(decode_name(entry.name), decode_name(entry.name))
    if key in known or shutil.which(tool) or _is_built_in(key):
        return
    yield NewName("tool", tool, spelling.slip_of(tool, known.values()))


def _is_built_in(key: str) -> bool:
    tools = chain.from_iterable(map(registry.tools_of, registry.AGENTS))
    return key in map(fold, tools)


def _names_of(vault: Vault, kind: str) -> Iterator[str]:
    """Yield the projects or agent types of which the vault has files."""
    seen = vault.tree.has_files
    for scope in layout.all_scopes(vault.tree):
        if seen(layout.scope_folder(scope)):
            if scope.kind == kind:
                yield scope.name
            elif scope.kind == "override":
                yield scope.sub if kind == "agent-type" else scope.name
