"""Read tool listings of other programs: MCP or OpenAI, as JSON."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from toolmem.core.text.safetext import find_unsafe, one_line
from toolmem.errors import UsageError


class ListedTool(NamedTuple):
    """A tool in a listing; ``refused`` is why it cannot be stored."""

    name: str
    description: str = ""
    arguments: tuple[str, ...] = ()
    refused: str = ""


def read_listing(document: Any) -> tuple[ListedTool, ...]:
    """Return the tools of an MCP ``tools/list`` result or of an OpenAI tools array.

    A JSON-RPC response around the result is unwrapped. Raises ``UsageError`` for a
    document that is neither.
    """
    entries = _entries(document)
    if entries is None:
        raise UsageError(
            "not a list of tools: expected an MCP tools/list result or an OpenAI "
            "tools array"
        )
    return tuple(_tools(entries))


def _entries(document: Any) -> list[Any] | None:
    if isinstance(document, list):
        return document
    if not isinstance(document, Mapping):
        return None
    for key in ("tools", "result", "functions"):
        if key in document:
            return _entries(document[key])
    return None


def _tools(entries: list[Any]) -> Iterator[ListedTool]:
    for number, entry in enumerate(entries, 1):
        if not isinstance(entry, Mapping):
            yield ListedTool(f"entry {number}", refused="is not an object")
            continue
        inner = entry.get("function")
        tool = inner if isinstance(inner, Mapping) else entry
        yield _tool(tool, number)


def _tool(tool: Mapping[str, Any], number: int) -> ListedTool:
    name = tool.get("name")
    if not isinstance(name, str) or not name.strip():
        return ListedTool(f"entry {number}", refused="has no name")
    description = tool.get("description", "")
    text = one_line(description) if isinstance(description, str) else ""
    if find_unsafe(text):
        return ListedTool(name, refused="its description contains unsafe characters")
    return ListedTool(name.strip(), _first_sentence(text), _arguments(tool))


def _arguments(tool: Mapping[str, Any]) -> tuple[str, ...]:
    for key in ("inputSchema", "parameters", "input_schema"):
        schema = tool.get(key)
        if isinstance(schema, Mapping):
            properties = schema.get("properties")
            if isinstance(properties, Mapping):
                return tuple(str(name) for name in properties)
    return ()


def _first_sentence(text: str, most: int = 200) -> str:
    """Return the first sentence: the rest of a description is for the model."""
    end = text.find(". ")
    sentence = text if end < 0 else text[: end + 1]
    return sentence if len(sentence) <= most else sentence[: most - 1].rstrip() + "…"
