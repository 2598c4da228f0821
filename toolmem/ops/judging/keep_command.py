"""Carry out ``rule keep`` and ``rule retract``; answer with their document."""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import uuid4

from toolmem.core.candidates.command import KeepCommand
from toolmem.core.candidates.place import place_note
from toolmem.core.guard.derivation.stated import guard_line, guards_in_force
from toolmem.core.model import ANY_TOOL
from toolmem.core.rules.proposal import Proposal
from toolmem.errors import Arg, LockedError, StorageError, UsageError
from toolmem.ops.judging.keep import KeptRule, keep
from toolmem.ops.judging.keep_result import find_result
from toolmem.ops.judging.retract import RetractedRule, retract
from toolmem.ops.judging.verified_quote import KeepRequest, Refusal
from toolmem.store.vault.vault import Vault


def answer(
    reader: Vault,
    write: Callable[[], Vault],
    command: KeepCommand,
    session: str,
    cwd: str = "",
) -> Mapping[str, Any]:
    """Return the answer that a hook left to this command, else carry it out.

    ``write`` opens the vault for writing. Raises ``UsageError``, and
    ``StorageError`` or ``LockedError`` if nothing could be written.
    """
    if not command.ids and not command.quote:
        raise UsageError("name a candidate, or the user's words with ", Arg("quote"))
    by_hook = find_result(reader, command)
    if by_hook is not None:
        return by_hook
    try:
        return carry_out(write(), command, session, cwd=cwd)
    except (StorageError, LockedError) as error:
        raise type(error)(
            f"{error}; no hook ran the command, so nothing was kept: run it "
            "outside the sandbox, or install the hooks (toolmem agent install)"
        ) from error


def carry_out(
    vault: Vault, command: KeepCommand, session: str, agent: str = "", cwd: str = ""
) -> Mapping[str, Any]:
    """Do what a command says and return the document of its answer.

    Raises ``UsageError``, ``StorageError`` and ``LockedError``.
    """
    request = KeepRequest(
        command.ids,
        command.quote,
        command.tools,
        command.scope,
        command.priority,
        command.which,
        session,
        agent or vault.setting("agent") or "",
        cwd,
        command.wording,
    )
    if command.verb == "keep":
        result = keep(vault, request, _new_id)
        done = {"kept": [_rule_document(kept) for kept in result.kept]}
        proposed, refused = result.proposed, result.refused
    else:
        retracted = retract(vault, request, _new_id)
        done = {"retracted": [_retracted(rule) for rule in retracted.retracted]}
        if retracted.kept:
            done["kept"] = [_rule_document(kept) for kept in retracted.kept]
        proposed, refused = retracted.proposed, retracted.refused
    return {
        **done,
        "proposed": [_proposed(proposal) for proposal in proposed],
        "refused": [_refused(refusal) for refusal in refused],
    }


def _new_id() -> str:
    return str(uuid4())


def _rule_document(kept: KeptRule) -> dict[str, Any]:
    rule = kept.rule
    document = {
        "id": rule.id,
        "tool": rule.tool,
        "rule": rule.rule,
        "priority": rule.priority.value,
        "scope": str(rule.scope),
        "path": rule.path,
        "guards": [dict(guard) for guard in guards_in_force(rule)],
        "checks": guard_line(rule),
        "place": place_note(rule.scope, rule.id, kept.here),
        "action": kept.action,
        "candidate": kept.candidate,
    }
    more = {"why": rule.stated.get("why"), "remark": kept.remark}
    more["unknown_tools"] = list(kept.unknown)
    return document | {key: value for key, value in more.items() if value}


def _retracted(retracted: RetractedRule) -> dict[str, Any]:
    return {
        "id": retracted.rule.id,
        "tool": retracted.rule.tool,
        "rule": retracted.rule.rule,
        "scope": str(retracted.scope),
        "path": retracted.path,
        "action": retracted.action,
        "candidate": retracted.candidate,
    }


def _proposed(proposal: Proposal) -> dict[str, Any]:
    return {
        "id": proposal.id,
        "tool": proposal.tools[0] if proposal.tools else ANY_TOOL,
        "rule": proposal.rule,
        "sentence": proposal.sentence,
        "scope": str(proposal.scope),
        "reason": proposal.why,
        "path": proposal.path,
    }


def _refused(refusal: Refusal) -> dict[str, Any]:
    return {"id": refusal.id, "reason": refusal.reason}
