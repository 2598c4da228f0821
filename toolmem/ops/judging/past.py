"""Candidates of the last two weeks, and how often capture was right, by tier."""

from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import NamedTuple

from toolmem.core.capture.kind import CANDIDATE, SURE
from toolmem.core.shown import counted
from toolmem.core.text.safetext import one_line, visible
from toolmem.core.times import local_text, rfc3339
from toolmem.ops.rules.listing import every_file
from toolmem.store.state.candidates import (
    ASKED,
    DROPPED,
    KEPT,
    OPEN,
    QUOTED,
    DecreeOutcome,
    StoredCandidate,
    all_outcomes,
    judge_candidate,
    recent_candidates,
)
from toolmem.store.state.database import has_state, open_state
from toolmem.store.vault.pending import load_pending
from toolmem.store.vault.vault import Vault

TIERS = (SURE, CANDIDATE, QUOTED)
"""Written at once; kept by a judge; quoted by an agent without a candidate."""
_OPEN = timedelta(days=1)
"""Time after which a candidate that was not judged counts as dropped."""


class TierCounts(NamedTuple):
    """Decrees of a tier: kept, dropped, undone (kept first), and not decided yet."""

    kept: int = 0
    dropped: int = 0
    undone: int = 0
    open: int = 0


class PastCandidates(NamedTuple):
    """Candidates, oldest first, and the counts of all decrees so far."""

    candidates: tuple[StoredCandidate, ...]
    tiers: Mapping[str, TierCounts]


def past_candidates(vault: Vault) -> PastCandidates:
    """Return the candidates of the last 14 days, and the counts."""
    if not has_state(vault.root):
        return PastCandidates((), {})
    with open_state(vault.root) as state:
        candidates = recent_candidates(state, vault.now)
    return PastCandidates(candidates, tier_counts(vault))


def undecided(vault: Vault) -> tuple[StoredCandidate, ...]:
    """Return the candidates of the last 14 days that no one has judged."""
    candidates = past_candidates(vault).candidates
    return tuple(
        candidate for candidate in candidates if candidate.status in (OPEN, ASKED)
    )


def undecided_notes(vault: Vault, session: str, *, delivers: bool) -> tuple[str, str]:
    """Return what a new session says of earlier ones: to the user, and to its agent.

    The agent of one session is asked, where it ``delivers`` the note; then only
    ``toolmem review`` lists them.
    """
    if not has_state(vault.root):
        return "", ""
    with open_state(vault.root) as state:
        candidates = recent_candidates(state, vault.now)
        new = [
            candidate
            for candidate in candidates
            if candidate.status == OPEN and candidate.session != session
        ]
        if not new:
            return "", ""
        for candidate in new if delivers else ():
            judge_candidate(state, candidate.id, ASKED)
    number = counted(len(new), "statement")
    line = f"toolmem: {number} of earlier sessions not decided: toolmem review"
    asked = [
        f'- {local_text(candidate.at)[:10]}: "{visible(one_line(candidate.sentence))}" '
        f"(toolmem rule keep {candidate.id})"
        for candidate in new[-_SHOWN:]
    ]
    head = f"{line}. Keep what the user wants in later sessions:"
    return line, "\n".join([head, *asked])


_SHOWN = 5
"""Statements of earlier sessions that an agent is asked about."""


def tier_counts(vault: Vault) -> Mapping[str, TierCounts]:
    """Return what became of decrees so far, by tier; nothing without any."""
    if not has_state(vault.root):
        return {}
    with open_state(vault.root) as state:
        outcomes = all_outcomes(state)
    if not outcomes:
        return {}
    live = {
        file.id
        for file in every_file(vault).files
        if file.stated.get("enabled") is not False
    }
    waiting = {proposal.candidate for proposal in load_pending(vault).proposals}
    oldest = rfc3339(vault.now - _OPEN)
    fates = [
        (outcome.tier, _fate(outcome, live, waiting, oldest)) for outcome in outcomes
    ]
    return {
        tier: TierCounts(*(fates.count((tier, fate)) for fate in TierCounts._fields))
        for tier in TIERS
    }


def _fate(
    outcome: DecreeOutcome, live: Collection[str], waiting: Collection[str], oldest: str
) -> str:
    """Return the name of the count that a decree belongs to."""
    if outcome.outcome == KEPT:
        gone = outcome.rules and not any(rule in live for rule in outcome.rules)
        return "undone" if gone else "kept"
    if outcome.outcome == DROPPED:
        return "dropped"
    return "open" if outcome.id in waiting or outcome.at >= oldest else "dropped"
