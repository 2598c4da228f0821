"""``toolmem review``: proposals of capture, accepted or turned down by a person."""

import sys
from collections.abc import Callable
from typing import Any

from toolmem.api.review import ReviewQueue
from toolmem.cli.commands.review_changes import ask as ask_entries
from toolmem.cli.commands.review_changes import (
    lines,
    shifted_priority,
    show_judged,
)
from toolmem.cli.inputs import Invocation
from toolmem.cli.operation import operation
from toolmem.cli.output import (
    answer_to,
    aside,
    aside_lines,
    emit_lines,
    emit_table,
    print_notice,
    print_notices,
    show,
)
from toolmem.cli.review_lines import (
    past_line,
    proposal_lines,
    queue_lines,
    session_title,
    tier_lines,
)
from toolmem.cli.tree import Exit
from toolmem.core import limits
from toolmem.core.scope import parse_scope
from toolmem.errors import ToolmemError
from toolmem.ops.history import review as reviewing
from toolmem.ops.history.review_change import RequestedEdits, ReviewedEntry, entries_of
from toolmem.ops.judging.past import PastCandidates, tier_counts, undecided
from toolmem.store.vault.vault import Vault

_QUESTION = (
    "keep it? yes, no, edit, skip, up (raise), down (lower), move or quit "
    "[y/n/e/s/u/d/m/q] "
)


def _reviewed(call: Invocation) -> Any:
    """Do what flags say; without any, ask the user at the terminal."""
    at_terminal = sys.stdin.isatty() and sys.stderr.isatty()
    if at_terminal and call.has_only() and not call.as_json:
        vault = call.run.open(**call.names)
        if not vault.setting("agent"):
            _ask(vault)
            raise Exit(0)
    return call.perform()


@operation("review", perform=_reviewed)
def review(answer: Any) -> None:
    """Accept or reject proposals and changes.

    Asks for each of them on a terminal; otherwise use flags.
    """
    if isinstance(answer, ReviewedEntry):
        show_judged(answer)
    elif isinstance(answer, reviewing.ReviewResult):
        _show_done(answer)
    elif isinstance(answer, PastCandidates):
        emit_lines(map(past_line, answer.candidates))
        print_notices(tier_lines(answer.tiers))
    else:
        _list(answer)


def _list(queue: ReviewQueue) -> None:
    emit_lines(map(past_line, queue.undecided))
    if queue.undecided:
        print_notice("not decided: `toolmem rule keep ID` keeps one as a rule")
    emit_lines(queue_lines(queue.waiting))
    emit_lines(line for entry in queue.entries for line in lines(entry))
    if queue.waiting or queue.entries:
        print_notice("`toolmem review --accept ID` or --reject ID")
    elif not queue.undecided:
        print_notice("no proposals")
    print_notices(tier_lines(queue.tiers))


def _ask(vault: Vault) -> None:
    """Go through the proposals with the user at the terminal."""
    agenda, open_ones = reviewing.list_proposals(vault), undecided(vault)
    if open_ones:
        aside_lines(map(past_line, open_ones))
    if not agenda.waiting and not entries_of(vault):
        print_notice("no proposals")
    for number, waiting in enumerate(agenda.waiting, 1):
        head = f"\n{number} of {len(agenda.waiting)}  {session_title(waiting)}"
        aside("\n".join([head, *map(show, proposal_lines(waiting))]))
        while True:
            word = answer_to(_QUESTION)[:1].lower()
            if word == "q":
                return
            if word == "s" or _decided(vault, waiting, word):
                break
    ask_entries(vault.fresh())
    print_notices(tier_lines(tier_counts(vault.fresh())))


def _decided(vault: Vault, waiting: reviewing.PendingProposal, word: str) -> bool:
    """Do what was answered; False where it was no answer or could not be done."""
    vault = vault.fresh()
    proposal_id = waiting.proposal.id
    try:
        if word == "n":
            _show_done(reviewing.reject_proposal(vault, proposal_id))
        elif word in _WISHES:
            wanted = _WISHES[word](waiting)
            _show_done(reviewing.accept_proposal(vault, proposal_id, **wanted.given()))
        else:
            return False
    except ToolmemError as error:
        print_notice(error.message)
        return False
    return True


_WISHES: dict[str, Callable[[reviewing.PendingProposal], RequestedEdits]] = {
    "y": lambda waiting: RequestedEdits(rule=_which(waiting) or ""),
    "e": lambda _: RequestedEdits(text=answer_to("new text: ")),
    "u": lambda waiting: RequestedEdits(
        priority=shifted_priority(waiting.proposal.priority, -1)
    ),
    "d": lambda waiting: RequestedEdits(
        priority=shifted_priority(waiting.proposal.priority, 1)
    ),
    "m": lambda _: RequestedEdits(scope=parse_scope(answer_to("scope: "))),
}
"""Ways to accept a proposal, by the answer."""


def _which(waiting: reviewing.PendingProposal) -> str | None:
    if waiting.proposal.kind != "retire" or reviewing.is_one_decree(waiting.rules):
        return None
    return answer_to("which rule? (its id) ")


def _show_done(done: reviewing.ReviewResult) -> None:
    emit_table([(done.id[: limits.ID_SHOWN], done.action, ", ".join(done.paths))])
