"""``toolmem query``: the memory queries of a tool, answered."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Context, Option

from toolmem.cli.options import AgentOption, AgentTypeOption, ProjectOption
from toolmem.cli.output import emit, emit_json, print_notice
from toolmem.cli.run import text_or_stdin
from toolmem.cli.tree import run_of
from toolmem.core import limits
from toolmem.core.formats import yaml_text
from toolmem.core.formats.document_text import ParsedDocument, read_document
from toolmem.errors import UsageError, unopened
from toolmem.ops.access.query import answer_request

DocumentJsonFlag = Annotated[
    bool, Option("--json", help="Print JSON; default: the format of the input.")
]


def query_command(
    ctx: Context,
    request: Annotated[
        str,
        Argument(
            metavar="REQUEST",
            help="A file with a ToolRequest (JSON or YAML); - reads standard input.",
        ),
    ] = "-",
    budget: Annotated[
        int,
        Option(
            "--budget", metavar="TOKENS", help="Token budget of all queries together."
        ),
    ] = limits.REQUEST_TOKENS,
    project: ProjectOption = "",
    agent_type: AgentTypeOption = "",
    agent: AgentOption = "",
    as_json: DocumentJsonFlag = False,
) -> None:
    """Answer the memory queries of a tool.

    Reads a request and prints it with the memories that the tool may see.
    """
    if budget < 1:
        raise UsageError("--budget must be above 0")
    document = given_document(request, "request", as_json=as_json)
    vault = run_of(ctx).open_reader(project, agent_type, agent)
    answered = answer_request(vault, document.value, budget=budget)
    for text in answered.remarks:
        print_notice(text)
    emit_document(answered.document, document)


def given_document(name: str, what: str, *, as_json: bool) -> ParsedDocument:
    """The document in a file, or on standard input for ``-``.

    The answer has its form (``is_yaml``), unless it must be JSON.
    """
    given = _given(name, what)
    return given._replace(is_yaml=given.is_yaml and not as_json)


def _given(name: str, what: str) -> ParsedDocument:
    if name == "-":
        return read_document(text_or_stdin("-", what), what)
    try:
        with Path(name).open("rb") as file:
            data = file.read(4 * limits.REQUEST_BYTES + 1)
    except OSError as error:
        raise unopened(name, error) from error
    try:
        return read_document(data.decode(), what)
    except UnicodeDecodeError as error:
        raise UsageError(f"{name}: is not UTF-8 text") from error


def emit_document(document: Mapping[str, Any], given: ParsedDocument) -> None:
    """Print a document in the form of the one that was given."""
    if given.is_yaml:
        emit(yaml_text.dump_yaml(document))
    else:
        emit_json(document)
