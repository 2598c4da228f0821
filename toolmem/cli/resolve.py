"""``toolmem resolve``: settle what merges could not."""

import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from toolmem.api.documents import problem_document
from toolmem.cli.options import JsonFlag
from toolmem.cli.output import aside, emit, emit_json, remark, show, table
from toolmem.cli.tree import run_of
from toolmem.core.model import Problem
from toolmem.errors import ToolmemError, UsageError
from toolmem.ops import resolve
from toolmem.ops.resolve import Open, Settled
from toolmem.store.vault import Vault

_QUESTION = "ours, theirs, both, skip or quit? [o/t/b/s/q] "
_WORDS = {"o": "ours", "t": "theirs", "b": "both"}


def resolve_command(
    ctx: typer.Context,
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH|ID", help="Only these files, by path or by a rule's id."
        ),
    ] = [],  # noqa: B006
    take: Annotated[
        str,
        typer.Option(
            "--take",
            metavar="SIDE",
            help="Settle for ours, theirs, stricter (rules) or both (texts).",
        ),
    ] = "",
    key: Annotated[
        str,
        typer.Option(
            "--key", metavar="KEY", help="With --take: only what is so named."
        ),
    ] = "",
    as_json: JsonFlag = False,
) -> None:
    """Settle conflicts of merges: merge git's marks anew, then choose sides."""
    if key and not take:
        raise UsageError("--key goes with --take")
    vault = run_of(ctx).open()
    done = _merged(vault)
    if take and (names or not done or resolve.open_conflicts(vault.fresh()).open):
        done += resolve.settle_conflicts(vault.fresh(), take, names, key)
    elif not take and not as_json and sys.stdin.isatty() and sys.stderr.isatty():
        done += _ask(vault.fresh(), names)
    agenda = resolve.open_conflicts(vault.fresh())
    left = [one for one in agenda.open if _is_shown(one, names)]
    _show(done, left, agenda.problems, as_json)
    if left or agenda.problems:
        raise typer.Exit(1)


def _merged(vault: Vault) -> list[Settled]:
    """Merge what git left marks in; what cannot be merged is remarked on."""
    done = []
    for one in resolve.merge_again(vault):
        if isinstance(one, Settled):
            done.append(one)
        else:
            remark(f"{one.path}:{one.line}: {one.message}")
    return done


def _is_shown(one: Open, names: Sequence[str]) -> bool:
    return not names or resolve.is_meant(one, names)


def _show(
    done: Sequence[Settled],
    left: Sequence[Open],
    problems: Sequence[Problem],
    as_json: bool,
) -> None:
    if as_json:
        settled = [one._asdict() for one in done]
        broken = [problem_document(problem) for problem in problems]
        opened = [_document(one) for one in left]
        emit_json({"settled": settled, "open": opened, "problems": broken})
        return
    emit(table((one.action, one.path) for one in done))
    emit("\n".join(_line(one) for one in left))
    if left:
        remark(
            "settle them: `toolmem resolve PATH --take ours`, theirs, stricter or both"
        )
    elif not done and not problems:
        remark("nothing is in conflict")


def _document(one: Open) -> dict[str, Any]:
    return {"path": one.path, "kind": one.kind, **one.conflict._asdict()}


def _line(one: Open) -> str:
    key, ours, theirs, line = one.conflict
    return show(f"{one.path}:{line}: {key}: ours {_said(ours)}, theirs {_said(theirs)}")


def _said(value: Any) -> str:
    return "none" if value is None else repr(show(value))


def _ask(vault: Vault, names: Sequence[str]) -> list[Settled]:
    """Go through what is open with whoever sits at the terminal."""
    done: list[Settled] = []
    for one in resolve.open_conflicts(vault).open:
        if not _is_shown(one, names):
            continue
        aside(f"\n{_line(one)}")
        while True:
            word = _answer()
            if word == "q":
                return done
            if word == "s":
                break
            try:
                took = _WORDS.get(word, "")
                args = (vault.fresh(), took, [one.path], one.conflict.key)
                done += resolve.settle_conflicts(*args) if took else []
            except ToolmemError as error:
                remark(str(error))
                continue
            if took:
                break
    return done


def _answer() -> str:
    sys.stderr.write(_QUESTION)
    sys.stderr.flush()
    line = sys.stdin.readline()
    return line.strip()[:1].lower() if line else "q"
