"""``toolmem prompt``: the block for an agent."""

from toolmem.api.prompt import Prompt
from toolmem.cli.inputs import Invocation
from toolmem.cli.operation import operation
from toolmem.cli.output import aside, emit, emit_json, print_notice, show, table
from toolmem.cli.run import file_text
from toolmem.cli.tree import Exit
from toolmem.core.prompt.parts import PromptItem
from toolmem.core.shown import counted
from toolmem.core.text.tokens import estimate_tokens
from toolmem.errors import OverLimitError
from toolmem.ops.prompt.build import Block


@operation("prompt")
def prompt(
    answer: Prompt,
    call: Invocation,
    as_json: bool,
    format: str,
    explain: bool = False,
    check: str = "",
) -> None:
    """Print the rules, facts and guidance for an agent."""
    as_json = as_json or format == "json"
    if explain and not as_json:
        aside(_explanation(answer.block))
    if check:
        _compare(call, check, answer.text)
    elif as_json:
        emit_json(answer.document)
    else:
        emit(answer.text)
    if not answer.fits:
        raise OverLimitError(
            "the critical rules alone exceed the limit: raise it, or lower the "
            "priority of some rules"
        )


def _compare(call: Invocation, name: str, text: str) -> None:
    if file_text(call.run.cwd, name) != text:
        print_notice(
            f"{name} differs from the current block: write it again with `toolmem "
            "prompt`"
        )
        raise Exit(1)


def _explanation(block: Block) -> str:
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
