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
    """A message with arguments in the place of the flags that it names."""

    def argument(match: re.Match[str]) -> str:
        return (match[1] or "priority").replace("-", "_")

    return _FLAG.sub(argument, message)


def for_agents(message: str) -> str:
    """The same with tools in the place of the commands that it names."""
    return _COMMAND.sub(lambda match: f"`{_TOOLS[match[1]]}`", for_programs(message))


def block_for_agents(text: str) -> str:
    """A prompt block with tools in the place of the commands that it names itself."""
    lines = text.split("\n")
    return "\n".join(for_agents(one) if _is_ours(one) else one for one in lines)


def _is_ours(line: str) -> bool:
    return line.startswith("Left out: ") or (len(line) > 1 and line in RULES_LEAD)


def bug(error: Exception) -> str:
    """Log a fault of ours; what is said of it."""
    place = crash.log(error, __version__)
    return f"{type(error).__name__}: a bug in toolmem; see {place}"
