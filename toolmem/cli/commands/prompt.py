"""``toolmem prompt``: the block for an agent."""

from toolmem.api.prompt import Prompt
from toolmem.cli.commands import explain as explaining
from toolmem.cli.inputs import Invocation
from toolmem.cli.operation import operation
from toolmem.cli.output import aside, emit, emit_json, print_notice
from toolmem.cli.run import file_text
from toolmem.cli.tree import Exit
from toolmem.errors import OverLimitError


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
        aside(explaining.explanation(answer.block))
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
