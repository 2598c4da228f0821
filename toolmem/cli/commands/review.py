"""``toolmem review``: proposals of capture, accepted or turned down by a person."""

import sys
from collections.abc import Callable
from typing import Annotated

from typer import Context, Option

from toolmem.api import notices
from toolmem.api.review import ReviewQueue, queue_documents, review_document
from toolmem.cli.commands.review_changes import (
    answer,
    lines,
    shifted_priority,
    show_judged,
)
from toolmem.cli.commands.review_changes import ask as ask_entries
from toolmem.cli.options import JsonFlag, PriorityOption, ScopeOption
from toolmem.cli.output import (
    aside,
    aside_lines,
    emit_json,
    emit_json_list,
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
from toolmem.cli.tree import run_of
from toolmem.core import limits
from toolmem.core.scope import parse_scope
from toolmem.errors import ToolmemError
from toolmem.ops.history import review
from toolmem.ops.history.review_change import RequestedEdits, ReviewedEntry, entries_of
from toolmem.ops.judging.past import PastCandidates, tier_counts, undecided
from toolmem.store.vault.vault import Vault

_QUESTION = (
    "keep it? yes, no, edit, skip, up (raise), down (lower), move or quit "
    "[y/n/e/s/u/d/m/q] "
)


def review_command(
    ctx: Context,
    accept: Annotated[
        str,
        Option(
            "--accept",
            metavar="ID",
            help="Accept a proposal, or commit a change.",
        ),
    ] = "",
    reject: Annotated[
        str,
        Option(
            "--reject",
            metavar="ID",
            help="Reject a proposal, or revert a change.",
        ),
    ] = "",
    text: Annotated[
        str,
        Option(
            "--text", metavar="TEXT", help="With --accept: use this text for the rule."
        ),
    ] = "",
    rule: Annotated[
        str,
        Option(
            "--rule",
            metavar="ID",
            help="With --accept: id of the rule, if there are several.",
        ),
    ] = "",
    priority: PriorityOption = "",
    scope: ScopeOption = "",
    past: Annotated[
        bool,
        Option("--past", help="List the candidates of the last 14 days instead."),
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Accept or reject proposals and changes.

    Asks for each of them on a terminal; otherwise use flags.
    """
    run = run_of(ctx)
    flags = any((accept, reject, text, rule, priority, scope, past, as_json))
    if not flags and sys.stdin.isatty() and sys.stderr.isatty():
        vault = run.open()
        if not vault.setting("agent"):
            _ask(vault)
            return
    found = run.vault_for().review(
        accept=accept,
        reject=reject,
        text=text,
        rule=rule,
        priority=priority,
        scope=scope,
        past=past,
    )
    print_notices(notices.review_notices(found))
    if as_json and isinstance(found, ReviewQueue):
        emit_json_list(queue_documents(found))
    elif as_json:
        emit_json(review_document(found))
    elif isinstance(found, ReviewedEntry):
        show_judged(found)
    elif isinstance(found, review.ReviewResult):
        _show_done(found)
    elif isinstance(found, PastCandidates):
        emit_lines(map(past_line, found.candidates))
        print_notices(tier_lines(found.tiers))
    else:
        _list(found)


def _list(found: ReviewQueue) -> None:
    emit_lines(map(past_line, found.undecided))
    if found.undecided:
        print_notice("not decided: `toolmem rule keep ID` keeps one as a rule")
    emit_lines(queue_lines(found.waiting))
    emit_lines(line for entry in found.entries for line in lines(entry))
    if found.waiting or found.entries:
        print_notice("`toolmem review --accept ID` or --reject ID")
    elif not found.undecided:
        print_notice("no proposals")
    print_notices(tier_lines(found.tiers))


def _ask(vault: Vault) -> None:
    """Go through the proposals with the user at the terminal."""
    agenda, open_ones = review.list_proposals(vault), undecided(vault)
    if open_ones:
        aside_lines(map(past_line, open_ones))
    if not agenda.waiting and not entries_of(vault):
        print_notice("no proposals")
    for number, waiting in enumerate(agenda.waiting, 1):
        head = f"\n{number} of {len(agenda.waiting)}  {session_title(waiting)}"
        aside("\n".join([head, *map(show, proposal_lines(waiting))]))
        while True:
            word = answer(_QUESTION)[:1].lower()
            if word == "q":
                return
            if word == "s" or _decided(vault, waiting, word):
                break
    ask_entries(vault.fresh())
    print_notices(tier_lines(tier_counts(vault.fresh())))


def _decided(vault: Vault, waiting: review.PendingProposal, word: str) -> bool:
    """Do what was answered; False where it was no answer or could not be done."""
    vault = vault.fresh()
    found = waiting.proposal.id
    try:
        if word == "n":
            _show_done(review.reject_proposal(vault, found))
        elif word in _WISHES:
            wanted = _WISHES[word](waiting)
            _show_done(review.accept_proposal(vault, found, **wanted.given()))
        else:
            return False
    except ToolmemError as error:
        print_notice(str(error))
        return False
    return True


_WISHES: dict[str, Callable[[review.PendingProposal], RequestedEdits]] = {
    "y": lambda waiting: RequestedEdits(rule=_which(waiting) or ""),
    "e": lambda _: RequestedEdits(text=answer("new text: ")),
    "u": lambda waiting: RequestedEdits(
        priority=shifted_priority(waiting.proposal.priority, -1)
    ),
    "d": lambda waiting: RequestedEdits(
        priority=shifted_priority(waiting.proposal.priority, 1)
    ),
    "m": lambda _: RequestedEdits(scope=parse_scope(answer("scope: "))),
}
"""Ways to accept a proposal, by the answer."""


def _which(waiting: review.PendingProposal) -> str | None:
    if waiting.proposal.kind != "retire" or review.is_one_decree(waiting.rules):
        return None
    return answer("which rule? (its id) ")


def _show_done(done: review.ReviewResult) -> None:
    emit_table([(done.id[: limits.ID_SHOWN], done.action, ", ".join(done.paths))])
