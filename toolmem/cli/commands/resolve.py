"""``toolmem resolve``: settle what merges could not."""

import sys
from collections.abc import Sequence
from typing import Any

from toolmem.api.sync import ResolveResult, outcome
from toolmem.cli.inputs import Invocation
from toolmem.cli.operation import operation
from toolmem.cli.output import (
    answer_to,
    aside,
    emit_lines,
    emit_table,
    print_notice,
    show,
)
from toolmem.errors import ToolmemError
from toolmem.ops.sync import resolve as resolving
from toolmem.ops.sync.resolve import OpenConflict
from toolmem.ops.sync.unmerged import ResolvedFile
from toolmem.store.vault.vault import Vault

_QUESTION = "ours, theirs, both, skip or quit? [o/t/b/s/q] "
_WORDS = {"o": "ours", "t": "theirs", "b": "both"}


def _resolved(call: Invocation) -> ResolveResult:
    """Resolve; at a terminal ask about what is left."""
    done: ResolveResult = call.perform()
    at_terminal = sys.stdin.isatty() and sys.stderr.isatty()
    if call.values["take"] or call.as_json or not at_terminal:
        return done
    vault, paths = call.run.open(**call.names), call.values["path"]
    settled = [*done.settled, *_ask(vault, paths)]
    return outcome(vault, paths, settled, done.unmerged)


@operation(
    "resolve",
    perform=_resolved,
    code=lambda done: int(bool(done.open or done.problems or done.unmerged)),
)
def resolve(done: ResolveResult) -> None:
    """Resolve merge conflicts in rules, facts and memories.

    Merges files with conflict markers by meaning. Use --take for the
    conflicts that remain.
    """
    _show(done)


def _show(done: ResolveResult) -> None:
    emit_table((file.action, file.path) for file in done.settled)
    emit_lines(_line(conflict) for conflict in done.open)
    if done.open:
        print_notice(
            "resolve them with `toolmem resolve PATH --take ours`, theirs, stricter "
            "or both"
        )
    elif not (done.settled or done.problems or done.unmerged):
        print_notice("no conflicts")


def _line(conflict: OpenConflict) -> str:
    key, ours, theirs, line = conflict.conflict
    return show(
        f"{conflict.path}:{line}: {key}: "
        f"ours {_value_text(ours)}, theirs {_value_text(theirs)}"
    )


def _value_text(value: Any) -> str:
    return "none" if value is None else repr(show(value))


def _ask(vault: Vault, names: Sequence[str]) -> list[ResolvedFile]:
    """Go through the open conflicts with the user at the terminal."""
    done: list[ResolvedFile] = []
    for conflict in resolving.open_conflicts(vault).open:
        if not resolving.is_meant(conflict, names):
            continue
        aside(f"\n{_line(conflict)}")
        while True:
            word = answer_to(_QUESTION)[:1].lower()
            if word == "q":
                return done
            if word == "s":
                break
            try:
                took = _WORDS.get(word, "")
                args = (vault.fresh(), took, [conflict.path], conflict.conflict.key)
                done += resolving.resolve_conflicts(*args) if took else []
            except ToolmemError as error:
                print_notice(error.message)
                continue
            if took:
                break
    return done
