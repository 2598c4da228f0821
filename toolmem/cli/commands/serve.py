"""``toolmem rpc`` and ``toolmem mcp``: the flags that a server is started with."""

from typing import Annotated

from typer import Context, Option

from toolmem.api.launch import Launch
from toolmem.cli.options import AgentOption, AgentTypeOption, ProjectOption
from toolmem.cli.tree import Exit, command, run_of

ReadOnlyFlag = Annotated[bool, Option("--read-only", help="Refuse every change.")]


@command("rpc")
def rpc_command(
    ctx: Context,
    project: ProjectOption = "",
    agent_type: AgentTypeOption = "",
    agent: AgentOption = "",
    read_only: ReadOnlyFlag = False,
) -> None:
    """Serve programs: JSON-RPC 2.0 on stdin and stdout."""
    _serve(ctx, "rpc", project, agent_type, agent, read_only)


@command("mcp")
def mcp_command(
    ctx: Context,
    project: ProjectOption = "",
    agent_type: AgentTypeOption = "",
    agent: AgentOption = "",
    read_only: ReadOnlyFlag = False,
) -> None:
    """Serve agents: MCP on stdin and stdout."""
    _serve(ctx, "mcp", project, agent_type, agent, read_only)


def _serve(
    ctx: Context,
    server: str,
    project: str,
    agent_type: str,
    agent: str,
    read_only: bool,
) -> None:
    run = run_of(ctx)
    launch = Launch(run.cwd, run.vault, project, agent_type, agent, read_only)
    raise Exit(run.serve(server, launch))
