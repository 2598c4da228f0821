"""``toolmem reflect``: the step back, first as a plan, then as changes."""

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from toolmem.cli.options import AgentTypeOption, JsonFlag, ProjectOption
from toolmem.cli.output import emit, emit_json, remark, show
from toolmem.cli.run import Run
from toolmem.cli.tree import run_of
from toolmem.core.on_demand import OnDemand
from toolmem.core.reflect.plan import Plan, parse_plan, plan_text
from toolmem.errors import UsageError
from toolmem.store import outside
from toolmem.store.vault import Vault

if TYPE_CHECKING:
    from toolmem.ops import reflect, reflect_apply, reflect_due
else:
    reflect = OnDemand("toolmem.ops.reflect")
    reflect_apply = OnDemand("toolmem.ops.reflect_apply")
    reflect_due = OnDemand("toolmem.ops.reflect_due")


def reflect_command(
    ctx: typer.Context,
    project: ProjectOption = "",
    agent_type: AgentTypeOption = "",
    folder: Annotated[
        str,
        typer.Option(
            "--folder",
            metavar="FOLDER",
            help="The project's own files, in git: what memories say of them may "
            "have changed.",
        ),
    ] = "",
    apply: Annotated[
        str,
        typer.Option(
            "--apply", metavar="PLAN", help="Do what this plan says; - reads it."
        ),
    ] = "",
    model: Annotated[
        bool,
        typer.Option("--model", help="Let your model command write merged texts."),
    ] = False,
    due: Annotated[
        bool,
        typer.Option("--due", help="Only tell whether it is time; exit 0 if it is."),
    ] = False,
    output: Annotated[
        str,
        typer.Option("--output", "-o", metavar="FILE", help="Write the plan there."),
    ] = "",
    as_json: JsonFlag = False,
) -> None:
    """Step back: propose what to retire, merge, promote or look at, and why."""
    run = run_of(ctx)
    if sum(map(bool, (apply, due, output or model or folder))) > 1:
        raise UsageError("--apply and --due stand alone")
    vault = run.open(project, agent_type)
    if due:
        _due(vault, as_json)
    elif apply:
        _apply(run, vault, apply, as_json)
    else:
        place = run.cwd / Path(folder).expanduser() if folder else None
        wanted = reflect.Request(project, place, model)
        _plan(run, reflect.reflect(vault, wanted), output, as_json)


def _due(vault: Vault, as_json: bool) -> None:
    found = reflect_due.is_due(vault)
    if as_json:
        emit_json(found._asdict())
    else:
        emit(found.reason)
    if not found.due:
        raise typer.Exit(1)


def _plan(run: Run, found: "reflect.Reflection", output: str, as_json: bool) -> None:
    for text in found.remarks:
        remark(text)
    counts = Counter(step.action for step in found.plan.steps)
    said = ", ".join(f"{number} {action}" for action, number in counts.items())
    looked = f"{found.memories} memories and {found.rules} rules"
    if output:
        outside.write_text(run.cwd / output, plan_text(found.plan))
    if as_json:
        emit_json(
            {
                "memories": found.memories,
                "rules": found.rules,
                "made_at": found.plan.made_at,
                "steps": [step.document() for step in found.plan.steps],
            }
        )
    elif found.plan.steps and not output:
        emit(plan_text(found.plan))
    remark(f"{looked}: {said or 'nothing to do'}")


def _apply(run: Run, vault: Vault, name: str, as_json: bool) -> None:
    done = reflect_apply.apply_plan(vault, _read(run, name), run.new_id)
    skipped = [one for one in done if one.action == "skipped"]
    if as_json:
        emit_json(
            [
                {
                    **one.step.document(),
                    "result": one.action,
                    "paths": list(one.paths),
                    **({"why": one.why} if one.why else {}),
                }
                for one in done
            ]
        )
    else:
        emit("\n".join(_line(one) for one in done if one.action == "done"))
        for one in skipped:
            remark(f"skipped: {one.step.action}: {one.why}")
    if skipped:
        raise typer.Exit(13)


def _line(done: "reflect_apply.Done") -> str:
    where = done.paths[0] if done.paths else "-"
    return show(f"{done.step.action} {where}: {done.step.reason}")


def _read(run: Run, name: str) -> Plan:
    if name == "-":
        return parse_plan(_decoded(sys.stdin.buffer.read()), "standard input")
    text = outside.read_text(run.cwd / name)
    if text is None:
        raise UsageError(f"there is no plan {name}")
    return parse_plan(text, name)


def _decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise UsageError("standard input is not UTF-8 text") from error
