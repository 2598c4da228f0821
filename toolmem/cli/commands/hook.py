"""``toolmem hook``: what its help says; events are answered before Typer is loaded."""

from toolmem.cli.options import local
from toolmem.cli.run import Run
from toolmem.errors import UsageError


@local("hook")
def hook_command(_: Run, agent: str, *, event: str = "") -> None:
    """Answer an event of an agent (called by its hooks).

    Reads the event as JSON from standard input.
    """
    del event
    raise UsageError(f"write `toolmem hook {agent}`, with nothing before it")
