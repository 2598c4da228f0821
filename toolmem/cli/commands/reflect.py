"""``toolmem reflect``: cleanup of a vault, first as a plan, then as changes."""

import sys
from collections import Counter
from typing import Annotated, Any

from typer import Context, Option

from toolmem.api import notices, reports
from toolmem.cli.options import AgentTypeOption, JsonFlag, ProjectOption
from toolmem.cli.output import (
    emit,
    emit_json,
    emit_lines,
    print_notice,
    print_notices,
    show,
)
from toolmem.cli.run import file_of
from toolmem.cli.tree import Exit, run_of
from toolmem.core.reflect.plan import plan_text
from toolmem.core.shown import counted
from toolmem.errors import UsageError
from toolmem.ops.reflect import apply as reflect_apply


def reflect_command(
    ctx: Context,
    project: ProjectOption = "",
    agent_type: AgentTypeOption = "",
    folder: Annotated[
        str,
        Option(
            "--folder",
            metavar="FOLDER",
            help="The project's git repository, to find memories about files "
            "that have changed.",
        ),
    ] = "",
    apply: Annotated[
        str,
        Option(
            "--apply", metavar="PLAN", help="Apply this plan; - reads standard input."
        ),
    ] = "",
    model: Annotated[
        bool,
        Option("--model", help="Merge texts with your model command (model.command)."),
    ] = False,
    output: Annotated[
        str,
        Option(
            "--output", "-o", metavar="FILE", help="File for the plan; - prints it."
        ),
    ] = "",
    as_json: JsonFlag = False,
) -> None:
    """Suggest what to retire, merge or promote.

    Prints a plan with a reason for each step; --apply PLAN carries it out. Last are up
    to 10 pairs of short memories that may say the same in other words, for you to
    compare; a pair is left out if one memory names the other in `related_to`.
    """
    typed = apply == "-"
    run = run_of(ctx)
    if project:
        run.open_reader(project)  # what is promoted may be an agent type's first
    answer = run.vault_for(project, agent_type).reflect(
        folder=folder,
        apply="" if typed else apply,
        plan=_decoded(sys.stdin.buffer.read()) if typed else None,
        model=model,
        output=file_of(output),
    )
    print_notices(notices.reflect_notices(answer))
    if as_json:
        emit_json(reports.reflect_document(answer))
    if apply:
        _applied(answer, as_json)
    else:
        _plan(answer, output, as_json)


def _plan(found: Any, output: str, as_json: bool) -> None:
    counts = Counter(step.action for step in found.plan.steps)
    summary = ", ".join(f"{number} {action}" for action, number in counts.items())
    looked = f"{counted(found.memories, 'memory')} and {counted(found.rules, 'rule')}"
    printed = output == "-" or (found.plan.steps and not output)
    if printed and not as_json:
        emit(plan_text(found.plan))
    print_notice(f"{looked}: {summary or 'nothing to do'}")


def _applied(done: Any, as_json: bool) -> None:
    skipped = [one for one in done if one.action == "skipped"]
    if not as_json:
        emit_lines(_line(one) for one in done if one.action == "done")
        for one in skipped:
            print_notice(f"skipped: {one.step.action}: {one.why}")
    if skipped:
        raise Exit(13)


def _line(done: "reflect_apply.StepResult") -> str:
    where = done.paths[0] if done.paths else "-"
    return show(f"{done.step.action} {where}: {done.step.reason}")


def _decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise UsageError("standard input is not UTF-8 text") from error
