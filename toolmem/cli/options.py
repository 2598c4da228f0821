"""Options of commands that are made from no operation, with their completions."""

from typing import Annotated, Any

from typer import Argument, Option

from toolmem.api.operations.arguments import argument
from toolmem.cli import offers


def described(
    operation: str, name: str, *, is_option: bool = True, is_flag: bool = False
) -> Any:
    """Return what Typer needs to know of an argument."""
    about = argument(operation, name)
    flags = [flag for flag in about.flags if flag.startswith("--") and "/" in flag]
    words = flags or [*about.flags, f"--{name.replace('_', '-')}"]
    make: Any = Option if is_option else Argument
    values = about.choices() or about.known
    offer = offers.of(values) if values else None
    if about.offers:
        offer = offers.of_vault(about.offers)
    return make(
        *(words if is_option else ()),
        metavar=None if is_flag else about.metavar,
        help=about.help,
        autocompletion=offer,
    )


JsonFlag = Annotated[bool, Option("--json", help=argument("", "as_json").help)]
ProjectOption = Annotated[str, described("", "project")]
AgentTypeOption = Annotated[str, described("", "agent_type")]
AgentOption = Annotated[str, described("", "agent")]
