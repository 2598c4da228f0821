"""``toolmem capture``: learn from transcripts and repeated failures."""

import sys
from pathlib import Path
from typing import Annotated

from typer import Argument, Context, Option

from toolmem.api import notices
from toolmem.api.capture import captured_document
from toolmem.cli.commands.capture_lines import captured_lines, undo_hint
from toolmem.cli.commands.transcript import (
    FormatOption,
    SessionOption,
    transcript_input,
)
from toolmem.cli.options import (
    AgentTypeOption,
    JsonFlag,
    ProjectOption,
    ScopeOption,
)
from toolmem.cli.output import emit, emit_json, emit_lines, print_notice, print_notices
from toolmem.cli.run import Run
from toolmem.cli.tree import Exit, run_of
from toolmem.core import limits
from toolmem.core.candidates.judging import candidate_lines
from toolmem.errors import UsageError
from toolmem.ops.capture.capture import CaptureResult
from toolmem.store.vault.transcripts import open_transcript


def capture_command(
    ctx: Context,
    transcript: Annotated[
        list[str],
        Argument(
            metavar="FILE...", help="Transcripts of agents; - reads standard input."
        ),
    ] = ["-"],  # noqa: B006 (Typer needs the list itself)
    format_: FormatOption = "auto",
    tool: Annotated[
        list[str],
        Option(
            "--tool",
            metavar="NAME",
            help="A tool of the agent; may be given several times.",
        ),
    ] = [],  # noqa: B006
    scope: ScopeOption = "",
    project: ProjectOption = "",
    agent_type: AgentTypeOption = "",
    session: SessionOption = "",
    since_last: Annotated[
        bool,
        Option(
            "--since-last",
            help="Continue after the last captured turn of this transcript.",
        ),
    ] = False,
    candidates: Annotated[
        bool,
        Option(
            "--candidates",
            help="Only print the candidates as JSON lines, for a model to judge.",
        ),
    ] = False,
    answers: Annotated[
        str,
        Option(
            "--answers",
            metavar="FILE",
            help="Judgements of the candidates as JSON lines; - reads stdin.",
        ),
    ] = "",
    dry_run: Annotated[
        bool, Option("--dry-run", help="Only show what would be done.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Find rules, failures and turns in transcripts."""
    run = run_of(ctx)
    given = _answers(run, answers, transcript) if answers else ""
    files, text = _transcripts(run, transcript)
    found = run.vault_for(project, agent_type).capture(
        files,
        text=text,
        format=format_,
        tool=tool,
        scope=scope,
        session=session,
        since_last=since_last,
        dry_run=dry_run or candidates,
        answers=given,
    )
    print_notices(notices.capture_notices(found))
    if candidates:
        emit_lines(candidate_lines(one.line for one in found.candidates))
    elif as_json:
        emit_json(captured_document(found))
    else:
        _show(found, dry_run=dry_run)
    if found.failure:
        raise Exit(1)


def _show(found: CaptureResult, *, dry_run: bool) -> None:
    emit(captured_lines(found))
    hint = undo_hint(found)
    if hint and not dry_run:
        print_notice(hint)


def _transcripts(run: Run, names: list[str]) -> tuple[list[str], bytes]:
    """Return the files that are named, and what standard input has."""
    given = [transcript_input(run, name) for name in dict.fromkeys(names)]
    return [file for file, _ in given if file], b"".join(text for _, text in given)


def _answers(run: Run, name: str, transcripts: list[str]) -> str:
    """Return the text of the answers. Raises ``UsageError`` and ``StorageError``."""
    if name != "-":
        with open_transcript(run.cwd / Path(name).expanduser()) as file:
            data = file.read(limits.TEXT_FILE_BYTES)
    elif "-" in transcripts:
        raise UsageError("--answers - needs the transcript files as arguments")
    else:
        data = sys.stdin.buffer.read(limits.TEXT_FILE_BYTES)
    if not data.strip():
        raise UsageError("--answers: the input is empty")
    return data.decode("utf-8", "replace")
