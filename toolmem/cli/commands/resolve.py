"""``toolmem resolve``: settle what merges could not."""

import sys
from collections.abc import Sequence
from typing import Annotated, Any

from typer import Argument, Context, Option

from toolmem.api import notices
from toolmem.api.sync import ResolveResult, outcome, resolved_document
from toolmem.cli.options import JsonFlag
from toolmem.cli.output import (
    aside,
    emit_json,
    emit_lines,
    emit_table,
    print_notice,
    print_notices,
    show,
)
from toolmem.cli.tree import Exit, run_of
from toolmem.errors import ToolmemError
from toolmem.ops.sync import resolve
from toolmem.ops.sync.resolve import OpenConflict
from toolmem.ops.sync.unmerged import ResolvedFile
from toolmem.store.vault.vault import Vault

_QUESTION = "ours, theirs, both, skip or quit? [o/t/b/s/q] "
_WORDS = {"o": "ours", "t": "theirs", "b": "both"}


def resolve_command(
    ctx: Context,
    names: Annotated[
        list[str],
        Argument(metavar="PATH", help="Only these files, by path or by a rule's id."),
    ] = [],  # noqa: B006
    take: Annotated[
        str,
        Option(
            "--take",
            metavar="SIDE",
            help="Resolve with ours, theirs, stricter (rules) or both (texts).",
        ),
    ] = "",
    key: Annotated[
        str,
        Option("--key", metavar="KEY", help="With --take: resolve only this key."),
    ] = "",
    as_json: JsonFlag = False,
) -> None:
    """Resolve merge conflicts in rules, facts and memories.

    Merges files with conflict markers by meaning. Use --take for the
    conflicts that remain.
    """
    run = run_of(ctx)
    at_terminal = sys.stdin.isatty() and sys.stderr.isatty()
    done = run.vault_for().resolve(names, take=take, key=key)
    print_notices(notices.resolve_notices(done))
    if not take and not as_json and at_terminal:
        vault = run.open()
        done = outcome(vault, names, [*done.settled, *_ask(vault, names)])
    if as_json:
        emit_json(resolved_document(done))
    else:
        _show(done)
    if done.open or done.problems or done.unmerged:
        raise Exit(1)


def _show(done: ResolveResult) -> None:
    emit_table((one.action, one.path) for one in done.settled)
    emit_lines(_line(one) for one in done.open)
    if done.open:
        print_notice(
            "resolve them with `toolmem resolve PATH --take ours`, theirs, stricter "
            "or both"
        )
    elif not (done.settled or done.problems or done.unmerged):
        print_notice("no conflicts")


def _line(one: OpenConflict) -> str:
    key, ours, theirs, line = one.conflict
    return show(
        f"{one.path}:{line}: {key}: "
        f"ours {_value_text(ours)}, theirs {_value_text(theirs)}"
    )


def _value_text(value: Any) -> str:
    return "none" if value is None else repr(show(value))


def _ask(vault: Vault, names: Sequence[str]) -> list[ResolvedFile]:
    """Go through the open conflicts with the user at the terminal."""
    done: list[ResolvedFile] = []
    for one in resolve.open_conflicts(vault).open:
        if not resolve.is_meant(one, names):
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
                done += resolve.resolve_conflicts(*args) if took else []
            except ToolmemError as error:
                print_notice(str(error))
                continue
            if took:
                break
    return done


def _answer() -> str:
    sys.stderr.write(_QUESTION)
    sys.stderr.flush()
    line = sys.stdin.readline()
    return line.strip()[:1].lower() if line else "q"
