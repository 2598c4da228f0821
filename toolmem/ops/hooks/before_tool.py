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
from toolmem.ops.rules import compilation, scan
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
    verdict = strictest((_judged(vault, event), own))
    if verdict.verdict in ("deny", "ask"):
        if not (verdict.verdict == "ask" and event.asks_later):
            _keep(vault, event, verdict)
        reason = _reason(verdict)
        asks = own.reason and verdict.reason == own.reason
        allow = "run it" if asks else _override_hint(verdict)
        return Answer(verdict=verdict.verdict, reason=reason, allow=allow)
    undone = _undone(vault, event, verdict)
    if undone.verdict:
        return undone
    changed_rules.note_rules(vault, event)
    if event.asks_later:
        return Answer()
    if event.silent_end:
        call = record.call_record(event._replace(unfinished=True))
        line = {"session": event.session, "cwd": event.cwd, "call": call}
        append_event(vault, event, line)
    return _context(vault, event, verdict)


def _context(vault: Vault, event: Event, verdict: GuardAnswer) -> Answer:
    """Return what the model is shown before a call that is allowed."""
    lines = []
    if verdict.verdict == "warn" and verdict.rule:
        _keep(vault, event, verdict)
        lines.append(
            f"This call may break a rule ({verdict.reason}): {_shown(verdict.rule)}"
        )
    injected = modes.injected(vault)
    counted = injected or modes.observed_injection(vault)
    if (event.takes_context or event.session) and counted:
        unseen = _unseen_rules(vault, event, verdict.shown)
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

    def check(place: Vault) -> GuardAnswer:
        return check_call(
            place,
            event.tool,
            event.input,
            cwd=event.cwd,
            home=home_folder(),
            more=bans if place.session_vault.root == session.root else (),
        )

    return modes.judge(
        vault, check, lambda verdict: _keep(vault, event, verdict, observed=True)
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
    if any(place.root == session.root for place in enforcing):
        bans = session_bans(session, event.session)
        names.update(name for rule in bans for name in compilation.stop_names(rule))
    return scan.guarded_name(enforcing, data, event.input, names)


def names_toolmem(event: Event) -> bool:
    """Return whether a call may run a command of toolmem."""
    values = event.input.values()
    return any("toolmem" in str(v) for v in values if isinstance(v, str | list))


def _reason(verdict: GuardAnswer) -> str:
    if verdict.rule is None:
        return verdict.reason
    doubt = " (the call could not be parsed completely)" if verdict.conservative else ""
    added = bool(verdict.guard and verdict.guard.get("adds"))
    what = f"this call {safe.safe_line(verdict.reason)}: " if added else ""
    return f"{what}{_shown(verdict.rule)}{doubt}"


def _override_hint(verdict: GuardAnswer) -> str:
    """Return what a user can do to allow the call."""
    if verdict.rule is None:
        return "run it, or fix that file"
    if _is_candidate(verdict.rule):
        return "allow it, or say whether the words are a rule"
    retire = f"toolmem rule archive {verdict.rule.id[: limits.ID_SHOWN]} --reason …"
    return f'allow it, or lift the rule by saying "you may …" or with `{retire}`'


def _is_candidate(rule: Rule) -> bool:
    return CANDIDATE_TAG in rule.tags


def _shown(rule: Rule) -> str:
    if _is_candidate(rule):
        text = safe.safe_line(rule.rule)
        return f"the user wrote in this session: {text} (toolmem rule keep {rule.id})"
    return duties.shown_rule(rule)


def _undone(vault: Vault, event: Event, checked: GuardAnswer) -> Answer:
    """Return the verdict if duties come before the call, with all of them in one text;
    note each for the session."""
    if not checked.duties or not event.session:
        return Answer()
    due = duties.check(vault, event, checked.duties)
    verdict = due[0].verdict if due else "allow"
    is_observed = any(duty.is_observed for duty in due)
    for due_duty in due if verdict != "ask" or not event.asks_later else ():
        if not is_observed:
            line = duties.note_line(event, due_duty.due.demand.key, due_duty.kind)
            append_event(vault, event, line)
        answer = GuardAnswer(verdict, due_duty.due.rule, reason=due_duty.reason)
        _keep(vault, event, answer, observed=is_observed)
    if verdict == "allow" or is_observed:
        return Answer()
    reasons = (f"{duty.reason}: {duties.shown_rule(duty.due.rule)}" for duty in due)
    return Answer(
        verdict=verdict, reason="\n".join(reasons), allow="run it, or fulfil it"
    )


def _keep(
    vault: Vault, event: Event, verdict: GuardAnswer, *, observed: bool = False
) -> None:
    """Note the verdict and its rule, for the record of the rule and for the trace.

    ``observed``: the guard only observes, and the call goes on.
    """
    if verdict.verdict == "allow":
        return
    stops = verdict.verdict in _EVENTS
    rule, outcome = verdict.rule, _OBSERVED if observed and stops else verdict.verdict
    line: dict[str, Any] = {
        "session": event.session,
        "at": rfc3339(vault.now),
        "project": vault.session_vault.setting("project") or "",
        "verdict": {
            "tool": event.tool,
            "agent": vault.session_vault.setting("agent") or "",
            "status": outcome,
            "rule": rule.id if rule else "",
            "reason": (rule.rule if rule else verdict.reason)[: limits.TRACE_CHARS],
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
    known = {
        (kind, version) for line in lines for kind in line for version in line[kind]
    }
    new = {
        version: rule
        for rule in sorted(rules, key=lambda rule: rule.order)
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
