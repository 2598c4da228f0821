"""What each agent tells its hooks, as ``make agents`` measured it; see the manual."""

from collections.abc import Mapping
from typing import NamedTuple


class Told(NamedTuple):
    """What hooks learn of a command that failed, of one that passed, and of a stop.

    ``failure`` and ``success`` are the event after the call, "" without one, and the
    exit code. ``stop`` is the event at the end of a turn; ``stop_answered``: the answer
    makes the turn go on.
    """

    failure: str
    success: str
    call_ids: bool
    stop: str
    stop_answered: bool


TOLD: Mapping[str, Told] = {
    "claude": Told("", "", True, "Stop", True),
    "codex": Told("", "", True, "Stop", True),
    "gemini": Told("", "", False, "AfterAgent", True),
    "opencode": Told("", "", True, "turn_end", False),
    "copilot": Told("", "", False, "agentStop", True),
    "qwen": Told("", "", True, "Stop", True),
    "droid": Told("", "", False, "Stop", True),
    "cline": Told("", "", True, "agent_end", False),
}
