"""``toolmem guard``: may this call be made?"""

import json
from collections.abc import Mapping
from typing import Annotated, Any

from typer import Context, Option

from toolmem.api.query import guard_document
from toolmem.cli.options import (
    AgentOption,
    AgentTypeOption,
    JsonFlag,
    ProjectOption,
    ToolArgument,
)
from toolmem.cli.output import emit_json, emit_lines, fields
from toolmem.cli.run import text_or_stdin
from toolmem.cli.tree import Exit, run_of
from toolmem.errors import UsageError
from toolmem.ops.rules.guard import GuardAnswer

_CODES = {"allow": 0, "warn": 0, "deny": 1, "ask": 20}


def guard_command(
    ctx: Context,
    tool: ToolArgument,
    given: Annotated[
        str,
        Option(
            "--input",
            metavar="JSON",
            help="The call's arguments, an object; - reads standard input.",
        ),
    ] = "{}",
    project: ProjectOption = "",
    agent_type: AgentTypeOption = "",
    agent: AgentOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Check a tool call against the rules.

    Exits with 0 for allow and warn, 1 for deny and 20 for ask.
    """
    vault = run_of(ctx).reader_for(project, agent_type, agent)
    arguments = _arguments(text_or_stdin(given, "input"))
    answer = vault.guard(tool, input=arguments)
    if as_json:
        emit_json(guard_document(answer))
    else:
        emit_lines(_text(answer).split("\n"))
    if _CODES[answer.verdict]:
        raise Exit(_CODES[answer.verdict])


def _text(answer: GuardAnswer) -> str:
    if answer.verdict == "allow":
        return "allow"
    texts = {
        "rule": f"{answer.rule.rule} ({answer.rule.id[:8]})" if answer.rule else "",
        "reason": answer.reason,
        "note": "the call could not be parsed completely"
        if answer.conservative
        else "",
    }
    return f"{answer.verdict}\n{fields(texts)}"


def _arguments(text: str) -> Mapping[str, Any]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"--input is not JSON: {error}") from error
    if not isinstance(document, dict):
        raise UsageError(
            '--input must be a JSON object, such as {"command": "git push"}'
        )
    return document
