"""Notices of a server on standard error, and failures worded for programs."""

import re
import sys
from collections.abc import Iterable
from contextlib import suppress

from toolmem import __version__
from toolmem.core.prompt.markdown import RULES_LEAD
from toolmem.core.text.safetext import spell_out
from toolmem.store.files import crash

_FLAG = re.compile(r"--([a-z]+(?:-[a-z]+)*)|(?<![\w-])-p\b")

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


def for_programs(message: str) -> str:
    """Replace the flags in a message with arguments."""

    def argument(match: re.Match[str]) -> str:
        return (match[1] or "priority").replace("-", "_")

    return _FLAG.sub(argument, message)


def for_agents(message: str) -> str:
    """Replace also the commands in it with tools."""
    return _COMMAND.sub(lambda match: f"`{_TOOLS[match[1]]}`", for_programs(message))


def block_for_agents(text: str) -> str:
    """Replace the commands in a prompt block's own lines with tools."""
    lines = text.split("\n")
    return "\n".join(for_agents(line) if _is_ours(line) else line for line in lines)


def _is_ours(line: str) -> bool:
    return line.startswith("Left out: ") or (len(line) > 1 and line in RULES_LEAD)


def bug(error: Exception) -> str:
    """Log an internal error; return a message about it."""
    place = crash.log(error, __version__)
    return f"{type(error).__name__}: a bug in toolmem; see {place}"
