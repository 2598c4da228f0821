"""Proposals, past candidates and counts of capture as lines of text."""

from collections.abc import Iterable, Iterator, Mapping

from toolmem.core import limits
from toolmem.core.guard.derivation import describe
from toolmem.core.guard.derivation.duties import derive_duties
from toolmem.core.shown import tool_label
from toolmem.core.times import local_text
from toolmem.ops.history.review import PendingProposal
from toolmem.ops.judging.past import TierCounts
from toolmem.store.state.candidates import StoredCandidate

_VERBS = {"amend": "changes", "retire": "retires", "contest": "contradicts"}
_TIERS = {"sure": "sure", "candidate": "candidates", "quoted": "quoted by agents"}


def queue_lines(waiting: Iterable[PendingProposal]) -> Iterator[str]:
    """Yield the lines of all proposals, below a line for each session."""
    title = ""
    for pending in waiting:
        if session_title(pending) != title:
            title = session_title(pending)
            yield title
        yield from proposal_lines(pending)


def session_title(pending: PendingProposal) -> str:
    """Return the line above the proposals of one session."""
    session = pending.proposal.session
    return f"session {session}" if session else "no session"


def proposal_lines(pending: PendingProposal) -> Iterator[str]:
    """Yield a proposal in full: its row, where it is from, and what it changes."""
    proposal, preview = pending.proposal, pending.preview
    yield f"  {_row(pending)}"
    for rule in pending.rules:
        verb = _VERBS.get(proposal.kind, "about")
        yield f"    {verb} {rule.id[: limits.ID_SHOWN]}: {rule.rule}"
    parts = (proposal.before, f"[{proposal.sentence}]", proposal.after)
    yield f"    message: {' '.join(filter(None, parts))}"
    yield f"    why: {proposal.why}; from {proposal.evidence}"
    if proposal.rule:
        yield f"    {_guard_line(pending)}"
    for line in preview.block:
        yield (
            f"    block: {line.change} {tool_label(line.tool)} "
            f"[{line.priority.value}] {line.rule}"
        )
    if not preview.block:
        yield "    block: no change: normal rules are not in it"
    elif not preview.in_chain:
        yield f"    block: only in {proposal.scope}, not here"


def past_line(candidate: StoredCandidate) -> str:
    """Return a candidate and what became of it, as one line."""
    state = {"open": "not judged", "asked": "not judged"}.get(
        candidate.status, candidate.status
    )
    tools = ", ".join(map(tool_label, candidate.tools)) or "every tool"
    where = f"session {candidate.session}" if candidate.session else candidate.place
    day = local_text(candidate.at)[:10]
    fields = (day, candidate.id, state, candidate.kind, tools, candidate.text)
    return "  ".join((*fields, f"({where})"))


def tier_lines(tiers: Mapping[str, TierCounts]) -> Iterator[str]:
    """Yield one line on what became of the decrees so far; nothing without any."""
    counted = [
        f"{_TIERS[tier]} {counts.kept} kept, {counts.dropped} dropped, "
        f"{counts.undone} undone" + (f", {counts.open} open" if counts.open else "")
        for tier, counts in tiers.items()
        if any(counts)
    ]
    if counted:
        yield f"so far: {'; '.join(counted)}"


def _row(pending: PendingProposal) -> str:
    proposal = pending.proposal
    tools = ", ".join(map(tool_label, proposal.tools))
    return "  ".join(
        (
            proposal.id[: limits.ID_SHOWN],
            proposal.kind,
            f"[{proposal.priority.value}]",
            tools,
            str(proposal.scope),
            proposal.rule or proposal.sentence,
        )
    )


def _guard_line(pending: PendingProposal) -> str:
    duties = derive_duties(pending.proposal.rule or pending.proposal.sentence)
    if pending.preview.guards or duties:
        return describe.guard_line(pending.preview.guards, duties)
    return "guard: none could be derived from the text; advice only"
