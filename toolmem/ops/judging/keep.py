"""Keep a candidate or a quotation of the user as a rule, once it is verified.

Words that are found nowhere become a proposal.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.candidates.captured import (
    CAPTURED,
    UNHEARD,
    UNRELATED,
    UNSTORED,
)
from toolmem.core.candidates.harm import highest_priority
from toolmem.core.candidates.place import scope_for
from toolmem.core.candidates.wording import Wording, trimmed
from toolmem.core.candidates.wording_check import check_wording
from toolmem.core.capture.decree import BACK, CANDIDATE
from toolmem.core.model import Priority, Rule, Scope, Source
from toolmem.core.rules.arguments import priority_of
from toolmem.core.rules.derived_id import derived_id
from toolmem.core.rules.proposal import Proposal
from toolmem.core.scope import parse_scope
from toolmem.core.text.safetext import one_line, visible
from toolmem.errors import Arg, ExistsError, Notice, UsageError
from toolmem.ops.capture.context import CaptureContext, typed_scope
from toolmem.ops.capture.session_bans import lift_ban
from toolmem.ops.capture.tool_choice import ToolChoice, choose_tools
from toolmem.ops.judging.verified_quote import (
    KeepRequest,
    Refusal,
    VerifiedQuote,
    verify,
)
from toolmem.ops.rules.put import NewRule, put_rule
from toolmem.store.state import undo_steps
from toolmem.store.state.candidates import (
    KEPT,
    QUOTED,
    judge_candidate,
    note_outcome,
)
from toolmem.store.state.counters import tools_called
from toolmem.store.state.database import has_state, open_state
from toolmem.store.vault.pending import load_pending, save_proposal
from toolmem.store.vault.vault import Vault

_AGENTS_REASONS = (UNHEARD, UNSTORED, UNRELATED)
_MOST_WAITING = 5
"""Proposals of a session's agents that wait for a person at a time."""


class KeptRule(NamedTuple):
    """A rule that is now in force; ``action`` is ``created`` or ``exists``.

    ``unknown`` are the names of tools that no tool of the vault or the session has.
    ``remark`` says why an offered wording was not used, ``here`` is the scope of the
    place where the words were typed.
    """

    rule: Rule
    action: str
    candidate: str
    unknown: tuple[str, ...] = ()
    remark: str = ""
    here: Scope | None = None


class KeepResult(NamedTuple):
    """Kept, proposed and refused candidates."""

    kept: tuple[KeptRule, ...] = ()
    proposed: tuple[Proposal, ...] = ()
    refused: tuple[Refusal, ...] = ()


def keep(vault: Vault, request: KeepRequest, new_id: Callable[[], str]) -> KeepResult:
    """Keep candidates or a quotation as rules; durable when it returns.

    Raises ``UsageError`` for a priority or scope that does not exist.
    """
    vault.require_writable()
    if request.priority:
        priority_of(request.priority)
    if request.scope:
        parse_scope(request.scope)
    rules: list[KeptRule] = []
    proposed: list[Proposal] = []
    refused: list[Refusal] = []
    for quote in verify(vault, request):
        if isinstance(quote, Refusal):
            refused.append(quote)
        elif not quote.place:
            asked = propose(vault, request, quote)
            if isinstance(asked, Refusal):
                refused.append(asked)
            else:
                proposed.append(asked)
        else:
            made = rule_kept(vault.fresh(), request, quote, new_id)
            if isinstance(made, Refusal):
                refused.append(made)
            else:
                rules += made
    return KeepResult(tuple(rules), tuple(proposed), tuple(refused))


def judged(vault: Vault, quote: VerifiedQuote, rules: Sequence[str] = ()) -> None:
    """Note that words were kept as rules, and end the candidate's guard."""
    with open_state(vault.root) as state:
        known = judge_candidate(state, quote.id, KEPT)
        tier = CANDIDATE if known else QUOTED
        note_outcome(state, quote.id, tier, KEPT, rules, vault.now)
    lift_ban(vault, quote.session, quote.id)


def rule_kept(
    vault: Vault,
    request: KeepRequest,
    quote: VerifiedQuote,
    new_id: Callable[[], str],
    why: str = "",
) -> list[KeptRule] | Refusal:
    """Keep verified words as a rule of each of its tools; ``why`` if they give none."""
    if quote.kind == BACK and quote.rules:
        reason = f"retracts a rule: run toolmem rule retract {quote.id}"
        return Refusal(quote.id, reason)
    choice = tools_of(vault, request, quote)
    cut, remark = _worded(quote, request.wording, choice.tools[0])
    if len(cut.text) > limits.RULE_CHARS:
        reason = Notice(
            f"has more than {limits.RULE_CHARS} characters: offer less with ",
            Arg("wording"),
        )
        return Refusal(quote.id, reason)
    wanted = NewRule(
        "",
        cut.text,
        _priority(quote, request.priority, choice.tools[0]),
        Source.USER_EXPLICIT,
        (CAPTURED,),
        evidence=evidence_of(quote),
        kept_by=request.agent or "agent",
        why=cut.why or why,
    )
    scope, here = scope_of(vault, request, quote), here_of(vault, request, quote)
    made = []
    try:
        for tool in choice.tools:
            rule = wanted._replace(tool=tool)
            result = put_rule(vault.fresh(), rule, scope, new_id)
            kept = KeptRule(
                result.rule, result.action, quote.id, choice.unknown, remark, here
            )
            made.append(kept)
            if result.action == "created":
                undo_steps.note_step(vault, "kept", result.rule.rule, result.rule.path)
    except (UsageError, ExistsError) as error:
        return Refusal(quote.id, str(error))
    judged(vault, quote, [kept_rule.rule.id for kept_rule in made])
    return made


def _priority(quote: VerifiedQuote, asked: str, tool: str) -> Priority:
    """Return the priority of the words, or a lower one that was asked for."""
    highest = highest_priority(quote.kind, quote.text, tool)
    wanted = priority_of(asked) if asked else highest
    return max(highest, wanted, key=lambda priority: priority.rank)


def _worded(quote: VerifiedQuote, asked: str, tool: str) -> tuple[Wording, str]:
    """Return the text of a rule, and why it is not the one that was asked for."""
    cut = trimmed(quote.text, tool)
    if not asked:
        return cut, ""
    reason = check_wording(asked, quote.text, quote.before, tool)
    if reason:
        return cut, Notice(Arg("wording"), f" was not used: it {reason}")
    return cut._replace(text=one_line(asked).strip()), ""


def here_of(vault: Vault, request: KeepRequest, quote: VerifiedQuote) -> Scope:
    """Return the scope of the place where words were typed."""
    return parse_scope(quote.scope) if quote.scope else typed_scope(vault, request.cwd)


def scope_of(vault: Vault, request: KeepRequest, quote: VerifiedQuote) -> Scope:
    """Return the scope of a rule: as asked, as its words say, or where it was typed."""
    if request.scope:
        return parse_scope(request.scope)
    here = here_of(vault, request, quote)
    return scope_for(quote.sentence, ban=quote.kind == "ban", here=here)


def evidence_of(quote: VerifiedQuote) -> str:
    """Return the sentence and its place, as a rule's evidence states them."""
    sentence = visible(one_line(quote.sentence))
    if len(sentence) > limits.EVIDENCE_CHARS:
        sentence = sentence[: limits.EVIDENCE_CHARS - 1].rstrip() + "…"
    return f"“{sentence}” ({visible(quote.place)})"


def tools_of(vault: Vault, request: KeepRequest, quote: VerifiedQuote) -> ToolChoice:
    """Return the tools of a rule: as asked, or as the words have it."""
    known = CaptureContext(vault, vault.write_scope)
    called = _called(vault, request.session)
    return choose_tools(known, request.tools, called, quote.tools)


def _called(vault: Vault, session: str) -> frozenset[str]:
    if not session or not has_state(vault.root):
        return frozenset()
    with open_state(vault.root) as state:
        _, used = tools_called(state, session)
    return frozenset(name.casefold() for name in used)


def propose(
    vault: Vault, request: KeepRequest, quote: VerifiedQuote
) -> Proposal | Refusal:
    """Store a proposal for words that were found nowhere; return it."""
    tools = tools_of(vault, request, quote).tools
    scope = scope_of(vault, request, quote)
    proposal = Proposal(
        derived_id("proposal", "add", str(scope), *sorted(tools), quote.text),
        "add",
        tools,
        quote.text,
        _priority(quote, request.priority, tools[0]),
        scope,
        quote.missing,
        quote.sentence,
        f"quoted by {request.agent or 'an agent'}, not found in the session",
        vault.now,
    )
    return proposed(vault, request, quote, proposal)


def proposed(
    vault: Vault, request: KeepRequest, quote: VerifiedQuote, proposal: Proposal
) -> Proposal | Refusal:
    """Store a proposal of an agent, or refuse one more of its session."""
    made = proposal._replace(agent=request.agent or "agent", session=request.session)
    stored = _save_agents_proposal(vault, made)
    if stored is None:
        reason = (
            f"is one proposal too many: {_MOST_WAITING} of this session wait "
            "(toolmem review)"
        )
        return Refusal(quote.id, reason)
    return stored


def _save_agents_proposal(vault: Vault, proposal: Proposal) -> Proposal | None:
    """Store a proposal and return it with its path; None for one too many."""
    waiting = {
        each.id
        for each in load_pending(vault).proposals
        if each.why in _AGENTS_REASONS and each.session == proposal.session
    }
    if len(waiting) >= _MOST_WAITING and proposal.id not in waiting:
        return None
    return proposal._replace(path=save_proposal(vault.fresh(), proposal))
