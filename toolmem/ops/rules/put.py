"""Putting a rule: what is new is created, what is known is found or updated."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from toolmem.core.comparison.same import same_text
from toolmem.core.model import ANY_TOOL, Priority, Rule, Scope, Source
from toolmem.core.names import clean_name, tool_key
from toolmem.core.rules import compose
from toolmem.core.rules.effective import by_person, capped_priority, rule_from
from toolmem.core.rules.rule_file import RuleFile, parse_rule_file
from toolmem.core.secrets import detect
from toolmem.core.tools.manifest import ToolNames
from toolmem.errors import Arg, ExistsError, NextStep, UsageError
from toolmem.ops.rules.listing import every_file, require_person
from toolmem.ops.rules.put_again import compare_again
from toolmem.store.files import layout, lock
from toolmem.store.vault.rule_files import load_rule_files, load_tool_names
from toolmem.store.vault.rule_writer import create_file, edit_file
from toolmem.store.vault.vault import Vault


class NewRule(NamedTuple):
    """A rule to store about a tool; ``id`` only to upsert.

    ``guards`` are the ``[[guard]]`` tables that make a call break the rule: None for
    those that follow from the text, none at all to refuse those.
    ``kept_by`` is the agent that kept a user's verified words: such a rule is the
    user's own, and is not clamped. None is what is not given: a new rule is normal, a
    person's and without tags, and a rule that is there keeps what it has. ``reason``
    says why a person's critical rule is lowered. ``created_at`` is when a new rule was
    made elsewhere; a rule that is there keeps its own. ``why`` is the user's reason.
    """

    tool: str
    text: str
    priority: Priority | None = None
    source: Source | None = None
    tags: tuple[str, ...] | None = None
    expires_at: datetime | None = None
    evidence: str | None = None
    id: str | None = None
    guards: tuple[Mapping[str, Any], ...] | None = None
    kept_by: str = ""
    reason: str = ""
    created_at: datetime | None = None
    why: str = ""


class PutResult(NamedTuple):
    """The current rule, and what was done.

    ``action`` is ``created``, ``updated``, ``unchanged`` or ``exists`` (the same
    text was there under another id); ``clamped`` says that an agent asked for
    more than high, ``lowered`` that a person's critical rule is less than that now.
    ``differs`` says what was asked for of a rule with the same text and not taken over,
    ``remarks`` which names are new.
    """

    rule: Rule
    action: str
    clamped: bool = False
    lowered: bool = False
    differs: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def put_rule(
    vault: Vault,
    wanted: NewRule,
    scope: Scope,
    new_id: Callable[[], str],
    *,
    allow_secret: bool = False,
) -> PutResult:
    """Put one rule into a scope; durable when it returns.

    Raises ``UsageError`` for a text, id or name that cannot be kept and where an
    agent replaces a person's critical rule, ``SecretError`` for a text with a
    credential and ``ExistsError`` when the id belongs to another scope or tool.
    """
    vault.require_writable()
    agent = None if wanted.kept_by else vault.setting("agent")
    table = _table(wanted, agent)
    if not allow_secret:
        detect.refuse_secrets(table["rule"], "rule")
        detect.refuse_secrets(f"{table['evidence']} {table['why']}", "evidence")
        detect.refuse_secrets("\n".join(wanted.tags or ()), "tag")  # before their form
    clamped = bool(agent) and wanted.priority is Priority.CRITICAL
    with lock.hold(vault.root):
        names = load_tool_names(vault)
        if wanted.id is not None:
            known = _by_id(
                vault, compose.clean_id(wanted.id), scope, names.key(wanted.tool), names
            )
            if known is not None:
                done = _update(vault, known, table, wanted.reason)
                return done._replace(clamped=clamped)
        else:
            same = _same_text(vault, scope, names, table)
            if same is not None:
                return _again(vault, same, table)._replace(clamped=clamped)
        table["id"] = wanted.id or new_id()
        born = None if agent else wanted.created_at
        born = min(born or vault.now, vault.now)
        return PutResult(_create(vault, scope, names, table, born), "created", clamped)


def _table(wanted: NewRule, agent: str | None) -> dict[str, Any]:
    tool = clean_name(wanted.tool)
    priority = wanted.priority
    source = wanted.source
    evidence = wanted.evidence
    if agent:
        # What an agent writes is marked, and neither pinned nor a person's.
        priority = Priority.HIGH if priority is Priority.CRITICAL else priority
        source = Source.PROGRAMMATIC if source is Source.USER_EXPLICIT else source
    return {
        "tool": ANY_TOOL if tool == "*" else tool,
        "rule": compose.clean_rule_text(wanted.text),
        "priority": priority.value if priority else None,
        "source": source.value if source else None,
        "agent": agent,
        "kept_by": wanted.kept_by or None,
        "tags": _tags(wanted),
        "expires_at": wanted.expires_at,
        "evidence": compose.clean_line(evidence, "evidence") if evidence else None,
        "why": compose.clean_line(wanted.why, "reason") if wanted.why else None,
        "guard": None if wanted.guards is None else list(map(dict, wanted.guards)),
    }


def _tags(wanted: NewRule) -> list[str] | None:
    """The tags; empty where all are taken away, None where none are given."""
    if wanted.tags is None:
        return None
    return compose.clean_tags(wanted.tags)


def _by_id(
    vault: Vault, rule_id: str, scope: Scope, tool: str, names: ToolNames
) -> RuleFile | None:
    for file in every_file(vault).files:
        if file.id != rule_id:
            continue
        stored_tool = names.key(file.stated.get("tool", file.folder_tool))
        if file.scope != scope or stored_tool != tool:
            raise ExistsError(
                f"{rule_id} is a rule of {file.scope} for {stored_tool} "
                f"({file.path}); ",
                NextStep("rule.edit"),
                " changes it, ",
                NextStep("rule.override"),
                " overrides it",
            )
        return file
    return None


def _same_text(
    vault: Vault, scope: Scope, names: ToolNames, table: Mapping[str, Any]
) -> RuleFile | None:
    tool = names.key(table["tool"])
    for file in load_rule_files(vault, [scope]).files:
        stated = file.stated
        if "rule" not in stated or stated.get("enabled") is False:
            continue
        if _has_expired(vault, file):
            continue
        same_tool = names.key(stated.get("tool", file.folder_tool)) == tool
        if same_tool and same_text(stated["rule"], table["rule"]):
            return file
    return None


def _has_expired(vault: Vault, file: RuleFile) -> bool:
    expires = file.stated.get("expires_at")
    return expires is not None and bool(expires <= vault.now)


def _again(vault: Vault, known: RuleFile, table: Mapping[str, Any]) -> PutResult:
    """Put the same text again: take over what is stronger, and report the rest."""
    again = compare_again(known, table, is_agent=bool(table["agent"]))
    if not again.changes:
        rule = rule_from(known.stated, known)
        return PutResult(rule, "exists", differs=again.differs)
    same = [file for file in every_file(vault).files if file.id == known.id]
    require_person(vault, known, same)
    text = edit_file(vault, known.path, {**again.changes, "updated_at": vault.now})
    return PutResult(reread(text, known), "updated", differs=again.differs)


def _update(
    vault: Vault, known: RuleFile, table: Mapping[str, Any], reason: str = ""
) -> PutResult:
    """Change what is given; an empty list of tags takes all of them away."""
    changes = {
        key: value or None if key == "tags" else value
        for key, value in table.items()
        if value is not None and key != "tool" and known.stated.get(key) != value
    }
    if changes.get("tags", True) is None and "tags" not in known.stated:
        del changes["tags"]
    if table.get("expires_at") is None and _has_expired(vault, known):
        changes["expires_at"] = None  # put again, it is in force again
    if not changes:
        return PutResult(rule_from(known.stated, known), "unchanged")
    same = [file for file in every_file(vault).files if file.id == known.id]
    require_person(vault, known, same)
    lowered = _lowers(known, changes)
    if lowered:
        if not reason.strip():
            raise UsageError(
                f"{known.id} is critical: lowering it needs a ", Arg("reason")
            )
        changes["reason"] = compose.clean_line(reason, "reason")
    text = edit_file(vault, known.path, {**changes, "updated_at": vault.now})
    return PutResult(reread(text, known), "updated", lowered=lowered)


def _lowers(known: RuleFile, changes: Mapping[str, Any]) -> bool:
    """Return whether a person's critical rule would be weakened."""
    critical = capped_priority(known.stated) is Priority.CRITICAL
    return critical and by_person(known.stated) and "priority" in changes


def _create(
    vault: Vault,
    scope: Scope,
    names: ToolNames,
    table: dict[str, Any],
    created_at: datetime,
) -> Rule:
    table["priority"] = table["priority"] or Priority.NORMAL.value
    own = Source.PROGRAMMATIC if table["agent"] else Source.USER_EXPLICIT
    table["source"] = table["source"] or own.value
    table["tags"] = table["tags"] or None
    table["created_at"] = created_at
    if created_at != vault.now:
        table["updated_at"] = vault.now
    key = names.key(table["tool"])
    if tool_key(table["tool"]) != key:  # it was called by an alias
        table["tool"] = names.spelling(key) or key
    text = compose.rule_file_text(table)
    path = layout.free_path(
        vault.tree, layout.rule_path(scope, key, table["rule"], table["id"])
    )
    made = parse_rule_file(text, path=path, scope=scope, folder_tool=key)
    create_file(vault, path, text)
    return rule_from(made.stated, made)


def reread(text: str, known: RuleFile) -> Rule:
    """The rule of a file whose text has just been changed."""
    file = parse_rule_file(
        text, path=known.path, scope=known.scope, folder_tool=known.folder_tool
    )
    return rule_from(file.stated, file)
