"""Notices of a server on standard error, and failures worded for programs."""

import re
import sys
from collections.abc import Iterable
from contextlib import suppress

from toolmem import __version__
from toolmem.api.operations.table import OPERATIONS
from toolmem.core.prompt.markdown import RULES_LEAD
from toolmem.core.text.safetext import spell_out
from toolmem.errors import Arg, NextStep
from toolmem.store.files import private

_ARGUMENTS = {"tool": "tool_name", "tag": "tags"}
"""Names of arguments for models, where they differ."""
_TOOLS = {
    "rule list": "tool_rule_list",
    "fact list": "memory_fact_list",
    "memory list": "memory_idea_list",
    "search": "memory_recall",
    "recall": "memory_recall",
}
_COMMAND = re.compile(rf"`toolmem ({'|'.join(_TOOLS)})\b[^`]*`")


def print_notices(texts: Iterable[str]) -> None:
    """Print each notice on standard error."""
    for text in texts:
        with suppress(OSError, ValueError):  # it may be closed
            sys.stderr.write(spell_out(f"toolmem: {text}\n"))
            sys.stderr.flush()


def for_agents(part: Arg | NextStep) -> str:
    """Return an argument by its name, an operation as a tool of the model."""
    if isinstance(part, Arg):
        return _ARGUMENTS.get(part.name, part.name)
    tool = OPERATIONS[part.operation].tool
    words = part.operation.replace(".", " ")
    return f"`{tool}`" if tool else f"{words}, on the command line,"


def block_for_agents(text: str) -> str:
    """Replace the commands in a prompt block's own lines with tools."""
    lines = text.split("\n")
    return "\n".join(_with_tools(line) if _is_ours(line) else line for line in lines)


def _with_tools(line: str) -> str:
    return _COMMAND.sub(lambda match: f"`{_TOOLS[match[1]]}`", line)


def _is_ours(line: str) -> bool:
    return line.startswith("Left out: ") or (len(line) > 1 and line in RULES_LEAD)


def bug(error: Exception) -> str:
    """Log an internal error; return a message about it."""
    place = private.log_crash(error, __version__)
    return f"{type(error).__name__}: a bug in toolmem; see {place}"
