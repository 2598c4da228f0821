"""``toolmem memory save`` and ``edit``."""

from functools import partial
from typing import Annotated

from typer import Argument, Context, Option

from toolmem.api import notices
from toolmem.api.memories import saved_document
from toolmem.cli import editor
from toolmem.cli.commands.memory import app, show_change
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
from toolmem.cli.output import emit_json, emit_lines, print_notices
from toolmem.cli.run import text_or_stdin
from toolmem.cli.tree import command, run_of
from toolmem.ops.memories import change as memory_change


@command(app, "save")
def save(
    ctx: Context,
    text: Annotated[
        str,
        Argument(metavar="TEXT", help="Markdown; - (the default) reads stdin."),
    ] = "-",
    scope: ScopeOption = "",
    project: ProjectOption = "",
    agent_type: AgentTypeOption = "",
    topic: TopicOption = "",
    tag: TagOption = [],  # noqa: B006
    kind: KindOption = "insight",
    importance: Annotated[
        float,
        Option("--importance", metavar="N", help="From 0 to 1.", show_default=False),
    ] = -1.0,
    source_task: Annotated[
        str,
        Option("--source-task", metavar="ID", help="Task in which it was learned."),
    ] = "",
    source: Annotated[
        str,
        Option(
            "--source",
            metavar="NAME",
            help="Author of the text, such as a person or tool.",
        ),
    ] = "",
    private: Annotated[bool, Option("--private", help="Hide it from agents.")] = False,
    expires: Annotated[
        str,
        Option(
            "--expires", metavar="WHEN", help="A date (its end), or a span such as 30d."
        ),
    ] = "",
    replaces: Annotated[
        list[str],
        Option(
            "--replaces",
            metavar="ID",
            help="A memory that it supersedes: it stays, and ranks below.",
        ),
    ] = [],  # noqa: B006
    allow_secret: AllowSecretFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Save a memory, unless it is known already."""
    result = (
        run_of(ctx)
        .vault_for(project, agent_type)
        .memory.save(
            text_or_stdin(text, "text"),
            scope=scope,
            topic=topic,
            tag=tag,
            kind=kind,
            importance=importance,
            source_task=source_task,
            source=source,
            private=private,
            expires=expires,
            replaces=replaces,
            allow_secret=allow_secret,
        )
    )
    print_notices(notices.save_notices(result))
    if as_json:
        emit_json(saved_document(result))
    else:
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
        show_change(editor.edited(vault, path, before, put), as_json)
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
    show_change(change, as_json)
