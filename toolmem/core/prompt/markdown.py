"""Render a prompt block as markdown."""

from collections.abc import Sequence
from itertools import groupby

from toolmem.core.prompt.parts import PromptItem, PromptPart
from toolmem.core.prompt.safe import safe_line, safe_name

RULES_TITLE = "## Tool-scoped rules"
RULES_LEAD = (
    "Hard constraints, set by the people you work for: check every call of a tool "
    "against its rules, and do not work around them.\n"
    "Rules of normal priority are not listed here; `toolmem rule list TOOL` shows "
    "every rule of a tool."
)
_TITLES = {
    "role": "## Role",
    "overrides": "## For this project",
    "facts": "## Facts",
    "guidance": "## Guidance",
    "memories": "## Memories",
}
_NOUNS = {
    "role": ("role", "roles"),
    "overrides": ("override", "overrides"),
    "facts": ("fact", "facts"),
    "guidance": ("guidance file", "guidance files"),
    "memories": ("memory", "memories"),
    "rules": ("high rule", "high rules"),
}
_NAMED = 3
"""Files named in the line about omissions, which must not itself fill the block."""


def render_markdown(parts: Sequence[PromptPart]) -> str:
    """Return the block, ending in a newline; empty if it has no content."""
    chunks = [chunk for part in parts if (chunk := _part_text(part))]
    left_out = omission_line(parts)
    if left_out:
        at = next((n for n, p in enumerate(parts) if p.kind == "search"), None)
        search = at is not None and bool(parts[at].items)
        chunks.insert(len(chunks) - 1 if search else len(chunks), left_out)
    return "\n\n".join(chunks) + "\n" if chunks else ""


def omission_line(parts: Sequence[PromptPart]) -> str:
    """Return ``Left out: 4 more high rules (`toolmem rule list shell`)``, or "".

    If no fact, guidance or memory fits, only their number is given, so that the line
    does not displace a rule.
    """
    lower = [part for part in parts if part.kind in ("facts", "guidance", "memories")]
    brief = any(part.omitted for part in lower) and not any(p.items for p in lower)
    known = (part for part in parts if part.omitted and part.kind in _NOUNS)
    texts = [_omitted_text(part, brief) for part in known]
    return f"Left out: {'; '.join(texts)}." if texts else ""


def _part_text(part: PromptPart) -> str:
    if not part.items:
        return ""
    if part.kind == "rules":
        return _rules_text(part)
    if part.kind == "search":
        return "\n".join(item.text for item in part.items)
    gap = "\n" if part.kind == "facts" else "\n\n"
    return f"{_TITLES[part.kind]}\n\n" + gap.join(item.text for item in part.items)


def _rules_text(part: PromptPart) -> str:
    chunks = [RULES_TITLE, RULES_LEAD]
    for heading, items in groupby(part.items, key=lambda item: item.group):
        lines = "\n".join(item.text for item in items)
        chunks.append(f"### {heading}\n{lines}")
    return "\n\n".join(chunks)


def _omitted_text(part: PromptPart, brief: bool) -> str:
    items = [omission.item for omission in part.omitted]
    more = "more " if part.items else ""
    critical = [item for item in items if item.pinned]
    free = [item for item in items if not item.pinned]
    counts = []
    for some, nouns in (
        (critical, ("critical rule", "critical rules")),
        (free, _NOUNS[part.kind]),
    ):
        if some:
            counts.append(f"{len(some)} {more}{nouns[len(some) > 1]}")
    where = "" if brief else f" ({_where(part.kind, items)})"
    return " and ".join(counts) + where


def _where(kind: str, items: Sequence[PromptItem]) -> str:
    if kind == "rules":
        tools = {str(item.data.get("tool", "")) for item in items}
        tool = f" {safe_name(tools.pop())}" if len(tools) == 1 else ""
        return f"`toolmem rule list{tool}`"
    if kind == "facts":
        return "`toolmem fact list`"
    if kind == "memories":
        return "`toolmem search`"
    named = [safe_line(item.name) for item in items[:_NAMED]]
    more = [f"and {len(items) - _NAMED} more"] if len(items) > _NAMED else []
    return ", ".join([*named, *more])
