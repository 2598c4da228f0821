"""Before a tool: the guard's verdict, else what its rules say, once a session."""

from collections.abc import Sequence
from typing import Any

from toolmem.core import limits
from toolmem.core.access import weakening
from toolmem.core.agents import record
from toolmem.core.agents.event import Answer, Event
from toolmem.core.agents.registry import same_tools
from toolmem.core.guard.compiled import ToolRule
from toolmem.core.model import Priority, Rule
from toolmem.core.names import fold
from toolmem.core.prompt import safe
from toolmem.core.times import rfc3339
from toolmem.ops.capture.session_bans import CANDIDATE_TAG, session_bans
from toolmem.ops.hooks import changed_rules, duties, keep_hook, modes, own_guard
from toolmem.ops.hooks.journal_event import (
    PENDING_SUFFIX,
    SHOWN_SUFFIX,
    append_event,
    reader_journal,
    rule_version,
)
from toolmem.ops.hooks.seen_before import command_of, failures_seen
from toolmem.ops.rules import scan
from toolmem.ops.rules.compilation import stop_names
from toolmem.ops.rules.guard import GuardAnswer, check_call, strictest
from toolmem.store.files.settings import home_folder
from toolmem.store.journal import journal
from toolmem.store.vault.vault import Vault

_EVENTS = {"deny": "denied", "ask": "asked"}
_OBSERVED = "observed"


def answer(vault: Vault, event: Event) -> Answer:
    """The verdict of a call with the rule as its reason, or context for the model."""
    session = vault.session_vault
    if names_toolmem(event) and (approved := keep_hook.approve(session, event)):
        return approved
    own = own_guard.check_own(vault, event)
    found = strictest((_judged(vault, event), own))
    if found.verdict in ("deny", "ask"):
        if not (found.verdict == "ask" and event.asks_later):
            _keep(vault, event, found)
        reason = _reason(found)
        asks = own.reason and found.reason == own.reason
        allow = "run it" if asks else _override_hint(found)
        return Answer(verdict=found.verdict, reason=reason, allow=allow)
    undone = _undone(vault, event, found)
    if undone.verdict:
        return undone
    changed_rules.note_rules(vault, event)
    if event.asks_later:
        return Answer()
    if event.silent_end:
        call = record.call_record(event._replace(unfinished=True))
        line = {"session": event.session, "cwd": event.cwd, "call": call}
        append_event(vault, event, line)
    return _context(vault, event, found)


def _context(vault: Vault, event: Event, found: GuardAnswer) -> Answer:
    """Return what the model is shown before a call that is allowed."""
    lines = []
    if found.verdict == "warn" and found.rule:
        _keep(vault, event, found)
        lines.append(
            f"This call may break a rule ({found.reason}): {_shown(found.rule)}"
        )
    injected = modes.injected(vault)
    counted = injected or modes.observed_injection(vault)
    if (event.takes_context or event.session) and counted:
        unseen = _unseen_rules(vault, event, found.shown)
        lines += unseen if injected else []
    text = "\n".join(lines)
    if text and event.session and not event.takes_context:
        # It is added to the result of the call then.
        append_event(vault, event, {"said": text}, suffix=PENDING_SUFFIX)
    return Answer(context=text)


def _judged(vault: Vault, event: Event) -> GuardAnswer:
    """The verdict by the rules in force, and by bans of this session."""
    session = vault.session_vault
    bans = session_bans(session, event.session)

    def check(one: Vault) -> GuardAnswer:
        return check_call(
            one,
            event.tool,
            event.input,
            cwd=event.cwd,
            home=home_folder(),
            more=bans if one.session_vault.root == session.root else (),
        )

    return modes.judge(
        vault, check, lambda found: _keep(vault, event, found, observed=True)
    )


def late_name(vault: Vault, event: Event, data: bytes) -> str | None:
    """Find guarded words in an unchecked call by a plain scan of its text.

    None if nothing is; empty where that cannot be known. Vaults that do not enforce
    their rules are left out, as they are from a verdict.
    """
    enforcing = modes.enforcing(vault)
    if not enforcing:
        return None
    session = vault.session_vault
    names = set(weakening.SCAN_NAMES)
    if any(one.root == session.root for one in enforcing):
        bans = session_bans(session, event.session)
        names.update(name for rule in bans for name in stop_names(rule))
    return scan.guarded_name(enforcing, data, event.input, names)


def names_toolmem(event: Event) -> bool:
    """Return whether a call may run a command of toolmem."""
    values = event.input.values()
    return any("toolmem" in str(v) for v in values if isinstance(v, str | list))


def _reason(found: GuardAnswer) -> str:
    if found.rule is None:
        return found.reason
    doubt = " (the call could not be parsed completely)" if found.conservative else ""
    added = bool(found.guard and found.guard.get("adds"))
    what = f"this call {safe.safe_line(found.reason)}: " if added else ""
    return f"{what}{_shown(found.rule)}{doubt}"


def _override_hint(found: GuardAnswer) -> str:
    """Return what a user can do to allow the call."""
    if found.rule is None:
        return "run it, or fix that file"
    if _is_candidate(found.rule):
        return "allow it, or say whether the words are a rule"
    retire = f"toolmem rule archive {found.rule.id[: limits.ID_SHOWN]} --reason …"
    return f'allow it, or lift the rule by saying "you may …" or with `{retire}`'


def _is_candidate(rule: Rule) -> bool:
    return CANDIDATE_TAG in rule.tags


def _shown(rule: Rule) -> str:
    if _is_candidate(rule):
        text = safe.safe_line(rule.rule)
        return f"the user wrote in this session: {text} (toolmem rule keep {rule.id})"
    return duties.shown_rule(rule)


def _undone(vault: Vault, event: Event, found: GuardAnswer) -> Answer:
    """Return the verdict if duties come before the call, with all of them in one text;
    note each for the session."""
    if not found.duties or not event.session:
        return Answer()
    due = duties.check(vault, event, found.duties)
    verdict = due[0].verdict if due else "allow"
    is_observed = any(one.is_observed for one in due)
    for one in due if verdict != "ask" or not event.asks_later else ():
        if not is_observed:
            line = duties.note_line(event, one.due.demand.key, one.kind)
            append_event(vault, event, line)
        answer = GuardAnswer(verdict, one.due.rule, reason=one.reason)
        _keep(vault, event, answer, observed=is_observed)
    if verdict == "allow" or is_observed:
        return Answer()
    reasons = (f"{one.reason}: {duties.shown_rule(one.due.rule)}" for one in due)
    return Answer(
        verdict=verdict, reason="\n".join(reasons), allow="run it, or fulfil it"
    )


def _keep(
    vault: Vault, event: Event, found: GuardAnswer, *, observed: bool = False
) -> None:
    """Note the verdict and its rule, for the record of the rule and for the trace.

    ``observed``: the guard only observes, and the call goes on.
    """
    if found.verdict == "allow":
        return
    stops = found.verdict in _EVENTS
    rule, outcome = found.rule, _OBSERVED if observed and stops else found.verdict
    line: dict[str, Any] = {
        "session": event.session,
        "at": rfc3339(vault.now),
        "project": vault.session_vault.setting("project") or "",
        "verdict": {
            "tool": event.tool,
            "agent": vault.session_vault.setting("agent") or "",
            "status": outcome,
            "rule": rule.id if rule else "",
            "reason": (rule.rule if rule else found.reason)[: limits.TRACE_CHARS],
        },
    }
    if rule is not None and not _is_candidate(rule):
        line["matched"] = [rule.id]
        if stops:
            line[_EVENTS.get(outcome, _OBSERVED)] = [rule.id]
    append_event(vault, event, line)


def _unseen_rules(vault: Vault, event: Event, rules: Sequence[ToolRule]) -> list[str]:
    """The high rules of the tool at its first call, critical ones that the session has
    not seen yet, and hints about this call."""
    tools, command = same_tools(fold(event.tool)), command_of(event)
    rules = [
        rule
        for rule in (*rules, *failures_seen(vault, event, rules))
        if rule.concerns(tools, command)
    ]
    if not rules:
        return []
    name = reader_journal(event, SHOWN_SUFFIX)
    lines = journal.read(vault.session_vault.root, name)
    known = {(kind, one) for line in lines for kind in line for one in line[kind]}
    new = {
        version: rule
        for rule in sorted(rules, key=lambda one: one.order)
        if ("call", version := rule_version(rule.id, rule.priority, rule.text))
        not in known
        and (
            rule.priority != Priority.CRITICAL.value or ("shown", version) not in known
        )
    }
    if not new:
        return []
    if event.session:
        append_event(vault, event, {"call": list(new)}, suffix=SHOWN_SUFFIX)
    ids = [rule.id for rule in new.values()]
    line = {"session": event.session, "at": rfc3339(vault.now), "shown": ids}
    append_event(vault, event, line)
    return _rule_lines(event.tool, list(new.values()))


def _rule_lines(tool: str, rules: Sequence[ToolRule]) -> list[str]:
    shown = [
        f"- **[{rule.priority}]** {safe.safe_line(rule.text)}"
        for rule in rules[: limits.HOOK_RULES_SHOWN]
    ]
    more = len(rules) - len(shown)
    if more:
        shown.append(f"- {more} more: `toolmem rule list {safe.safe_name(tool)}`")
    return [f"Rules for `{safe.safe_name(tool)}`:", *shown]
