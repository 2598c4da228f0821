"""``toolmem memory save`` and ``edit``."""

from typing import Annotated

import typer

from toolmem.cli import editor
from toolmem.cli.memory import (
    KindOption,
    MemoryIdArgument,
    TopicOption,
    app,
    show_change,
)
from toolmem.cli.options import JsonFlag
from toolmem.cli.run import text_or_stdin
from toolmem.cli.tree import command, run_of
from toolmem.ops import memory_change


@command(app, "edit")
def edit(
    ctx: typer.Context,
    memory_id: MemoryIdArgument,
    text: Annotated[
        str,
        typer.Option(
            "--text", metavar="TEXT", help="The new text; - reads standard input."
        ),
    ] = "",
    topic: TopicOption = "",
    tag: Annotated[
        list[str],
        typer.Option(
            "--tag", metavar="TAG", help="The new tags (all of them; '' for none)."
        ),
    ] = [],  # noqa: B006
    kind: KindOption = "",
    importance: Annotated[
        float, typer.Option("--importance", metavar="N", help="From 0 to 1.")
    ] = -1.0,
    private: Annotated[
        bool | None,
        typer.Option("--private/--public", help="Whether tools may not see it."),
    ] = None,
    expires: Annotated[
        str, typer.Option("--expires", metavar="DATE", help="A date, or never.")
    ] = "",
    as_json: JsonFlag = False,
) -> None:
    """Change a memory by flags, or in your editor when there are none."""
    vault = run_of(ctx).open()
    edits = memory_change.MemoryEdits(
        body=text_or_stdin(text, "text") if text else None,
        topic=topic or None,
        tags=tuple(tag) if tag else None,
        kind=kind or None,
        importance=None if importance < 0 else importance,
        private=private,
        expires_at="" if expires == "never" else expires or None,
    )
    if edits == memory_change.MemoryEdits():
        change = editor.edit_memory(vault, memory_id)
    else:
        change = memory_change.edit_memory(vault, memory_id, edits)
    show_change(change, as_json)
