"""Split a message's content into texts, tool calls and tool results.

The blocks are Anthropic's; Claude Code, Cursor and logs of the API share them.
"""

from datetime import datetime
from typing import Any, NamedTuple

from toolmem.core.transcript.events import Position, TranscriptCall
from toolmem.core.transcript.fields import items, text
from toolmem.core.transcript.tools import make_call

CALLS = frozenset(("tool_use", "tool_call", "tool-call", "server_tool_use"))
RESULTS = frozenset(("tool_result", "tool-result", "web_search_tool_result"))
_SILENT = frozenset(("thinking", "redacted_thinking", "image", "document", "fallback"))
_TEXTS = frozenset(("text", "input_text", "output_text"))


class MessageContent(NamedTuple):
    """Blocks of one message by type, and the number of unknown ones."""

    texts: list[str]
    calls: list[dict[str, Any]]
    results: list[dict[str, Any]]
    unknown: int = 0


def read_content(content: object) -> MessageContent:
    """Sort the blocks of a message whose content is a text or a list of blocks."""
    if isinstance(content, str):
        return MessageContent([text(content)], [], [])
    found = MessageContent([], [], [])
    unknown = 0
    for block in items(content):
        if isinstance(block, str):
            found.texts.append(text(block))
            continue
        kind = text(block.get("type")) if isinstance(block, dict) else "no block"
        if kind in CALLS:
            found.calls.append(block)
        elif kind in RESULTS:
            found.results.append(block)
        elif kind in _TEXTS or not kind:
            found.texts.append(text(block.get("text")))
        else:
            unknown += kind not in _SILENT
    return MessageContent(found.texts, found.calls, found.results, unknown)


def call_in(
    block: dict[str, Any], position: Position, ts: datetime | None
) -> TranscriptCall:
    """Return the call of a ``tool_use`` block."""
    raw = block.get("input", block.get("arguments", block.get("args")))
    declared = block.get("isDangerous")
    call_id = block.get("id", block.get("toolCallId"))
    return make_call(call_id, block.get("name"), raw, position, ts, declared)
