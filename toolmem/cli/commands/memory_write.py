"""``toolmem memory save`` and ``edit``."""

from functools import partial
from typing import Annotated

from typer import Context, Option

from toolmem.api.memories import change_document
from toolmem.cli import editor
from toolmem.cli.commands.memory import app, print_change
from toolmem.cli.operation import operation
from toolmem.cli.options import (
    AllowSecretFlag,
    JsonFlag,
    KindOption,
    MemoryIdArgument,
    TopicOption,
)
from toolmem.cli.output import emit_json, emit_lines
from toolmem.cli.run import text_or_stdin
from toolmem.cli.tree import command, run_of
from toolmem.ops.memories import change as memory_change
from toolmem.ops.memories.save import SaveResult


@operation(app, "memory.save")
def save(result: SaveResult) -> None:
    """Save a memory, unless it is known already."""
    emit_lines([f"{result.action} {result.path}"])


@command(app, "edit")
def edit(
    ctx: Context,
    memory_id: MemoryIdArgument,
    text: Annotated[
        str,
        Option("--text", metavar="TEXT", help="The new text; - reads standard input."),
    ] = "",
    topic: TopicOption = "",
    tag: Annotated[
        list[str],
        Option("--tag", metavar="TAG", help="The new tags (all of them; '' for none)."),
    ] = [],  # noqa: B006
    kind: KindOption = "",
    importance: Annotated[
        float,
        Option("--importance", metavar="N", help="From 0 to 1.", show_default=False),
    ] = -1.0,
    private: Annotated[
        bool | None,
        Option("--private/--public", help="Hide it from agents, or show it again."),
    ] = None,
    expires: Annotated[
        str,
        Option(
            "--expires",
            metavar="WHEN",
            help="A date (its end), a span such as 30d, or never.",
        ),
    ] = "",
    uncontested: Annotated[
        bool,
        Option(
            "--uncontested", help="Remove its links to memories that contradict it."
        ),
    ] = False,
    allow_secret: AllowSecretFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Change a memory by flags or in your editor."""
    run = run_of(ctx)
    given = (text, topic, tag, kind, importance != -1, private is not None, expires)
    if not any((*given, uncontested)):
        vault = run.open()
        path, before = memory_change.memory_source(vault, memory_id)
        put = partial(memory_change.replace_memory, allow_secret=allow_secret)
        _print_edit(editor.edited(vault, path, before, put), as_json)
        return
    change = run.vault_for().memory.edit(
        memory_id,
        text=text_or_stdin(text, "text") if text else "",
        topic=topic,
        tag=tag,
        kind=kind,
        importance=importance,
        private=private,
        expires=expires,
        uncontested=uncontested,
        allow_secret=allow_secret,
    )
    _print_edit(change, as_json)


def _print_edit(change: memory_change.MemoryChange, as_json: bool) -> None:
    if as_json:
        emit_json(change_document(change))
    else:
        print_change(change)
