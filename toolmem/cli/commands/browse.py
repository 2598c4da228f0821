"""``toolmem browse``: the vault in a terminal, with the extra ``toolmem[tui]``."""

import importlib.util
import sys

from typer import Context

from toolmem.cli.commands import browse_app
from toolmem.cli.options import AgentTypeOption, ProjectOption
from toolmem.cli.tree import command, run_of
from toolmem.errors import MissingExtraError, UsageError
from toolmem.store.origin import install_command


@command("browse")
def browse_command(
    ctx: Context, project: ProjectOption = "", agent_type: AgentTypeOption = ""
) -> None:
    """Browse the vault in the terminal."""
    if importlib.util.find_spec("textual") is None:
        raise MissingExtraError(
            f"browse needs an optional dependency: {install_command('tui')}"
        )
    vault = run_of(ctx).open(project, agent_type)
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError("browse needs a terminal")
    browse_app.Browser(vault._replace(progress=None)).run()
