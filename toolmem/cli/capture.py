"""``toolmem capture``: learn from what was said and what failed."""

from typing import Annotated

import typer

from toolmem.cli.capture_documents import (
    captured_document,
    captured_lines,
    undo_hint,
)
from toolmem.cli.options import (
    AgentTypeOption,
    JsonFlag,
    ProjectOption,
    ScopeOption,
)
from toolmem.cli.output import emit, emit_json, remark
from toolmem.cli.run import target_scope
from toolmem.cli.transcript import (
    FormatOption,
    SessionOption,
    TranscriptArgument,
    transcript_input,
)
from toolmem.cli.tree import run_of
from toolmem.ops.capture import capture
from toolmem.ops.reading import CaptureRequest


def capture_command(
    ctx: typer.Context,
    transcript: TranscriptArgument = "-",
    format_: FormatOption = "auto",
    tool: Annotated[
        list[str],
        typer.Option(
            "--tool",
            metavar="NAME",
            help="A tool that the agent has; may be given several times.",
        ),
    ] = [],  # noqa: B006
    scope: ScopeOption = "",
    project: ProjectOption = "",
    agent_type: AgentTypeOption = "",
    session: SessionOption = "",
    since_last: Annotated[
        bool,
        typer.Option(
            "--since-last", help="Go on where this transcript was left the last time."
        ),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only show what would be done.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Capture decrees, repeated failures and turns from an agent's transcript."""
    run = run_of(ctx)
    vault = run.open(project, agent_type)
    path, data = transcript_input(run, transcript)
    request = CaptureRequest(
        scope=target_scope(vault, scope),
        new_run=run.new_id,
        path=path,
        lines=data,
        format=format_,
        tools=tuple(tool),
        session=session,
        cwd=str(run.cwd),
        since_last=since_last,
        dry_run=dry_run,
    )
    found = capture(vault, request)
    for text in found.remarks:
        remark(text)
    if found.format == "unknown":
        remark("this is no transcript of a known format: --format names one")
    if as_json:
        emit_json(captured_document(found))
    else:
        emit(captured_lines(found))
        hint = undo_hint(found)
        if hint and not dry_run:
            remark(hint)
