"""``toolmem review``: proposals of capture, accepted or turned down by a person."""

import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer

from toolmem.cli import review_changes
from toolmem.cli.options import JsonFlag, PriorityOption, ScopeOption
from toolmem.cli.output import aside, emit, emit_json, remark, show, table
from toolmem.cli.review_changes import Wish, answer, beside, priority_of
from toolmem.cli.run import some_scope
from toolmem.cli.tree import run_of
from toolmem.core import limits
from toolmem.core.model import ANY_TOOL
from toolmem.core.scope import parse_scope
from toolmem.errors import ToolmemError, UsageError
from toolmem.ops import review
from toolmem.store.vault import Vault

_QUESTION = (
    "accept, reject, edit, up (raise), down (lower), move, skip or quit? "
    "[a/r/e/u/d/m/s/q] "
)


def review_command(
    ctx: typer.Context,
    accept: Annotated[
        str,
        typer.Option(
            "--accept",
            metavar="ID",
            help="Make the proposed change, or commit what changed.",
        ),
    ] = "",
    reject: Annotated[
        str,
        typer.Option(
            "--reject",
            metavar="ID",
            help="Turn the proposal down, or take the change back.",
        ),
    ] = "",
    text: Annotated[
        str,
        typer.Option("--text", metavar="TEXT", help="With --accept: in these words."),
    ] = "",
    rule: Annotated[
        str,
        typer.Option(
            "--rule",
            metavar="ID",
            help="With --accept: which rule is meant, of several.",
        ),
    ] = "",
    priority: PriorityOption = "",
    scope: ScopeOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Review what is proposed or not committed: one after the other, or by flags."""
    if accept and reject:
        raise UsageError("--accept and --reject at once")
    if (text or rule or priority or scope) and not accept:
        raise UsageError("--text, --rule, --priority and --scope go with --accept")
    vault = run_of(ctx).open()
    wanted = Wish(text, rule, priority_of(priority), some_scope(scope))
    if accept:
        _accept(vault, accept, wanted, as_json)
    elif reject:
        _reject(vault, reject, as_json)
    elif as_json or not (sys.stdin.isatty() and sys.stderr.isatty()):
        _list(vault, as_json)
    else:
        _ask(vault)


def _accept(vault: Vault, name: str, wanted: Wish, as_json: bool) -> None:
    if review_changes.is_changed(vault, name):
        review_changes.accept(vault, name, wanted, as_json)
    else:
        done = review.accept_proposal(vault, name, **wanted.given())
        _show_done(done, as_json)


def _reject(vault: Vault, name: str, as_json: bool) -> None:
    if review_changes.is_changed(vault, name):
        review_changes.reject(vault, name, as_json)
    else:
        _show_done(review.reject_proposal(vault, name), as_json)


def _list(vault: Vault, as_json: bool) -> None:
    agenda = review.list_proposals(vault)
    for problem in agenda.problems:
        remark(f"{problem.path}: cannot be read: {problem.message}")
    entries = review_changes.entries_of(vault)
    if as_json:
        proposed = [_document(waiting) for waiting in agenda.waiting]
        emit_json([*proposed, *map(review_changes.document, entries)])
        return
    emit(table(_row(waiting) for waiting in agenda.waiting))
    emit("\n".join(line for entry in entries for line in review_changes.lines(entry)))
    if agenda.waiting or entries:
        remark("`toolmem review --accept ID` or --reject ID")
    else:
        remark("nothing is proposed")


def _ask(vault: Vault) -> None:
    """Go through the proposals with whoever sits at the terminal."""
    agenda = review.list_proposals(vault)
    if not agenda.waiting and not review_changes.entries_of(vault):
        remark("nothing is proposed")
    for number, waiting in enumerate(agenda.waiting, 1):
        aside(f"\n{number} of {len(agenda.waiting)}  {_details(waiting)}")
        while True:
            word = answer(_QUESTION)[:1].lower()
            if word == "q":
                return
            if word == "s" or _decided(vault, waiting, word):
                break
    review_changes.ask(vault.fresh())


def _decided(vault: Vault, waiting: review.Waiting, word: str) -> bool:
    """Do what was answered; False where it was no answer or could not be done."""
    vault = vault.fresh()
    found = waiting.proposal.id
    try:
        if word == "r":
            _show_done(review.reject_proposal(vault, found), False)
        elif word in _WISHES:
            wanted = _WISHES[word](waiting)
            _show_done(review.accept_proposal(vault, found, **wanted.given()), False)
        else:
            return False
    except ToolmemError as error:
        remark(str(error))
        return False
    return True


_WISHES: dict[str, Callable[[review.Waiting], Wish]] = {
    "a": lambda waiting: Wish(rule=_which(waiting) or ""),
    "e": lambda _: Wish(text=answer("new text: ")),
    "u": lambda waiting: Wish(priority=beside(waiting.proposal.priority, -1)),
    "d": lambda waiting: Wish(priority=beside(waiting.proposal.priority, 1)),
    "m": lambda _: Wish(scope=parse_scope(answer("scope: "))),
}
"""How a proposal is accepted, by the answer."""


def _which(waiting: review.Waiting) -> str | None:
    if waiting.proposal.kind != "retire" or len(waiting.rules) < 2:
        return None
    return answer("which rule? (its id) ")


def _show_done(done: review.Reviewed, as_json: bool) -> None:
    if as_json:
        emit_json(
            {
                "id": done.id,
                "action": done.action,
                "rules": list(done.rules),
                "paths": list(done.paths),
            }
        )
    else:
        emit(table([(done.id[: limits.ID_SHOWN], done.action, ", ".join(done.paths))]))


def _row(waiting: review.Waiting) -> tuple[str, ...]:
    proposal = waiting.proposal
    return (
        proposal.id[: limits.ID_SHOWN],
        proposal.kind,
        proposal.priority.value,
        _tools(waiting),
        str(proposal.scope),
        _said(waiting),
    )


def _details(waiting: review.Waiting) -> str:
    proposal = waiting.proposal
    head = (
        f"{proposal.kind} {proposal.id[: limits.ID_SHOWN]}  "
        f"[{proposal.priority.value}] {_tools(waiting)}  {proposal.scope}"
    )
    lines = [head, proposal.rule or proposal.sentence]
    lines += [
        f"{_VERBS[proposal.kind]} {rule.id[: limits.ID_SHOWN]}: {rule.rule}"
        for rule in waiting.rules
    ]
    lines += [f"why: {proposal.why}", f"from: {proposal.evidence}"]
    return "\n  ".join(map(show, lines))


_VERBS = {"add": "", "amend": "changes", "retire": "retires", "contest": "contradicts"}


def _said(waiting: review.Waiting) -> str:
    proposal = waiting.proposal
    about = ", ".join(rule[: limits.ID_SHOWN] for rule in proposal.rules)
    shown = proposal.rule or proposal.sentence
    return f"{shown} ({_VERBS[proposal.kind]} {about})" if about else shown


def _tools(waiting: review.Waiting) -> str:
    tools = waiting.proposal.tools
    return ", ".join("every tool" if tool == ANY_TOOL else tool for tool in tools)


def _document(waiting: review.Waiting) -> dict[str, Any]:
    proposal = waiting.proposal
    return {
        "id": proposal.id,
        "state": "pending",
        "kind": proposal.kind,
        "tools": list(proposal.tools),
        "text": proposal.rule,
        "priority": proposal.priority.value,
        "scope": str(proposal.scope),
        "why": proposal.why,
        "sentence": proposal.sentence,
        "evidence": proposal.evidence,
        "confidence": proposal.confidence,
        "lasting": proposal.lasting,
        "created_at": proposal.created_at,
        "rules": [{"id": rule.id, "rule": rule.rule} for rule in waiting.rules],
        "path": proposal.path,
    }
