"""``toolmem capture``: learn from what was said and what failed."""

from typing import Annotated

import typer

from toolmem.api import notices
from toolmem.api.capture import captured_document
from toolmem.cli.commands.capture_lines import captured_lines, undo_hint
from toolmem.cli.commands.transcript import (
    FormatOption,
    SessionOption,
    TranscriptArgument,
    transcript_input,
)
from toolmem.cli.options import (
    AgentTypeOption,
    JsonFlag,
    ProjectOption,
    ScopeOption,
)
from toolmem.cli.output import emit, emit_json, remark, tell
from toolmem.cli.tree import run_of


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
    file, text = transcript_input(run, transcript)
    found = run.vault_for(project, agent_type).capture(
        file,
        text=text,
        format=format_,
        tool=tool,
        scope=scope,
        session=session,
        since_last=since_last,
        dry_run=dry_run,
    )
    tell(notices.capture_notices(found))
    if as_json:
        emit_json(captured_document(found))
    else:
        emit(captured_lines(found))
        hint = undo_hint(found)
        if hint and not dry_run:
            remark(hint)
