"""``toolmem working``: working memory of an agent."""

from typing import Annotated

from typer import Argument, Context, Option

from toolmem.api import notices
from toolmem.api.session import cleared_document, set_document, values_document
from toolmem.cli.commands.entries import (
    ConfidenceOption,
    FieldsFlag,
    MetadataOption,
    SessionOption,
    SourceOption,
    TextArgument,
    TtlOption,
    content_of,
    opened,
    pairs_of,
)
from toolmem.cli.options import AgentOption, JsonFlag, ProjectOption, TagOption
from toolmem.cli.output import emit, emit_json, emit_table, print_notice, print_notices
from toolmem.cli.tree import Exit, command, group

app = group("Working memory: values of the current task.")


@command(app, "set")
def set_(
    ctx: Context,
    name: Annotated[
        str,
        Argument(metavar="NAME", help="Name of the value, such as goal or step."),
    ],
    text: TextArgument = "-",
    type_: Annotated[
        str, Option("--type", metavar="TYPE", help="goal, context (usual) …")
    ] = "",
    source: SourceOption = "",
    confidence: ConfidenceOption = "",
    tag: TagOption = [],  # noqa: B006
    ttl: TtlOption = "",
    metadata: MetadataOption = [],  # noqa: B006
    as_fields: FieldsFlag = False,
    session: SessionOption = "",
    agent: AgentOption = "",
    project: ProjectOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Store a value under a name for 24 hours.

    Replaces the value that the name has.
    """
    saved = opened(ctx, project=project, agent=agent).working.set(
        name,
        type=type_,
        source=source,
        tag=tag,
        ttl=ttl,
        metadata=pairs_of(metadata, "--metadata"),
        session=session,
        **content_of(text, as_fields, confidence),
    )
    print_notices(notices.working_notices(saved))
    if as_json:
        emit_json(set_document(saved))


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
