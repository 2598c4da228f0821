"""``toolmem rpc`` and ``toolmem mcp``: the flags that a server is started with."""

from toolmem.api.launch import Launch
from toolmem.cli.options import local
from toolmem.cli.run import Run
from toolmem.cli.tree import Exit


@local("rpc")
def rpc_command(
    run: Run,
    *,
    project: str = "",
    agent_type: str = "",
    agent: str = "",
    read_only: bool = False,
) -> None:
    """Serve programs: JSON-RPC 2.0 on stdin and stdout."""
    launch = Launch(run.cwd, run.vault, project, agent_type, agent, read_only)
    raise Exit(run.serve("rpc", launch))


@local("mcp")
def mcp_command(
    run: Run,
    *,
    project: str = "",
    agent_type: str = "",
    agent: str = "",
    read_only: bool = False,
) -> None:
    """Serve agents: MCP on stdin and stdout."""
    launch = Launch(run.cwd, run.vault, project, agent_type, agent, read_only)
    raise Exit(run.serve("mcp", launch))
