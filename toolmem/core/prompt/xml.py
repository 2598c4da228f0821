"""Render a prompt block as XML: the same parts and items, every text escaped."""

from collections.abc import Sequence
from itertools import groupby

from toolmem.core.model import ANY_TOOL
from toolmem.core.prompt.build import ANY_HEADING
from toolmem.core.prompt.markdown import RULES_LEAD, omission_line
from toolmem.core.prompt.parts import PromptItem, PromptPart
from toolmem.core.prompt.safe import visible_lines
from toolmem.core.text.safetext import visible


def render_xml(parts: Sequence[PromptPart]) -> str:
    """Return the block as one ``<toolmem>`` element; empty if it has no content."""
    chunks = [line for part in parts if part.items for line in _part_lines(part)]
    left_out = omission_line(parts)
    if left_out:
        chunks.append(f"<omitted>{escape(left_out)}</omitted>")
    return "\n".join(["<toolmem>", *chunks, "</toolmem>"]) + "\n" if chunks else ""


def _part_lines(part: PromptPart) -> list[str]:
    if part.kind == "rules":
        return _rule_lines(part)
    lines = [f"<{part.kind}>"]
    lines += [_item_line(part.kind, item) for item in part.items]
    return [*lines, f"</{part.kind}>"]


def _item_line(kind: str, item: PromptItem) -> str:
    if kind == "facts":
        names = (
            f"namespace={_attribute(item.data['namespace'])} "
            f"key={_attribute(item.data['key'])}"
        )
        return f"<fact {names}>{escape(visible(str(item.data['value'])))}</fact>"
    if kind == "memories":
        mark = (
            ' contested="true" next="ask which is right"'
            if item.data["contested"]
            else ""
        )
        if mark and item.data["changed"]:
            mark += f" changed={_attribute(item.data['changed'])}"
        text = escape(visible_lines(str(item.data["text"])))
        return f"<memory title={_attribute(item.data['title'])}{mark}>{text}</memory>"
    return f"<item>{escape(visible_lines(str(item.data['text'])))}</item>"


def _rule_lines(part: PromptPart) -> list[str]:
    lines = ["<rules>", f"<about>{escape(RULES_LEAD)}</about>"]
    for _, group in groupby(part.items, key=lambda item: item.group):
        items = list(group)
        data = items[0].data
        name = ANY_HEADING if data["key"] == ANY_TOOL else data["tool"]
        lines.append(f"<tool name={_attribute(name)}>")
        for item in items:
            text = escape(visible(str(item.data["rule"])))
            lines.append(f'<rule priority="{item.data["priority"]}">{text}</rule>')
        lines.append("</tool>")
    return [*lines, "</rules>"]


def escape(text: str) -> str:
    """Return the text as XML character data."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _attribute(value: object) -> str:
    return '"' + escape(visible(str(value))).replace('"', "&quot;") + '"'
