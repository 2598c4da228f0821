"""``toolmem undo``: take back the last capture, keep, retract or deletion."""

import sys

from toolmem.api.documents import plain
from toolmem.cli.options import local
from toolmem.cli.output import answer_to, emit_json, emit_lines, print_notice, show
from toolmem.cli.run import Run
from toolmem.cli.tree import Exit
from toolmem.core.times import local_text
from toolmem.errors import NotFoundError
from toolmem.ops.history import undo as undoing
from toolmem.ops.history.undo import UndoStep


@local("undo")
def undo_command(
    run: Run, step: str = "", *, list_: bool = False, as_json: bool = False
) -> None:
    """Undo the last capture, keep, retract or deletion.

    It is shown first; on a terminal you are asked. A deletion may be committed.
    """
    vault = run.open()
    steps = undoing.undo_steps(vault)
    if list_:
        _show(steps, as_json)
        return
    undoing.require_person(vault)
    chosen = _chosen(steps, step)
    if chosen is None:
        print_notice("nothing to undo")
        raise Exit(1)
    if sys.stdin.isatty() and sys.stderr.isatty():
        asked = answer_to(f"undo: {show(chosen.line)}? [y/n] ")
        if asked[:1].lower() != "y":
            raise Exit(1)
    undoing.undo(vault, chosen)
    if as_json:
        emit_json([plain(chosen)])
    else:
        emit_lines([f"undone: {show(chosen.line)}"])


def _chosen(steps: tuple[UndoStep, ...], prefix: str) -> UndoStep | None:
    if not prefix:
        return next(iter(steps), None)
    for step in steps:
        if step.id.startswith(prefix):
            return step
    raise NotFoundError(f"no step has the id {prefix!r}: toolmem undo --list")


def _show(steps: tuple[UndoStep, ...], as_json: bool) -> None:
    if as_json:
        emit_json(plain(steps))
    else:
        lines = (
            f"{step.id}  {local_text(step.at)[:16]}  {step.line}" for step in steps
        )
        emit_lines(map(show, lines))
