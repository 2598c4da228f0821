"""``toolmem apply``: store the memories and entries in a tool's response."""

from typing import Annotated

from typer import Argument, Context, Option

from toolmem.cli.commands.query import (
    DocumentJsonFlag,
    emit_document,
    given_document,
)
from toolmem.cli.options import AgentOption, AgentTypeOption, ProjectOption
from toolmem.cli.output import print_notice
from toolmem.cli.tree import run_of
from toolmem.ops.access.apply import apply_response


def apply_command(
    ctx: Context,
    response: Annotated[
        str,
        Argument(
            metavar="RESPONSE",
            help="A file with a ToolResponse (JSON or YAML); - reads standard input.",
        ),
    ] = "-",
    tool: Annotated[
        str,
        Option(
            "--tool",
            metavar="TOOL",
            help="Tool that answered, if the response does not name it.",
        ),
    ] = "",
    project: ProjectOption = "",
    agent_type: AgentTypeOption = "",
    agent: AgentOption = "",
    as_json: DocumentJsonFlag = False,
) -> None:
    """Store the memories and scratch entries of a tool.

    Reports a status for each of them.
    """
    document = given_document(response, "response", as_json=as_json)
    run = run_of(ctx)
    vault = run.open(project, agent_type, agent)
    applied = apply_response(
        vault, document.value, unique_id=run.new_id, tool=tool.strip()
    )
    for text in applied.remarks:
        print_notice(text)
    emit_document(applied.document, document)
