"""``toolmem prompt``: the block for an agent."""

from pathlib import Path
from typing import Annotated

from typer import Context, Option

from toolmem.api import notices
from toolmem.api.vault import Vault
from toolmem.cli import offers
from toolmem.cli.commands import explain as explaining
from toolmem.cli.options import AgentOption, AgentTypeOption, ProjectOption
from toolmem.cli.output import aside, emit, emit_json, print_notice, print_notices
from toolmem.cli.run import file_text
from toolmem.cli.tree import Exit, run_of
from toolmem.errors import OverLimitError


def prompt_command(
    ctx: Context,
    project: ProjectOption = "",
    agent_type: AgentTypeOption = "",
    agent: AgentOption = "",
    topic: Annotated[
        str,
        Option(
            "--topic",
            metavar="TOPIC",
            help="Include memories on this topic.",
            autocompletion=offers.topics,
        ),
    ] = "",
    task: Annotated[
        str,
        Option(
            "--task", metavar="TEXT", help="Include memories on the topic of this task."
        ),
    ] = "",
    tool: Annotated[
        list[str],
        Option(
            "--tool",
            metavar="NAME",
            help="Only the rules of this tool (and those for every tool).",
            autocompletion=offers.tools,
        ),
    ] = [],  # noqa: B006
    only: Annotated[
        list[str],
        Option("--only", metavar="PART", help="Print only this part, such as rules."),
    ] = [],  # noqa: B006
    budget: Annotated[
        int,
        Option("--budget", metavar="TOKENS", help="Maximum number of tokens."),
    ] = 0,
    max_chars: Annotated[
        int,
        Option("--max-chars", metavar="CHARS", help="Maximum number of characters."),
    ] = 0,
    form: Annotated[
        str, Option("--format", metavar="FORMAT", help="markdown, xml or json.")
    ] = "markdown",
    session: Annotated[
        str,
        Option(
            "--session", metavar="ID", help="Keep the block unchanged during a session."
        ),
    ] = "",
    refresh: Annotated[
        bool, Option("--refresh", help="Render the session's block again.")
    ] = False,
    at: Annotated[
        str,
        Option(
            "--at",
            metavar="REV|DATE",
            help="Print the block of a git revision or date.",
        ),
    ] = "",
    explain: Annotated[
        bool,
        Option(
            "--explain",
            help="Explain on standard error what is included, what is left out and "
            "why.",
        ),
    ] = False,
    check: Annotated[
        str,
        Option(
            "--check", metavar="FILE", help="Compare with a file; exit 1 if it differs."
        ),
    ] = "",
) -> None:
    """Print the rules, facts and guidance for an agent."""
    run = run_of(ctx)
    access = run.access_for(project, agent_type, agent)
    access.require_allowed("prompt", {"check": check})
    answer = Vault(access).prompt(
        topic=topic,
        task=task,
        tool=tool,
        only=only,
        budget=budget,
        max_chars=max_chars,
        format=form,
        session=session,
        refresh=refresh,
        at=at,
    )
    print_notices(notices.prompt_notices(answer))
    if explain and form != "json":
        aside(explaining.explanation(answer.block))
    if check:
        _compare(run.cwd, check, answer.text)
    elif form == "json":
        emit_json(answer.document)
    else:
        emit(answer.text)
    if not answer.fits:
        raise OverLimitError(
            "the critical rules alone exceed the limit: raise it, or lower the "
            "priority of some rules"
        )


def _compare(folder: Path, name: str, text: str) -> None:
    if file_text(folder, name) != text:
        print_notice(
            f"{name} differs from the current block: write it again with `toolmem "
            "prompt`"
        )
        raise Exit(1)
