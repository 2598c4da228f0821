"""Review of proposals and uncommitted changes."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from toolmem.api.access import Access, Operations, bounded
from toolmem.core.model import Problem, Scope
from toolmem.core.rules import arguments as rule_words
from toolmem.core.scope import parse_scope
from toolmem.errors import Arg, NextStep, NotFoundError, UsageError, exclusive
from toolmem.ops.history import review as proposals
from toolmem.ops.history import review_change as review_entry
from toolmem.ops.history import uncommitted
from toolmem.ops.judging import past as past_
from toolmem.ops.rules import new_names
from toolmem.store.state import candidates as state_candidates
from toolmem.store.vault.vault import Vault

NO_COUNTS: "Mapping[str, past_.TierCounts]" = MappingProxyType({})


class ReviewQueue(NamedTuple):
    """Proposals by session, uncommitted changes, and unreadable files.

    ``tiers`` counts the outcomes of all decrees so far; ``undecided`` are statements of
    the last 14 days that no one has judged.
    """

    waiting: "tuple[proposals.PendingProposal, ...]"
    entries: "tuple[uncommitted.UncommittedEntry, ...]"
    problems: tuple[Problem, ...]
    tiers: "Mapping[str, past_.TierCounts]" = NO_COUNTS
    undecided: "tuple[state_candidates.StoredCandidate, ...]" = ()


@bounded()
class Review(Operations):
    """Review of proposals and uncommitted changes."""

    def review(
        self,
        *,
        accept: str = "",
        reject: str = "",
        text: str = "",
        rule: str = "",
        priority: str = "",
        scope: str = "",
        create: bool = False,
        past: bool = False,
    ) -> (
        "ReviewQueue | proposals.ReviewResult | review_entry.ReviewedEntry"
        " | past_.PastCandidates"
    ):
        """List proposals and uncommitted changes, or ``accept`` or ``reject`` one.

        Both take an id (or a unique prefix), or the path of an uncommitted file.
        Accepting a proposal makes the change, accepting an uncommitted change commits
        it; rejecting that reverts it, with a backup. ``text``, ``priority`` and
        ``scope`` replace those of an accepted proposal; ``rule`` selects one of several
        rules. ``past`` lists the candidates of the last 14 days instead, and how many
        decrees were kept, dropped and undone. Raises ``NotFoundError`` and
        ``UsageError``.
        """
        urgency = rule_words.priority_of(priority) if priority else None
        wanted = review_entry.RequestedEdits(
            text, rule, urgency, self._access.scope(scope)
        )
        if accept and reject:
            raise exclusive("accept", "reject")
        if past and (accept or reject):
            raise exclusive("past", "accept", "reject")
        if wanted != review_entry.RequestedEdits() and not accept:
            raise UsageError("changes of a proposal need ", Arg("accept"))
        if past:
            return _past(self._access, self._access.read())
        name = accept or reject
        if not name:
            return _agenda(self._access, self._access.read())
        vault = self._access.write()
        entry = _entry(self._access, vault, name)
        remarks: tuple[str, ...] = ()
        if wanted.scope:
            remarks = new_names.accepted_names(vault, wanted.scope, create=create)
        if entry is None:
            _require_seen(self._access, vault, name)
            if reject:
                return proposals.reject_proposal(vault, name)
            done = proposals.accept_proposal(vault, name, **wanted.given())
            return done._replace(remarks=remarks)
        if reject:
            return review_entry.reject_entry(vault, entry)
        kept = review_entry.accept_entry(vault, entry, wanted)
        return kept._replace(remarks=remarks)


def _agenda(access: Access, vault: Vault) -> ReviewQueue:
    queue = proposals.list_proposals(vault)
    waiting = tuple(pending for pending in queue.waiting if _is_seen(access, pending))
    counts = {} if access.bounds.narrow else past_.tier_counts(vault)
    entries, open_ones = (
        _entries(access, vault),
        _visible(access, past_.undecided(vault)),
    )
    return ReviewQueue(waiting, entries, queue.problems, counts, open_ones)


def _visible(
    access: Access, candidates: "Iterable[state_candidates.StoredCandidate]"
) -> "tuple[state_candidates.StoredCandidate, ...]":
    """Return the candidates of visible scopes."""
    allows = access.bounds.allows
    return tuple(
        candidate for candidate in candidates if allows(parse_scope(candidate.scope))
    )


def _past(access: Access, vault: Vault) -> "past_.PastCandidates":
    """Return the candidates of visible scopes; counts only of the whole vault."""
    past = past_.past_candidates(vault)
    seen = _visible(access, past.candidates)
    return past_.PastCandidates(seen, {} if access.bounds.narrow else past.tiers)


def _entry(
    access: Access, vault: Vault, name: str
) -> "uncommitted.UncommittedEntry | None":
    """Return the uncommitted change with that name, unless a proposal has it."""
    if proposals.is_proposed(vault, name):
        return None
    return uncommitted.find_entry(_entries(access, vault), name)


def _entries(
    access: Access, vault: Vault
) -> "tuple[uncommitted.UncommittedEntry, ...]":
    return tuple(
        entry
        for entry in review_entry.entries_of(vault)
        if access.bounds.allows_all(_scopes(entry))
    )


def _scopes(entry: "uncommitted.UncommittedEntry") -> list[Scope | None]:
    items = [side for change in entry.changes for side in (change.before, change.after)]
    return [item.scope for item in items if item]


def _is_seen(access: Access, waiting: "proposals.PendingProposal") -> bool:
    rules = (rule.scope for rule in waiting.rules)
    return access.bounds.allows_all((waiting.proposal.scope, *rules))


def _require_seen(access: Access, vault: Vault, name: str) -> None:
    """Raise ``NotFoundError`` for a proposal about something that is not visible."""
    if not access.bounds.narrow:
        return
    listed = proposals.list_proposals(vault).waiting
    meant = [pending for pending in listed if pending.proposal.id.startswith(name)]
    if not all(_is_seen(access, pending) for pending in meant):
        raise NotFoundError(
            f"no proposal {name!r}: ", NextStep("review"), " shows the ids"
        )
