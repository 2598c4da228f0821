"""``toolmem reflect``: cleanup of a vault, first as a plan, then as changes."""

from collections import Counter
from collections.abc import Sequence

from toolmem.api.documents import plain
from toolmem.cli.operation import operation
from toolmem.cli.output import emit, emit_json, emit_lines, print_notice, show
from toolmem.cli.tree import Exit
from toolmem.core.reflect.plan import plan_text
from toolmem.core.shown import counted
from toolmem.ops.reflect.apply import StepResult
from toolmem.ops.reflect.plan import Reflection


@operation("reflect")
def reflect(
    answer: Reflection | tuple[StepResult, ...], output: str, as_json: bool
) -> None:
    """Suggest what to retire, merge or promote.

    Prints a plan with a reason for each step; --apply PLAN carries it out. Last are up
    to 10 pairs of short memories that may say the same in other words, for you to
    compare; a pair is left out if one memory names the other in `related_to`.
    """
    if as_json:
        emit_json(plain(answer))
    if isinstance(answer, Reflection):
        _plan(answer, output, as_json)
    else:
        _applied(answer, as_json)


def _plan(reflection: Reflection, output: str, as_json: bool) -> None:
    counts = Counter(step.action for step in reflection.plan.steps)
    summary = ", ".join(f"{number} {action}" for action, number in counts.items())
    memories = counted(reflection.memories, "memory")
    looked = f"{memories} and {counted(reflection.rules, 'rule')}"
    printed = output == "-" or (reflection.plan.steps and not output)
    if printed and not as_json:
        emit(plan_text(reflection.plan))
    print_notice(f"{looked}: {summary or 'nothing to do'}")


def _applied(done: Sequence[StepResult], as_json: bool) -> None:
    skipped = [result for result in done if result.action == "skipped"]
    if not as_json:
        emit_lines(_line(result) for result in done if result.action == "done")
        for result in skipped:
            print_notice(f"skipped: {result.step.action}: {result.why}")
    if skipped:
        raise Exit(13)


def _line(done: StepResult) -> str:
    where = done.paths[0] if done.paths else "-"
    return show(f"{done.step.action} {where}: {done.step.reason}")
