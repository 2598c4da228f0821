"""Arguments of commands that read transcripts: the file, its format, the session."""

import sys
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from toolmem.cli.run import Run
from toolmem.errors import UsageError

TranscriptArgument = Annotated[
    str,
    Argument(metavar="FILE", help="The agent's transcript; - reads standard input."),
]
FormatOption = Annotated[
    str,
    Option(
        "--format",
        metavar="FORMAT",
        help="auto, claude, codex, gemini, cursor, copilot, opencode, openai-chat, "
        "openai-responses, anthropic, langchain or toolmem.",
    ),
]
SessionOption = Annotated[
    str,
    Option(
        "--session",
        metavar="ID",
        help="Session id, if the transcript does not contain it.",
    ),
]


def transcript_input(run: Run, name: str) -> tuple[str, bytes]:
    """Return the path of a named file, or the content of standard input.

    Raises ``UsageError`` instead of waiting for a terminal.
    """
    if name != "-":
        return str(run.cwd / Path(name).expanduser()), b""
    if sys.stdin.isatty():
        raise UsageError("name a transcript file, or pass one on standard input")
    return "", sys.stdin.buffer.read()
