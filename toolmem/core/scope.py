"""Scopes: their text forms, chains and weights."""

from collections.abc import Sequence

from toolmem.core import limits
from toolmem.core.model import SYSTEM, Scope
from toolmem.core.names import clean_name, decode_name
from toolmem.errors import UsageError

_FORMS = "system, agent-type:NAME, project:NAME, project:NAME/TYPE or agent:NAME"

WEIGHTS = {
    "override": limits.WEIGHT_OVERRIDE,
    "agent": limits.WEIGHT_AGENT,
    "project": limits.WEIGHT_PROJECT,
    "agent-type": limits.WEIGHT_AGENT_TYPE,
    "system": limits.WEIGHT_SYSTEM,
}
"""Kind of scope → weight of a hit from it."""
_BREADTH = {"system": 0, "agent-type": 1, "project": 2, "override": 3, "agent": 4}


def breadth(scope: Scope) -> int:
    """Return 0 for system up to 4 for an agent's own: the chain, reversed."""
    return _BREADTH[scope.kind]


def parse_scope(text: str) -> Scope:
    """Parse a text form such as ``project:mech-fighters/coding``.

    Raises ``UsageError`` with the existing forms.
    """
    kind, colon, rest = text.strip().partition(":")
    if kind == "system" and not colon:
        return SYSTEM
    if not colon or kind not in ("agent-type", "project", "agent"):
        raise UsageError(f"{text!r} is not a scope: write {_FORMS}")
    if kind == "project":
        name, slash, sub = rest.partition("/")
        project = clean_name(decode_name(name))
        if slash:
            return Scope("override", project, clean_name(sub))
        return Scope(kind, project)
    return Scope(kind, clean_name(rest))


def chain_for(
    project: str | None = None,
    agent_type: str | None = None,
    agent: str | None = None,
) -> tuple[Scope, ...]:
    """Return the scopes that apply, most specific first."""
    chain = []
    if agent:
        chain.append(Scope("agent", clean_name(agent)))
    if project and agent_type:
        chain.append(Scope("override", clean_name(project), clean_name(agent_type)))
    if project:
        chain.append(Scope("project", clean_name(project)))
    if agent_type:
        chain.append(Scope("agent-type", clean_name(agent_type)))
    return (*chain, SYSTEM)


def chain_of(scope: Scope) -> tuple[Scope, ...]:
    """Return the shortest chain that includes a scope."""
    match scope.kind:
        case "override":
            return chain_for(scope.name, scope.sub)
        case "project":
            return chain_for(scope.name)
        case "agent-type":
            return chain_for(None, scope.name)
        case "agent":
            return chain_for(None, None, scope.name)
        case _:
            return chain_for()


def write_scope(chain: Sequence[Scope]) -> Scope:
    """Return the default scope for writing: the project if there is one, else the agent
    type, else ``system``."""
    return next(scope for scope in chain if scope.kind not in ("override", "agent"))


def scope_words(scope: Scope) -> str:
    """Return where a rule of a scope applies, in words."""
    match scope.kind:
        case "system":
            return "in every project"
        case "agent-type":
            return f"for agents of type {scope.name}"
        case "project":
            return f"only in project {scope.name}"
        case "override":
            return f"only in project {scope.name}, for agents of type {scope.sub}"
        case _:
            return f"only for agent {scope.name}"


def is_narrower(narrow: Scope, broad: Scope) -> bool:
    """Return True if a chain can include both, with ``narrow`` the more specific one.

    Two projects share no chain, nor do an agent type and another type's override.
    """
    match broad.kind:
        case "system":
            return narrow.kind != "system"
        case "agent-type":
            is_override = narrow.kind == "override" and narrow.sub == broad.name
            return is_override or narrow.kind in ("project", "agent")
        case "project":
            is_override = narrow.kind == "override" and narrow.name == broad.name
            return is_override or narrow.kind == "agent"
        case _:
            return broad.kind == "override" and narrow.kind == "agent"


def weight(scope: Scope) -> float:
    """Return the weight of a hit from this scope."""
    return WEIGHTS[scope.kind]
