"""``toolmem browse``: the vault in a terminal, with the extra ``toolmem[tui]``."""

import importlib.util
import sys

from toolmem.cli.commands import browse_app
from toolmem.cli.options import local
from toolmem.cli.run import Run
from toolmem.errors import MissingExtraError, UsageError
from toolmem.store.origin import install_command


@local("browse")
def browse_command(run: Run, *, project: str = "", agent_type: str = "") -> None:
    """Browse the vault in the terminal."""
    if importlib.util.find_spec("textual") is None:
        raise MissingExtraError(
            f"browse needs an optional dependency: {install_command('tui')}"
        )
    vault = run.open(project, agent_type)
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError("browse needs a terminal")
    browse_app.Browser(vault._replace(progress=None)).run()
