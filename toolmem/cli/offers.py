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
from toolmem.core.model import ANY_TOOL
from toolmem.core.shown import tool_label
from toolmem.core.text.safetext import find_unsafe, visible
from toolmem.errors import ToolmemError
from toolmem.ops.memories import fact_listing, listing, restore
from toolmem.ops.rules import listing as rules_listing
from toolmem.ops.session import turns
from toolmem.store.files import layout
from toolmem.store.vault import memory_files, rule_files
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
        ctx,
        incomplete,
        lambda v: ((m.id, str(m.scope)) for m in memory_files.every_memory(v)),
    )


def archived_ids(ctx: typer.Context, incomplete: str) -> list[Offer]:
    """Ids in the archive, with their files."""
    return _from_vault(
        ctx, incomplete, lambda v: ((f.id, f.path) for f in restore.archived_files(v))
    )


def sessions(ctx: typer.Context, incomplete: str) -> list[Offer]:
    """Sessions with turns."""
    return _from_vault(
        ctx, incomplete, lambda v: ((row.session, "") for row in turns.list_sessions(v))
    )


def topics(ctx: typer.Context, incomplete: str) -> list[Offer]:
    """Topics of memories."""
    return _from_vault(ctx, incomplete, _topics_of)


def namespaces(ctx: typer.Context, incomplete: str) -> list[Offer]:
    """Namespaces of facts."""
    return _from_vault(
        ctx,
        incomplete,
        lambda v: ((f.namespace, "") for f in fact_listing.list_facts(v).facts),
    )


def fact_keys(ctx: typer.Context, incomplete: str) -> list[Offer]:
    """Keys of facts, with their values."""
    return _from_vault(
        ctx,
        incomplete,
        lambda v: ((f.key, f.value) for f in fact_listing.list_facts(v).facts),
    )


def of(words: Iterable[str]) -> Callable[[typer.Context, str], list[Offer]]:
    """Return the completion for an argument with these values."""

    def offered(ctx: typer.Context, incomplete: str) -> list[Offer]:
        del ctx
        return [(word, "") for word in words if word.startswith(incomplete)]

    return offered


def _scopes_of(vault: Vault, kind: str | None) -> Iterable[Offer]:
    for scope in layout.all_scopes(vault.tree):
        if kind is None:
            yield str(scope), ""
        elif scope.kind == kind:
            yield scope.name, ""


def _tools_of(vault: Vault) -> Iterable[Offer]:
    yield "*", "every tool"
    for manifest in rule_files.load_manifests(vault)[0]:
        yield manifest.name, ""
    for rule in rules_listing.list_rules(vault).rules:
        if rule.tool != ANY_TOOL:
            yield rule.tool, ""


def _topics_of(vault: Vault) -> Iterable[Offer]:
    for memory in listing.list_memories(vault, listing.MemoryFilter()).memories:
        if memory.parsed and memory.parsed.topic:
            yield memory.parsed.topic, ""


def _ids_of(vault: Vault) -> Iterable[Offer]:
    for rule in rules_listing.list_rules(vault).rules:
        yield rule.id[: limits.ID_SHOWN], f"{tool_label(rule.tool)}: {rule.rule}"
