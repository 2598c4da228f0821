"""What toolmem puts into the settings of an agent, for tests of several packages."""

import re
from collections.abc import Sequence

from toolmem.core.agents.hook_command import HookCommand
from toolmem.core.agents.opencode.plugin import opencode_plugin
from toolmem.core.agents.registry import wirings
from toolmem.core.agents.settings_text import WiringEntry, entries_of


def entries(agent: str) -> Sequence[WiringEntry]:
    return entries_of(wirings()[agent], HookCommand(agent, warm=True))


def events(agent: str) -> set[str]:
    """Events for which an agent is configured to call us."""
    if wirings()[agent].shape == "plugin":
        plugin = opencode_plugin(HookCommand(agent, warm=True))
        return set(re.findall(r'event: "([a-z_]+)"', plugin))
    if wirings()[agent].shape == "scripts":
        return set(wirings()[agent].events)
    return {entry.keys[-1] for entry in entries(agent)}
