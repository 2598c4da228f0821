"""Tools for models, with the names and arguments that models know.

Each is one operation of the vault and returns an object. JSON-RPC has those about
rules, too, under ``memory.``.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from toolmem.api import notices
from toolmem.api.documents import (
    fact_change_document,
    fact_document,
    plain,
    rule_document,
    why_document,
)
from toolmem.api.memories import memory_document, saved_document
from toolmem.api.memories import shown_document as shown_memory
from toolmem.api.query import guard_document, recall_document, search_document
from toolmem.api.vault import Vault
from toolmem.core.guard.derivation.stated import effect_of, guard_line
from toolmem.core.model import ANY_TOOL, Rule
from toolmem.core.names import is_tool_name, tool_key
from toolmem.errors import NotFoundError
from toolmem.ops.memories.listing import most_important

Answer = dict[str, Any]


def memory_recall(
    vault: Vault,
    query: str,
    topic: str = "",
    namespace: str = "",
    limit: int = 5,
    scope: str = "",
) -> Answer:
    """Return the fact with exactly that name, else the results of a search."""
    recall = vault.recall(
        query, topic=topic, namespace=namespace, limit=limit, scope=scope
    )
    return _with(recall_document(recall), notices.recall_notices(recall))


def memory_idea_recall(
    vault: Vault, query: str, topic: str = "", limit: int = 5, scope: str = ""
) -> Answer:
    """Return memories that match a question, best first."""
    results = vault.search(
        query, topic=topic, limit=limit, scope=scope, only=["memory"]
    )
    return _with(search_document(results), notices.search_notices(results))


def memory_idea_save(
    vault: Vault,
    content: str,
    tags: Sequence[str] = (),
    topic: str = "",
    kind: str = "insight",
    scope: str = "",
    source_task: str = "",
    replaces: Sequence[str] = (),
) -> Answer:
    """Save a memory, or find that it is known."""
    done = vault.memory.save(
        content,
        tag=tags,
        topic=topic,
        kind=kind,
        scope=scope,
        source_task=source_task,
        replaces=replaces,
    )
    return _with(saved_document(done), notices.save_notices(done))


def memory_idea_edit(
    vault: Vault,
    id: str,
    content: str = "",
    tags: Sequence[str] = (),
    topic: str = "",
    kind: str = "",
) -> Answer:
    """Change a memory that the agent itself saved; omitted fields stay."""
    done = vault.memory.edit(id, text=content, tag=tags, topic=topic, kind=kind)
    return _plain(done)


def memory_idea_archive(vault: Vault, id: str, reason: str) -> Answer:
    """Retire a memory that the agent itself saved."""
    return _plain(vault.memory.archive(id, reason=reason))


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
    found = vault.memory.list(topic=topic, tag=tag, kind=kind, scope=scope)
    memories = most_important(found.memories)[: max(limit, 0)]
    document = {
        "memories": list(map(memory_document, memories)),
        "total": len(found.memories),
    }
    return _with(document, notices.memories_notices(found))


def memory_get(vault: Vault, id: str, full: bool = False) -> Answer:
    """Return one memory."""
    shown = vault.memory.show(id, full=full)
    if shown is None:
        return {"id": id, "found": False}
    document = {**shown_memory(shown), "found": True}
    return _with(document, notices.memory_notices(shown))


def memory_fact_recall(
    vault: Vault, key: str, namespace: str = "", scope: str = ""
) -> Answer:
    """Return the fact of the narrowest scope that has the key."""
    found = vault.fact.get(key, namespace=namespace, scope=scope)
    return _with(fact_document(found), notices.fact_notices(found))


def memory_fact_store(
    vault: Vault, key: str, value: str, namespace: str = "", scope: str = ""
) -> Answer:
    """Set a fact."""
    done = vault.fact.set(key, value, namespace=namespace, scope=scope)
    return _with(fact_change_document(done), notices.fact_change_notices(done))


def memory_fact_list(vault: Vault, namespace: str = "", scope: str = "") -> Answer:
    """Return the facts."""
    found = vault.fact.list(namespace=namespace, scope=scope)
    return _with({"facts": plain(found.facts)}, notices.facts_notices(found))


def memory_fact_delete(
    vault: Vault, key: str, namespace: str = "", scope: str = ""
) -> Answer:
    """Delete a fact of one scope."""
    done = vault.fact.delete(key, namespace=namespace, scope=scope)
    return _with(fact_change_document(done), notices.fact_change_notices(done))


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
    )
    document = {
        **_checked_rule(done.rule),
        "action": done.action,
        "clamped": done.clamped,
        **({"lowered": True} if done.lowered else {}),
    }
    return _with(document, notices.put_notices(done))


def rule_keep(
    vault: Vault,
    id: Sequence[str] = (),
    quote: str = "",
    tool: Sequence[str] = (),
    scope: str = "",
    priority: str = "",
    wording: str = "",
) -> Answer:
    """Store the user's words as a rule, verified against the typed messages."""
    found = vault.rule.keep(
        id, quote=quote, tool=tool, scope=scope, priority=priority, wording=wording
    )
    return dict(found)


def rule_retract(
    vault: Vault,
    id: Sequence[str] = (),
    quote: str = "",
    which: str = "",
    scope: str = "",
) -> Answer:
    """Revoke a rule with the user's words, verified in the same way."""
    return dict(vault.rule.retract(id, quote=quote, which=which, scope=scope))


def tool_rule_get(vault: Vault, tool_name: str, id: str, scope: str = "") -> Answer:
    """Return the rule of a tool with exactly this id, as it is in force.

    With a scope, as it is in force in that scope.
    """
    of_tool: Iterable[Rule] = ()
    if id and is_tool_name(tool_name):
        of_tool = vault.rule.in_force(tool_name, scope).rules
    rule = next((rule for rule in of_tool if rule.id == id), None)
    return {"found": rule is not None, "rule": _checked_rule(rule) if rule else None}


def tool_rule_why(vault: Vault, id: str) -> Answer:
    """Explain where a rule comes from and what it does."""
    return why_document(vault.rule.why(id))


def tool_rule_list(vault: Vault, tool_name: str = "") -> Answer:
    """Return the rules in force of a tool, or of all, by priority, newest first."""
    if tool_name and not is_tool_name(tool_name):
        return {"rules": []}
    in_force = vault.rule.in_force(tool_name)
    rules = [{**tool_rule(rule), "effect": effect_of(rule)} for rule in in_force.rules]
    return _with({"rules": rules}, notices.rules_notices(in_force))


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
    return _with({"rendered": block.text, "rules": rules}, block.remarks)


def tool_rules_json(vault: Vault, tool_name: str = "") -> list[Answer]:
    """Return the rules in force of a tool as an array."""
    rules: list[Answer] = tool_rule_list(vault, tool_name)["rules"]
    return rules


def guard_check(vault: Vault, tool_name: str, input: Mapping[str, Any]) -> Answer:
    """Judge a call before it is made."""
    return guard_document(vault.guard(tool_name, input=input))


def scratch_add(
    vault: Vault,
    content: str,
    type: str = "",
    owner: str = "",
    confidence: float | None = None,
    tags: Sequence[str] = (),
    ttl: str = "",
) -> Answer:
    """Put an entry on the agent's scratch page."""
    saved = vault.scratch.add(
        content, type=type, owner=owner, confidence=confidence, tag=tags, ttl=ttl
    )
    return _with(_plain(saved.entry), notices.saved_notices(saved))


def scratch_list(
    vault: Vault,
    type: str = "",
    status: str = "",
    owner: str = "",
    tags: Sequence[str] = (),
) -> Answer:
    """Return the entries of the agent's scratch page, newest first."""
    found = vault.scratch.list(type=type, status=status, owner=owner, tag=tags)
    return {"entries": plain(found)}


def scratch_set_status(vault: Vault, id: str, status: str) -> Answer:
    """Set the status of an entry of the agent's scratch page."""
    return _plain(vault.scratch.set_status(id, status).entry)


def tool_rule(rule: Rule) -> Answer:
    """Return a rule with the key ``tool_name`` instead of ``tool``."""
    document = rule_document(rule)
    return {
        ("tool_name" if key == "tool" else key): value
        for key, value in document.items()
    }


def _checked_rule(rule: Rule) -> Answer:
    """Return the rule with one line on the effect of its guards."""
    return {**tool_rule(rule), "checks": guard_line(rule)}


def _plain(result: Any) -> Answer:
    return dict(plain(result))


def _rule(vault: Vault, tool_name: str, id: str, scope: str) -> Rule | None:
    if not id or not is_tool_name(tool_name):
        return None
    of_tool = vault.rule.list(tool_name, scope=scope, effective=False).rules
    is_any = tool_key(tool_name) == ANY_TOOL
    same = [r for r in of_tool if r.id == id and (r.tool == ANY_TOOL) == is_any]
    return vault.rule.show(id, scope=scope) if same else None


def _with(document: Mapping[str, Any], notices: Any) -> Answer:
    """Add remarks to the answer, if there are any."""
    lines = list(notices)
    return {**document, **({"remarks": lines} if lines else {})}
