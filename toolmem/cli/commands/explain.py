"""Explain a prompt block: its JSON document, and lines for people."""

from toolmem.cli.output import show, table
from toolmem.core.prompt.parts import PromptItem
from toolmem.core.shown import counted
from toolmem.core.text.tokens import estimate_tokens
from toolmem.ops.prompt.build import Block


def explanation(block: Block) -> str:
    """Return the items in the block, the omitted ones and why, in lines."""
    lines = [f"{block.tokens} tokens, {len(block.text)} characters"]
    for part in block.parts:
        cost = sum(estimate_tokens(item.text) for item in part.items)
        tier = f" ({part.tier})" if part.tier else ""
        lines.append(
            f"{part.kind}{tier}: {counted(len(part.items), 'item')}, {cost} tokens"
        )
        rows = [("  +", str(estimate_tokens(i.text)), _label(i)) for i in part.items]
        rows += [
            ("  -", str(estimate_tokens(o.item.text)), f"{_label(o.item)}: {o.reason}")
            for o in part.omitted
        ]
        if rows:
            lines.append(table(rows))
    lines.append(f"receipt: {block.digest}")
    if block.vault.revision:
        lines.append(f"revision: {block.vault.revision}")
    lines += [f"  {version[:10]} {show(path)}" for path, version in block.files]
    return "\n".join(lines)


def _label(item: PromptItem) -> str:
    return f"{item.name} {item.data.get('scope', '')}".rstrip()
