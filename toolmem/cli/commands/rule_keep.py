"""``toolmem rule keep`` and ``toolmem rule retract``."""

from collections.abc import Mapping
from typing import Annotated, Any

from typer import Argument, Context, Option

from toolmem.cli.commands.rule import app
from toolmem.cli.options import JsonFlag, ScopeOption
from toolmem.cli.output import emit, emit_json
from toolmem.cli.run import text_or_stdin
from toolmem.cli.tree import Exit, command, run_of
from toolmem.core.candidates.answer import answer_lines

IdsArgument = Annotated[
    list[str],
    Argument(metavar="ID", help="Ids of candidates, or unique prefixes."),
]
QuoteOption = Annotated[
    str,
    Option("--quote", metavar="TEXT", help="The user's exact words; - reads stdin."),
]
SessionOption = Annotated[
    str,
    Option(
        "--session",
        metavar="ID",
        help="Session id; default: the sessions of the last day.",
    ),
]


@command(app, "keep")
def keep(
    ctx: Context,
    ids: IdsArgument = [],  # noqa: B006 (Typer needs the list itself)
    quote: QuoteOption = "",
    tool: Annotated[
        list[str],
        Option("--tool", metavar="NAME", help="The tool that the rule is about."),
    ] = [],  # noqa: B006
    scope: ScopeOption = "",
    priority: Annotated[
        str,
        Option(
            "--priority",
            "-p",
            metavar="PRIORITY",
            help="A lower priority than the wording implies.",
        ),
    ] = "",
    wording: Annotated[
        str,
        Option(
            "--as",
            "--wording",
            metavar="TEXT",
            help="Text of the rule, in the user's words without idle ones.",
        ),
    ] = "",
    session: SessionOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Keep the user's words as a rule.

    The words are verified against what the user typed.
    """
    document = (
        run_of(ctx)
        .vault_for()
        .rule.keep(
            ids,
            quote=text_or_stdin(quote, "quotation") if quote else "",
            tool=tool,
            scope=scope,
            priority=priority,
            wording=wording,
            session=session,
        )
    )
    _show(document, "kept", as_json)


@command(app, "retract")
def retract(
    ctx: Context,
    ids: IdsArgument = [],  # noqa: B006
    quote: QuoteOption = "",
    which: Annotated[
        str,
        Option("--which", metavar="ID", help="Id of the rule, if several match."),
    ] = "",
    scope: ScopeOption = "",
    session: SessionOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Retract a rule that the user takes back.

    The words are verified against what the user typed.
    """
    document = (
        run_of(ctx)
        .vault_for()
        .rule.retract(
            ids,
            quote=text_or_stdin(quote, "quotation") if quote else "",
            which=which,
            scope=scope,
            session=session,
        )
    )
    _show(document, "retracted", as_json)


def _show(document: Mapping[str, Any], key: str, as_json: bool) -> None:
    """Print the answer; exit 1 where nothing was done."""
    if as_json:
        emit_json(document)
    else:
        for line in answer_lines(document):
            emit(line)
    if not document[key] and not document["proposed"]:
        raise Exit(1)
