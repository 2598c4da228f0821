"""``toolmem query`` and ``toolmem apply``: a tool's queries and writes of memory."""

from toolmem.cli.inputs import Invocation
from toolmem.cli.operation import operation
from toolmem.cli.output import emit, emit_json
from toolmem.core.formats import yaml_text
from toolmem.ops.access.apply import ApplyResult
from toolmem.ops.access.query import QueryResult


@operation(
    "apply",
    about="Store the memories and scratch entries of a tool.\n\n"
    "Reports a status for each of them.",
)
@operation("query")
def query(answered: QueryResult | ApplyResult, call: Invocation, as_json: bool) -> None:
    """Answer the memory queries of a tool.

    Reads a request and prints it, in its own format, with the memories that the tool
    may see.
    """
    if call.is_yaml and not as_json:
        emit(yaml_text.dump_yaml(answered.document))
    else:
        emit_json(answered.document)
