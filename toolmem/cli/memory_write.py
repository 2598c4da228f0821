"""``toolmem memory save`` and ``edit``."""

from functools import partial
from typing import Annotated

import typer

from toolmem.cli import editor
from toolmem.cli.memory import app, show_change
from toolmem.cli.options import (
    AgentTypeOption,
    AllowSecretFlag,
    JsonFlag,
    KindOption,
    MemoryIdArgument,
    ProjectOption,
    ScopeOption,
    TagOption,
    TopicOption,
)
from toolmem.cli.output import emit, emit_json, remark
from toolmem.cli.run import target_scope, text_or_stdin
from toolmem.cli.tree import command, run_of
from toolmem.core.times import parse_expiry
from toolmem.ops import memory_change, memory_save


@command(app, "save")
def save(
    ctx: typer.Context,
    text: Annotated[
        str,
        typer.Argument(metavar="TEXT", help="Markdown; - (the default) reads stdin."),
    ] = "-",
    scope: ScopeOption = "",
    project: ProjectOption = "",
    agent_type: AgentTypeOption = "",
    topic: TopicOption = "",
    tag: TagOption = [],  # noqa: B006
    kind: KindOption = "insight",
    importance: Annotated[
        float, typer.Option("--importance", metavar="N", help="From 0 to 1.")
    ] = -1.0,
    source_task: Annotated[
        str, typer.Option("--source-task", metavar="ID", help="Where it was learned.")
    ] = "",
    source: Annotated[
        str, typer.Option("--source", metavar="NAME", help="Who says it.")
    ] = "",
    private: Annotated[
        bool, typer.Option("--private", help="Tools may not see it.")
    ] = False,
    expires: Annotated[
        str,
        typer.Option("--expires", metavar="WHEN", help="A date, or a span like 30d."),
    ] = "",
    allow_secret: AllowSecretFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Save a memory; what is known already is not written twice."""
    vault = run_of(ctx).open(project, agent_type)
    wanted = memory_save.NewMemory(
        text_or_stdin(text, "text"),
        topic=topic or None,
        tags=tuple(tag),
        kind=kind or None,
        importance=None if importance < 0 else importance,
        source=source or None,
        source_task=source_task or None,
        private=private,
        expires_at=parse_expiry(expires, vault.now).date() if expires else None,
        allow_secret=allow_secret,
    )
    result = memory_save.save_memory(vault, wanted, target_scope(vault, scope))
    for text_ in result.remarks:
        remark(text_)
    if result.differing:
        remark(f"differs from {result.nearest} in {', '.join(result.differing)}")
    if as_json:
        document = {**result._asdict(), "scope": str(result.scope)}
        del document["remarks"]
        emit_json(document)
    else:
        emit(f"{result.action} {result.path}")


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
    allow_secret: AllowSecretFlag = False,
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
        allow_secret=allow_secret,
    )
    if edits == memory_change.MemoryEdits(allow_secret=allow_secret):
        path, before = memory_change.memory_source(vault, memory_id)
        put = partial(memory_change.replace_memory, allow_secret=allow_secret)
        change = editor.edited(vault, path, before, put)
    else:
        change = memory_change.edit_memory(vault, memory_id, edits)
    show_change(change, as_json)
