"""Tools for models that answer in another form than their operations.

JSON-RPC has those about rules, too, under ``memory.``.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from toolmem.api import notices
from toolmem.api.documents import plain
from toolmem.api.operations.table import OPERATIONS
from toolmem.api.vault import Vault
from toolmem.core.guard.derivation.stated import effect_of, guard_line
from toolmem.core.model import ANY_TOOL, Rule
from toolmem.core.names import is_tool_name, tool_key
from toolmem.errors import NotFoundError
from toolmem.ops.memories.listing import most_important

Answer = dict[str, Any]


def memory_idea_delete(vault: Vault, id: str) -> Answer:
    """Delete a memory that the agent itself saved."""
    try:
        [change] = vault.memory.delete(id)
    except NotFoundError:
        return {"found": False, "deleted": False, "id": id}
    return {"found": True, "deleted": True, "id": change.id}


def memory_idea_list(
    vault: Vault,
    topic: str = "",
    tag: str = "",
    kind: str = "",
    scope: str = "",
    limit: int = 50,
) -> Answer:
    """Return the first memories of a listing, the most important ones first."""
    listed = vault.memory.list(topic=topic, tag=tag, kind=kind, scope=scope)
    memories = most_important(listed.memories)[: max(limit, 0)]
    document = {
        "memories": plain(memories),
        "total": len(listed.memories),
    }
    return with_remarks(document, notices.memories_notices(listed))


def tool_rule_put(
    vault: Vault,
    tool_name: str,
    rule: str,
    priority: str = "",
    tags: Sequence[str] | None = None,
    id: str = "",
    scope: str = "",
    source: str = "",
    created_at: str = "",
    updated_at: str = "",
    reason: str = "",
    create: bool = False,
) -> Answer:
    """Create or change a rule; with an id, only the given fields change.

    ``reason`` says why a person's critical rule is lowered. A new rule takes the
    ``created_at`` of its caller; ``updated_at`` is the vault's.
    """
    del updated_at
    is_new = not id or vault.rule.show(id) is None
    done = vault.rule.add(
        tool_name,
        rule,
        priority=priority,
        tag=tags,
        id=id,
        scope=scope,
        source=source or ("programmatic" if is_new else ""),
        reason=reason,
        created_at=created_at if is_new else "",
        create=create,
    )
    document = {
        **_checked_rule(done.rule),
        "action": done.action,
        "clamped": done.clamped,
        **({"lowered": True} if done.lowered else {}),
    }
    return with_remarks(document, notices.notices_of(OPERATIONS["rule.add"], done))


def tool_rule_get(vault: Vault, tool_name: str, id: str, scope: str = "") -> Answer:
    """Return the rule of a tool with exactly this id, as it is in force.

    With a scope, as it is in force in that scope.
    """
    of_tool: Iterable[Rule] = ()
    if id and is_tool_name(tool_name):
        of_tool = vault.rule.in_force(tool_name, scope).rules
    rule = next((rule for rule in of_tool if rule.id == id), None)
    return {"found": rule is not None, "rule": _checked_rule(rule) if rule else None}


def tool_rule_list(vault: Vault, tool_name: str = "") -> Answer:
    """Return the rules in force of a tool, or of all, by priority, newest first."""
    if tool_name and not is_tool_name(tool_name):
        return {"rules": []}
    in_force = vault.rule.in_force(tool_name)
    rules = [{**tool_rule(rule), "effect": effect_of(rule)} for rule in in_force.rules]
    return with_remarks({"rules": rules}, notices.rules_notices(in_force))


def tool_rule_delete(vault: Vault, tool_name: str, id: str, scope: str = "") -> Answer:
    """Delete the rule of a tool with exactly this id."""
    rule = _rule(vault, tool_name, id, scope)
    if rule is None:
        return {"found": False, "deleted": False, "id": id}
    vault.rule.delete(rule.id, scope=scope)
    return {"found": True, "deleted": True, "id": rule.id}


def tool_rules_for_prompt(vault: Vault, tools: Sequence[str] = ()) -> Answer:
    """Return the rules for a prompt, as text and as data."""
    block = vault.prompt(tool=tools, only=["rules"])
    known = {(rule.id, rule.path): rule for rule in block.block.rules}
    shown = (item.data for part in block.block.parts for item in part.items)
    keys = ((data.get("id"), data.get("path")) for data in shown)
    rules = [tool_rule(known[key]) for key in keys if key in known]
    return with_remarks({"rendered": block.text, "rules": rules}, block.remarks)


def tool_rules_json(vault: Vault, tool_name: str = "") -> list[Answer]:
    """Return the rules in force of a tool as an array."""
    rules: list[Answer] = tool_rule_list(vault, tool_name)["rules"]
    return rules


def tool_rule(rule: Rule) -> Answer:
    """Return a rule with the key ``tool_name`` instead of ``tool``."""
    document = plain(rule)
    return {
        ("tool_name" if key == "tool" else key): value
        for key, value in document.items()
    }


def _checked_rule(rule: Rule) -> Answer:
    """Return the rule with one line on the effect of its guards."""
    return {**tool_rule(rule), "checks": guard_line(rule)}


def _rule(vault: Vault, tool_name: str, id: str, scope: str) -> Rule | None:
    if not id or not is_tool_name(tool_name):
        return None
    of_tool = vault.rule.list(tool_name, scope=scope, effective=False).rules
    is_any = tool_key(tool_name) == ANY_TOOL
    same = [r for r in of_tool if r.id == id and (r.tool == ANY_TOOL) == is_any]
    return vault.rule.show(id, scope=scope) if same else None


def with_remarks(document: Mapping[str, Any], notices: Any) -> Answer:
    """Add remarks to the answer, if there are any."""
    lines = list(notices)
    return {**document, **({"remarks": lines} if lines else {})}
