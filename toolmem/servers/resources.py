"""Resources that a client can read: the block, a scope's facts, a tool's rules."""

from collections.abc import Iterable
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

from toolmem.api.vault import Vault
from toolmem.core.model import ANY_TOOL, Fact
from toolmem.core.names import fold
from toolmem.core.prompt.build import rule_line, unreadable_line
from toolmem.core.prompt.safe import safe_line, safe_name
from toolmem.core.text.safetext import spell_out
from toolmem.errors import NotFoundError
from toolmem.ops.access.manifests import ToolRow
from toolmem.servers.notices import block_for_agents

MARKDOWN = "text/markdown"
_SCHEME = "toolmem://"
PROMPT = f"{_SCHEME}prompt"
FACTS = f"{_SCHEME}facts/"
RULES = f"{_SCHEME}rules/"
TEMPLATES = (
    (f"{FACTS}{{scope}}", "facts", "The facts of a scope, such as project:NAME"),
    (f"{RULES}{{tool}}", "rules", "Every rule of a tool"),
)


class Resource(NamedTuple):
    """A resource: its address, name and description."""

    uri: str
    name: str
    about: str


def list_resources(vault: Vault) -> tuple[Resource, ...]:
    """Return the block, and the scopes and tools that have facts or rules."""
    scopes = sorted({str(fact.scope) for fact in vault.fact.list().facts})
    tools = _tools_with_rules(vault)
    return (
        Resource(PROMPT, "prompt", "What to know: rules, facts, guidance"),
        *(
            Resource(FACTS + quote(scope, safe=":"), f"facts {scope}", "Facts")
            for scope in scopes
        ),
        *(
            Resource(RULES + quote(tool, safe=""), f"rules {tool}", "Rules")
            for tool in tools
        ),
    )


def resources_answer(vault: Vault) -> dict[str, Any]:
    """Return the answer to ``resources/list``."""
    return {
        "resources": [
            {
                "uri": resource.uri,
                "name": spell_out(resource.name),
                "description": resource.about,
                "mimeType": MARKDOWN,
            }
            for resource in list_resources(vault)
        ]
    }


def read_resource(vault: Vault, uri: str) -> str:
    """Return the text of a resource, markdown.

    Raises ``NotFoundError`` for an unknown address.
    """
    if uri == PROMPT:
        return block_text(vault)
    if uri.startswith(FACTS):
        return _facts(vault.fact.list(scope=unquote(uri.removeprefix(FACTS))).facts)
    if uri.startswith(RULES):
        return _rules(vault, unquote(uri.removeprefix(RULES)))
    raise NotFoundError(f"no resource {uri!r}: resources/list shows them")


def block_text(vault: Vault, task: str = "") -> str:
    """Return the prompt block as an agent reads it."""
    return block_for_agents(vault.prompt(task=task).text)


def _facts(facts: Iterable[Fact]) -> str:
    lines: list[str] = []
    namespace = None
    for fact in facts:
        if fact.namespace != namespace:
            namespace = fact.namespace
            lines += ["", f"## {safe_line(namespace)}", ""]
        lines.append(f"- {safe_line(fact.key)}: {safe_line(fact.value)}")
    return "\n".join(lines[1:]) + "\n" if lines else ""


def rules_text(vault: Vault, tool: str = "") -> str:
    """Return the rules in force of a tool, by default of every tool that has some."""
    tools = [tool] if tool else _tools_with_rules(vault)
    return "\n".join(_rules(vault, name) for name in tools)


def _rules(vault: Vault, tool: str) -> str:
    in_force = vault.rule.in_force(tool)
    lines = [unreadable_line(entry) for entry in in_force.unreadable]
    lines += [rule_line(rule.priority, rule.rule) for rule in in_force.rules]
    if not lines:
        return ""
    row = vault.tool.show(tool)
    name = row.name if row else tool
    heading = "every tool" if tool == ANY_TOOL else f"`{safe_name(name)}`"
    return "\n".join([f"### {heading}", *lines]) + "\n"


def _tools_with_rules(vault: Vault) -> list[str]:
    """Return the tools that have a rule in force, as their manifests spell them."""
    keys = {fold(rule.tool) for rule in vault.rule.in_force("").rules}
    return [row.name for row in vault.tool.list() if not keys.isdisjoint(_keys(row))]


def _keys(row: ToolRow) -> list[str]:
    aliases = row.manifest.aliases if row.manifest else ()
    return [row.key, *map(fold, aliases)]
