"""Completions of the shell: tools, scopes, projects and rules of the vault.

A completion that fails offers nothing, since a shell cannot show an error. Texts of a
vault are offered without control characters, and without brackets, which Typer would
interpret as markup. Options name these
functions; they are loaded only while completing.
"""

from collections.abc import Callable, Iterable

import typer

from toolmem.cli.run import Run
from toolmem.core import limits
from toolmem.core.agents.registry import AGENTS
from toolmem.core.model import ANY_TOOL, Priority
from toolmem.core.search.doc import KINDS
from toolmem.core.shown import tool_label
from toolmem.core.text.safetext import find_unsafe, visible
from toolmem.errors import ToolmemError
from toolmem.ops.memories.fact_listing import list_facts
from toolmem.ops.memories.listing import MemoryFilter, list_memories
from toolmem.ops.rules.listing import list_rules
from toolmem.ops.search import semantic
from toolmem.store.files import layout
from toolmem.store.vault.memory_files import every_memory
from toolmem.store.vault.rule_files import load_manifests
from toolmem.store.vault.vault import Vault

Offer = tuple[str, str]
_BRACKETS = str.maketrans("[]", "()")


def _from_vault(
    ctx: typer.Context, incomplete: str, list_all: Callable[[Vault], Iterable[Offer]]
) -> list[Offer]:
    run = ctx.find_root().obj
    found: dict[str, str] = {}  # a rule and its override are one id
    try:
        vault = (run if isinstance(run, Run) else Run()).open()
        for value, about in list_all(vault):
            if value.startswith(incomplete):
                found.setdefault(value, about)
    except ToolmemError:
        return []
    return [(v, _as_help(h)) for v, h in sorted(found.items()) if not find_unsafe(v)]


def _as_help(text: str) -> str:
    return visible(text).translate(_BRACKETS)


def scopes(ctx: typer.Context, incomplete: str) -> list[Offer]:
    """Scopes that have a folder."""
    return _from_vault(ctx, incomplete, lambda v: _scopes_of(v, None))


def projects(ctx: typer.Context, incomplete: str) -> list[Offer]:
    """Names of projects."""
    return _from_vault(ctx, incomplete, lambda v: _scopes_of(v, "project"))


def agent_types(ctx: typer.Context, incomplete: str) -> list[Offer]:
    """Names of agent types."""
    return _from_vault(ctx, incomplete, lambda v: _scopes_of(v, "agent-type"))


def agents(ctx: typer.Context, incomplete: str) -> list[Offer]:
    """Names of agents."""
    return _from_vault(ctx, incomplete, lambda v: _scopes_of(v, "agent"))


def tools(ctx: typer.Context, incomplete: str) -> list[Offer]:
    """Tools with a rule or a manifest."""
    return _from_vault(ctx, incomplete, _tools_of)


def rule_ids(ctx: typer.Context, incomplete: str) -> list[Offer]:
    """Ids of rules, with their texts."""
    return _from_vault(ctx, incomplete, _ids_of)


def memory_ids(ctx: typer.Context, incomplete: str) -> list[Offer]:
    """Ids of memories, with their scopes."""
    return _from_vault(
        ctx, incomplete, lambda v: ((m.id, str(m.scope)) for m in every_memory(v))
    )


def topics(ctx: typer.Context, incomplete: str) -> list[Offer]:
    """Topics of memories."""
    return _from_vault(ctx, incomplete, _topics_of)


def namespaces(ctx: typer.Context, incomplete: str) -> list[Offer]:
    """Namespaces of facts."""
    return _from_vault(
        ctx, incomplete, lambda v: ((f.namespace, "") for f in list_facts(v).facts)
    )


def fact_keys(ctx: typer.Context, incomplete: str) -> list[Offer]:
    """Keys of facts, with their values."""
    return _from_vault(
        ctx, incomplete, lambda v: ((f.key, f.value) for f in list_facts(v).facts)
    )


def semantic_modes(ctx: typer.Context, incomplete: str) -> list[Offer]:
    """The values of ``--semantic``."""
    del ctx
    return [(mode, "") for mode in semantic.MODES if mode.startswith(incomplete)]


def result_kinds(ctx: typer.Context, incomplete: str) -> list[Offer]:
    """The kinds of documents that a search finds."""
    del ctx
    return [(kind, "") for kind in KINDS if kind.startswith(incomplete)]


def programs(ctx: typer.Context, incomplete: str) -> list[Offer]:
    """The agents that toolmem has hooks for."""
    del ctx
    return [(agent, "") for agent in AGENTS if agent.startswith(incomplete)]


def priorities(ctx: typer.Context, incomplete: str) -> list[Offer]:
    """The three priorities."""
    del ctx
    return [(p.value, "") for p in Priority if p.value.startswith(incomplete)]


def _scopes_of(vault: Vault, kind: str | None) -> Iterable[Offer]:
    for scope in layout.all_scopes(vault.tree):
        if kind is None:
            yield str(scope), ""
        elif scope.kind == kind:
            yield scope.name, ""


def _tools_of(vault: Vault) -> Iterable[Offer]:
    yield "*", "every tool"
    for manifest in load_manifests(vault)[0]:
        yield manifest.name, ""
    for rule in list_rules(vault).rules:
        if rule.tool != ANY_TOOL:
            yield rule.tool, ""


def _topics_of(vault: Vault) -> Iterable[Offer]:
    for memory in list_memories(vault, MemoryFilter()).memories:
        if memory.parsed and memory.parsed.topic:
            yield memory.parsed.topic, ""


def _ids_of(vault: Vault) -> Iterable[Offer]:
    for rule in list_rules(vault).rules:
        yield rule.id[: limits.ID_SHOWN], f"{tool_label(rule.tool)}: {rule.rule}"
