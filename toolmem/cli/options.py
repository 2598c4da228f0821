"""Options that several commands take, with their completions."""

from typing import Annotated, Any

from typer import Argument, Option

from toolmem.cli import offers
from toolmem.cli.arguments import argument


def described(operation: str, name: str, *flags: str, is_option: bool = True) -> Any:
    """Return what Typer needs to know of an argument; ``flags`` are other spellings."""
    about = argument(operation, name)
    words = (*flags, f"--{name.replace('_', '-')}") if is_option else ()
    make: Any = Option if is_option else Argument
    return make(
        *words,
        metavar=about.metavar or None,
        help=about.help,
        min=about.minimum,
        show_default=about.shows_default,
        autocompletion=getattr(offers, about.offers) if about.offers else None,
    )


JsonFlag = Annotated[bool, Option("--json", help="Print JSON.")]
ScopeOption = Annotated[str, described("", "scope")]
ProjectOption = Annotated[str, described("", "project")]
AgentTypeOption = Annotated[str, described("", "agent_type")]
AgentOption = Annotated[str, described("", "agent")]
ToolArgument = Annotated[str, described("", "tool", is_option=False)]
RuleIdArgument = Annotated[str, described("rule", "id", is_option=False)]
PriorityOption = Annotated[str, described("", "priority", "-p")]
TagOption = Annotated[list[str], described("", "tag")]
AllowSecretFlag = Annotated[bool, described("", "allow_secret")]
ReasonOption = Annotated[str, described("", "reason")]
NamespaceOption = Annotated[str, described("", "namespace")]
MemoryIdArgument = Annotated[str, described("memory", "id", is_option=False)]
TopicOption = Annotated[str, described("", "topic")]
KindOption = Annotated[str, described("", "kind")]
SemanticOption = Annotated[str, described("", "semantic")]
