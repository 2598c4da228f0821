"""``toolmem working``: working memory of an agent."""

from typing import Annotated

from typer import Argument, Context

from toolmem.api.session import cleared_document, values_document
from toolmem.cli.commands.entries import SessionOption, opened
from toolmem.cli.options import AgentOption, JsonFlag
from toolmem.cli.output import emit, emit_json, emit_table, print_notice
from toolmem.cli.tree import Exit, command, group

app = group("Working memory: values of the current task.")


@command(app, "show")
def show(
    ctx: Context,
    name: Annotated[
        str, Argument(metavar="NAME", help="Only the value of this name.")
    ] = "",
    session: SessionOption = "",
    agent: AgentOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Show working memory, or one value."""
    found = opened(ctx, agent=agent).working.show(name, session=session)
    if as_json:
        emit_json(values_document(found))
    elif name:
        emit("\n".join(value.content for value in found))
    else:
        rows = ((value.name, value.type, value.content) for value in found)
        emit_table(rows, ("NAME", "TYPE", "CONTENT"))
    if name and not found:
        print_notice(f"no value is named {name!r}")
        raise Exit(1)


@command(app, "clear")
def clear(
    ctx: Context,
    names: Annotated[
        list[str], Argument(metavar="NAME", help="Names of values; default: all.")
    ] = [],  # noqa: B006
    session: SessionOption = "",
    agent: AgentOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Clear working memory."""
    count = opened(ctx, agent=agent).working.clear(names, session=session)
    if as_json:
        emit_json(cleared_document(count))
    if names and not count:
        print_notice(f"no value is named {', '.join(names)}")
        raise Exit(1)
