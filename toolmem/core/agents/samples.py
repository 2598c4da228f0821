"""Sample events of an agent, for trying an installed wiring."""

from collections.abc import Mapping
from typing import Any, NamedTuple

PROGRAM = "toolmem-sample"
"""Name of a program that does not exist; the sample rule forbids it."""
TYPED = "Never run toolmem-other-sample in this project."
SESSION = "toolmem-agent-test"
COMMAND, LISTING = {"command": f"{PROGRAM} --now"}, {"command": "ls"}
OUTPUT = "done"


class Sample(NamedTuple):
    """An event: its common kind, the agent's name of it, and its payload."""

    kind: str
    name: str
    payload: Mapping[str, Any]
