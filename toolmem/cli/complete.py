"""The completions that options name; what they offer is found out on demand."""

import typer

from toolmem.cli import offers

Offer = tuple[str, str]


def scopes(ctx: typer.Context, incomplete: str) -> list[Offer]:
    """Scopes that have a folder."""
    return offers.scopes(ctx, incomplete)


def projects(ctx: typer.Context, incomplete: str) -> list[Offer]:
    """Names of projects."""
    return offers.projects(ctx, incomplete)


def agent_types(ctx: typer.Context, incomplete: str) -> list[Offer]:
    """Names of agent types."""
    return offers.agent_types(ctx, incomplete)


def agents(ctx: typer.Context, incomplete: str) -> list[Offer]:
    """Names of agents."""
    return offers.agents(ctx, incomplete)


def tools(ctx: typer.Context, incomplete: str) -> list[Offer]:
    """Tools with a rule or a manifest."""
    return offers.tools(ctx, incomplete)


def rule_ids(ctx: typer.Context, incomplete: str) -> list[Offer]:
    """Ids of rules."""
    return offers.rule_ids(ctx, incomplete)


def memory_ids(ctx: typer.Context, incomplete: str) -> list[Offer]:
    """Ids of memories."""
    return offers.memory_ids(ctx, incomplete)


def topics(ctx: typer.Context, incomplete: str) -> list[Offer]:
    """Topics of memories."""
    return offers.topics(ctx, incomplete)


def namespaces(ctx: typer.Context, incomplete: str) -> list[Offer]:
    """Namespaces of facts."""
    return offers.namespaces(ctx, incomplete)


def fact_keys(ctx: typer.Context, incomplete: str) -> list[Offer]:
    """Keys of facts."""
    return offers.fact_keys(ctx, incomplete)


def semantic_modes(incomplete: str) -> list[str]:
    """The values of ``--semantic``."""
    return offers.semantic_modes(incomplete)


def result_kinds(incomplete: str) -> list[str]:
    """The kinds of documents that a search finds."""
    return offers.result_kinds(incomplete)


def programs(incomplete: str) -> list[str]:
    """The agents that toolmem has hooks for."""
    return offers.programs(incomplete)


def priorities(incomplete: str) -> list[str]:
    """The three priorities."""
    return offers.priorities(incomplete)
