"""``toolmem prompt``: the block for an agent."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from toolmem.cli import complete
from toolmem.cli.options import AgentOption, AgentTypeOption, ProjectOption
from toolmem.cli.output import aside, emit, emit_json, remark
from toolmem.cli.tree import run_of
from toolmem.core.on_demand import OnDemand
from toolmem.core.prompt.build import TopicMemory
from toolmem.core.tokens import estimate_tokens
from toolmem.errors import NotFoundError, OverLimitError, StorageError, UsageError
from toolmem.ops.prompt import Block, PromptRequest, build_prompt
from toolmem.store.vault import Vault

if TYPE_CHECKING:
    from toolmem.cli import explain as explaining
    from toolmem.ops import frozen as freezing
    from toolmem.ops import history, topic_memories
else:
    explaining = OnDemand("toolmem.cli.explain")
    freezing = OnDemand("toolmem.ops.frozen")
    history = OnDemand("toolmem.ops.history")
    topic_memories = OnDemand("toolmem.ops.topic_memories")


def prompt_command(
    ctx: typer.Context,
    project: ProjectOption = "",
    agent_type: AgentTypeOption = "",
    agent: AgentOption = "",
    topic: Annotated[
        str,
        typer.Option(
            "--topic",
            metavar="TOPIC",
            help="With memories on this topic.",
            autocompletion=complete.topics,
        ),
    ] = "",
    task: Annotated[
        str,
        typer.Option(
            "--task", metavar="TEXT", help="With memories on the topic of this task."
        ),
    ] = "",
    tool: Annotated[
        list[str],
        typer.Option(
            "--tool",
            metavar="NAME",
            help="Only the rules of this tool (and those for every tool).",
            autocompletion=complete.tools,
        ),
    ] = [],  # noqa: B006
    only: Annotated[
        list[str],
        typer.Option("--only", metavar="PART", help="Only this part, such as rules."),
    ] = [],  # noqa: B006
    budget: Annotated[
        int, typer.Option("--budget", metavar="TOKENS", help="Tokens at the most.")
    ] = 0,
    max_chars: Annotated[
        int,
        typer.Option("--max-chars", metavar="CHARS", help="Characters at the most."),
    ] = 0,
    form: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="markdown, xml or json.")
    ] = "markdown",
    session: Annotated[
        str,
        typer.Option(
            "--session", metavar="ID", help="Keep the block the same for a session."
        ),
    ] = "",
    refresh: Annotated[
        bool, typer.Option("--refresh", help="Begin the session's block anew.")
    ] = False,
    at: Annotated[
        str,
        typer.Option(
            "--at", metavar="REV|DATE", help="As it was at a git revision or date."
        ),
    ] = "",
    explain: Annotated[
        bool,
        typer.Option(
            "--explain", help="Say on standard error what is in, what is out and why."
        ),
    ] = False,
    check: Annotated[
        str,
        typer.Option(
            "--check", metavar="FILE", help="Compare with a file; exit 1 if it differs."
        ),
    ] = "",
) -> None:
    """Print what an agent should know: rules, facts, guidance."""
    if session and at:
        raise UsageError("--session keeps what holds now: leave out --at")
    if refresh and not session:
        raise UsageError("--refresh begins a session's block anew: give --session")
    vault = _open(run_of(ctx).open(project, agent_type, agent), at)
    request = PromptRequest(
        tuple(tool),
        tuple(only),
        budget or None,
        max_chars or None,
        form,
        topic=topic,
        task=task,
    )
    memories, remarks = _memories(vault, topic, task)
    block = build_prompt(vault, request, memories)
    block = block._replace(remarks=(*block.remarks, *remarks))
    _remark(block, explain=explain and form != "json")
    document: dict[str, Any] = {"text": block.text}
    if session or form == "json":
        document = explaining.block_document(block)
    if session:
        document = _of_session(vault, session, request, block, document, refresh)
    if check:
        _compare(run_of(ctx).cwd, check, document["text"])
    elif form == "json":
        emit_json(document)
    else:
        emit(document["text"])
    too_long = max_chars and len(document["text"]) > max_chars
    if not block.fits or too_long:
        raise OverLimitError("the critical rules alone are over the limit")


def _memories(
    vault: Vault, topic: str, task: str
) -> tuple[Sequence[TopicMemory], Sequence[str]]:
    """The memories on the topic; the search is loaded only if there is one."""
    if not topic and not task:
        return (), ()
    return topic_memories.topic_memories(vault, topic, task)


def _open(vault: Vault, at: str) -> Vault:
    if vault.is_newer:
        remark(f"the vault has a newer schema than this toolmem knows: {vault.root}")
    return history.vault_at(vault, at) if at else vault


def _remark(block: Block, *, explain: bool) -> None:
    for text in block.remarks:
        remark(text)
    if explain:
        aside(explaining.explanation(block))


def _of_session(
    vault: Vault,
    session: str,
    request: PromptRequest,
    block: Block,
    document: dict[str, Any],
    refresh: bool,
) -> dict[str, Any]:
    """The document that the session began with, and what has changed since."""
    try:
        frozen = freezing.freeze(
            vault, session, request, block, document, refresh=refresh
        )
    except StorageError as error:
        remark(f"the block is not kept for the session: {error}")
        return document
    text = str(frozen.document["text"])
    room = None if request.max_chars is None else request.max_chars - len(text)
    text += freezing.since_text(frozen.changes, room)
    return {
        **frozen.document,
        "text": text,
        "tokens": estimate_tokens(text),
        "chars": len(text),
        "since": [change._asdict() for change in frozen.changes],
    }


def _compare(folder: Path, name: str, text: str) -> None:
    try:
        held = (folder / name).read_bytes().decode("utf-8", "replace")
    except FileNotFoundError:
        raise NotFoundError(f"{name}: no such file") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise StorageError(f"{name}: cannot be read: {reason}") from error
    if held != text:
        remark(f"{name} differs from the block: print it again with `toolmem prompt`")
        raise typer.Exit(1)
