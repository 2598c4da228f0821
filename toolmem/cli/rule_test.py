"""``toolmem rule test``: run the examples inside rules."""

from typing import TYPE_CHECKING, Annotated

import typer

from toolmem.cli import complete
from toolmem.cli.documents import problem_document
from toolmem.cli.options import JsonFlag
from toolmem.cli.output import emit, emit_json, remark
from toolmem.cli.rule import app
from toolmem.cli.tree import command, run_of
from toolmem.core.on_demand import OnDemand

if TYPE_CHECKING:
    from toolmem.ops import rule_test
else:
    # It brings the parser of shell commands.
    rule_test = OnDemand("toolmem.ops.rule_test")


@command(app, "test")
def run_examples(
    ctx: typer.Context,
    rule_ids: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ID", help="Only these rules.", autocompletion=complete.rule_ids
        ),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Run the match and not_match examples of guards; exit 1 when one fails."""
    tests = rule_test.run_rules(run_of(ctx).open(), rule_ids or ())
    problems = [problem for one in tests for problem in one.problems]
    if as_json:
        emit_json(
            {
                "rules": len(tests),
                "examples": sum(one.examples for one in tests),
                "problems": [problem_document(problem) for problem in problems],
                "ok": not problems,
            }
        )
    else:
        emit("\n".join(f"{p.path}: {p.message}" for p in problems))
        if not tests:
            remark("no rule has a guard to test")
    if problems:
        raise typer.Exit(1)
