"""``toolmem hook``: what its help says; events are answered before Typer is loaded."""

from typing import Annotated

from typer import Argument, Option

from toolmem.cli import offers
from toolmem.cli.tree import command
from toolmem.core.agents.registry import AGENTS
from toolmem.errors import UsageError


@command("hook")
def hook_command(
    agent: Annotated[
        str,
        Argument(
            metavar="AGENT",
            help="The agent, such as claude or codex.",
            autocompletion=offers.of(AGENTS),
        ),
    ],
    event: Annotated[
        str,
        Option(
            "--event",
            metavar="NAME",
            help="Event name, if its JSON does not contain it.",
        ),
    ] = "",
) -> None:
    """Answer an event of an agent (called by its hooks).

    Reads the event as JSON from standard input.
    """
    del event
    raise UsageError(f"write `toolmem hook {agent}`, with nothing before it")
