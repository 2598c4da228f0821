"""JavaScript plugin through which OpenCode calls toolmem."""

import re
from collections.abc import Mapping

from toolmem.core.agents.hook_command import (
    ASK,
    NOT_INSTALLED,
    REMEMBERED,
    YOURS,
    HookCommand,
)
from toolmem.core.package_data import read_data

_FILE = "agents/opencode/plugin.js"
_WORDS = re.compile(r'"hook", ?"opencode"((?:,\s*"(?:[^"\\]|\\.)*")*)')
EVERY_EVENT = ""
"""Key of the options, which are those of every event: text within an array of words."""


def opencode_plugin(command: HookCommand) -> str:
    """Return the text of the plugin."""
    options = command.options.get(EVERY_EVENT, "")
    parts = {
        "@REMEMBERED@": REMEMBERED,
        "@OPTIONS@": options,
        "@ASK@": ASK if command.warm else "",
        "@NOT_INSTALLED@": NOT_INSTALLED,
        "@YOURS@": YOURS,
    }
    return re.sub("|".join(parts), lambda match: parts[match[0]], _template())


def _template() -> str:
    return read_data(_FILE).decode()


def is_our_plugin(text: str) -> bool:
    """Return whether toolmem wrote this file, of whatever version."""
    return text.startswith(_template().partition(".")[0])


def plugin_options(text: str) -> Mapping[str, str]:
    """Return the words after ``hook opencode`` in an installed plugin."""
    match = _WORDS.search(text)
    return {EVERY_EVENT: match[1]} if match and match[1] else {}
