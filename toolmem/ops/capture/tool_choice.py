"""The tools of a rule, from the names that an agent or a judge gives.

They give their own names: these are mapped by alias, by the family of tools that
agents call differently, by a call of the session, or as a program.
"""

from collections.abc import Container, Sequence
from typing import NamedTuple

from toolmem.core.agents.registry import same_tools
from toolmem.core.capture.relate.tools import is_program
from toolmem.core.model import ANY_TOOL
from toolmem.errors import UsageError
from toolmem.ops.capture.context import CaptureContext


class ToolChoice(NamedTuple):
    """The tools of a rule, at least one; ``unknown`` are names that fit nothing."""

    tools: tuple[str, ...]
    unknown: tuple[str, ...] = ()


def choose_tools(
    known: CaptureContext,
    asked: Sequence[str],
    called: Container[str],
    detected: Sequence[str],
) -> ToolChoice:
    """Return the tools that were asked for, else those that the text names.

    A name that fits nothing makes it a rule for every tool. ``called`` are the
    case-folded names of the tools that the session called.
    """
    if not asked:
        return ToolChoice(known.spelt(detected))
    by_name = {name: _known_tool(known, name, called) for name in asked}
    unknown = tuple(name for name, tool in by_name.items() if not tool)
    tools = tuple(dict.fromkeys(by_name.values()))
    if unknown or ANY_TOOL in tools:
        return ToolChoice((ANY_TOOL,), unknown)
    return ToolChoice(tools)


def _known_tool(known: CaptureContext, name: str, called: Container[str]) -> str:
    """Return the tool as the vault spells it; empty for a name that fits nothing."""
    if name in ("*", ANY_TOOL):
        return ANY_TOOL
    try:
        key = known.names.key(name)
    except UsageError:
        return ""
    for other in sorted(same_tools(key), key=lambda alias: alias != key):
        spelling = known.names.spelling(other)
        if spelling:
            return spelling
    ruled = {known.names.key(rule.tool) for rule in known.every()}
    family = same_tools(key) - {key}
    if key in ruled or key in called or family or is_program(key):
        return known.spelt([name])[0]
    return ""
