"""Read the fields of any memory as written, with the full parser."""

from typing import Any

from toolmem.core.memories.front_matter import read_header, split_header
from toolmem.core.memories.header_line import Node, PlainScalar
from toolmem.core.memories.memory_text import parse_memory


def read_written(text: str) -> tuple[dict[str, Any], str, str, str]:
    """Return fields, title, body, and why the header cannot be read ("" if it can)."""
    header = read_header(split_header(text))
    parsed = parse_memory(text, path="")
    fields = {key: _written(entry.node) for key, entry in header.entries.items()}
    problem = next((one.message for one in header.problems), "")
    return fields, parsed.title, parsed.body, problem


def _written(node: Node) -> Any:
    if isinstance(node, PlainScalar):
        return node.text
    if isinstance(node, list):
        return tuple(_written(item) for item in node)
    if isinstance(node, dict):
        return {key: _written(item) for key, item in node.items()}
    return str(node)
