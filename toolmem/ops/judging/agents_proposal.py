"""Store proposals of agents: a session has few that wait at a time."""

from toolmem.core.candidates.captured import UNHEARD, UNRELATED, UNSTORED
from toolmem.core.rules.proposal import Proposal
from toolmem.store.vault.pending import load_pending, save_proposal
from toolmem.store.vault.vault import Vault

_REASONS = (UNHEARD, UNSTORED, UNRELATED)
MOST_WAITING = 5
"""Proposals of a session's agents that wait for a person at a time."""


def save_agents_proposal(vault: Vault, proposal: Proposal) -> Proposal | None:
    """Store a proposal and return it with its path; None for one too many."""
    waiting = {
        each.id
        for each in load_pending(vault).proposals
        if each.why in _REASONS and each.session == proposal.session
    }
    if len(waiting) >= MOST_WAITING and proposal.id not in waiting:
        return None
    return proposal._replace(path=save_proposal(vault.fresh(), proposal))
