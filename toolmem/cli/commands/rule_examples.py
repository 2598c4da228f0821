"""``toolmem rule test``: run the examples inside rules."""

from typing import Annotated

from typer import Argument, Context

from toolmem.api.documents import rule_tests_document
from toolmem.cli import offers
from toolmem.cli.commands.rule import app
from toolmem.cli.options import JsonFlag
from toolmem.cli.output import emit_json, emit_lines, print_notice
from toolmem.cli.tree import Exit, command, run_of


@command(app, "test")
def run_examples(
    ctx: Context,
    rule_ids: Annotated[
        list[str] | None,
        Argument(
            metavar="ID", help="Only these rules.", autocompletion=offers.rule_ids
        ),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Run the match and not_match examples of guards.

    Exits with 1 if one fails.
    """
    tests = run_of(ctx).vault_for().rule.test(rule_ids or ())
    problems = [problem for one in tests for problem in one.problems]
    if as_json:
        emit_json(rule_tests_document(tests))
    else:
        emit_lines(f"{p.path}: {p.message}" for p in problems)
        if not tests:
            print_notice("no rule has a guard to test")
    if problems:
        raise Exit(1)
