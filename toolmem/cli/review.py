"""``toolmem review``: proposals of capture, accepted or turned down by a person."""

import sys
from typing import Annotated

import typer

from toolmem.api import remarks
from toolmem.api.review_documents import review_document
from toolmem.cli.options import JsonFlag
from toolmem.cli.output import aside, emit, emit_json, remark, show, table, tell
from toolmem.cli.tree import run_of
from toolmem.core import limits
from toolmem.core.model import ANY_TOOL
from toolmem.errors import ToolmemError
from toolmem.ops import review
from toolmem.store.vault import Vault

_QUESTION = "accept, reject, edit, skip or quit? [a/r/e/s/q] "


def review_command(
    ctx: typer.Context,
    accept: Annotated[
        str, typer.Option("--accept", metavar="ID", help="Make the proposed change.")
    ] = "",
    reject: Annotated[
        str, typer.Option("--reject", metavar="ID", help="Turn the proposal down.")
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
    as_json: JsonFlag = False,
) -> None:
    """Review what capture proposes: one after the other, or by flags."""
    run = run_of(ctx)
    decided = bool(accept or reject or text or rule)
    if not decided and not as_json and sys.stdin.isatty() and sys.stderr.isatty():
        _ask(run.open())
        return
    answer = run.vault_for().review(accept=accept, reject=reject, text=text, rule=rule)
    tell(remarks.of_review(answer))
    if as_json:
        emit_json(review_document(answer))
    elif isinstance(answer, review.Reviewed):
        _show_done(answer)
    else:
        emit(table(_row(waiting) for waiting in answer.waiting))
    if not as_json and isinstance(answer, review.Agenda):
        remark(_NEXT if answer.waiting else "nothing is proposed")


_NEXT = "`toolmem review --accept ID` or --reject ID"


def _ask(vault: Vault) -> None:
    """Go through the proposals with whoever sits at the terminal."""
    agenda = review.list_proposals(vault)
    if not agenda.waiting:
        remark("nothing is proposed")
    for number, waiting in enumerate(agenda.waiting, 1):
        aside(f"\n{number} of {len(agenda.waiting)}  {_details(waiting)}")
        while True:
            word = _answer(_QUESTION)[:1].lower()
            if word == "q":
                return
            if word == "s" or _decided(vault, waiting, word):
                break


def _decided(vault: Vault, waiting: review.Waiting, word: str) -> bool:
    """Do what was answered; False where it was no answer or could not be done."""
    vault = vault.fresh()
    found = waiting.proposal.id
    try:
        if word == "r":
            _show_done(review.reject_proposal(vault, found))
        elif word == "a":
            rule = _which(waiting)
            _show_done(review.accept_proposal(vault, found, rule=rule))
        elif word == "e":
            text = _answer("new text: ")
            _show_done(review.accept_proposal(vault, found, text=text))
        else:
            return False
    except ToolmemError as error:
        remark(str(error))
        return False
    return True


def _which(waiting: review.Waiting) -> str | None:
    if waiting.proposal.kind != "retire" or len(waiting.rules) < 2:
        return None
    return _answer("which rule? (its id) ")


def _answer(question: str) -> str:
    """What is typed; the end of the input quits."""
    sys.stderr.write(question)
    sys.stderr.flush()
    line = sys.stdin.readline()
    return line.strip() if line else "q"


def _show_done(done: review.Reviewed) -> None:
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
