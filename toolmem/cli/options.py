"""Options of commands, with their completions, from descriptions of arguments."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, TypeVar, get_args, get_origin

from typer import Argument, Context, Option

from toolmem.api.operations.argument import DOCUMENT, FIELDS, FILE, JSON, TEXT
from toolmem.api.operations.arguments import argument
from toolmem.cli import offers
from toolmem.cli.tree import command, run_of

_Command = TypeVar("_Command", bound=Callable[..., None])
_KEYWORD = inspect.Parameter.KEYWORD_ONLY
_READ = (TEXT, FILE, JSON, DOCUMENT)


def described(operation: str, name: str, is_option: bool, is_flag: bool) -> Any:
    """Return what Typer needs to know of an argument."""
    about = argument(operation, name)
    flags = [flag for flag in about.flags if flag.startswith("--") and "/" in flag]
    own = f"--{name.removesuffix('_').replace('_', '-')}"
    make: Any = Option if is_option else Argument
    values = about.choices() or about.known
    offer = offers.of(values) if values else None
    if about.offers:
        offer = offers.of_vault(about.offers)
    return make(
        *((flags or [*about.flags, own]) if is_option else ()),
        metavar=None if is_flag else about.metavar,
        help=about.help,
        autocompletion=offer,
    )


def option(name: str, parameter: inspect.Parameter) -> inspect.Parameter:
    """Return a parameter as Typer reads it."""
    about = argument(name, parameter.name)
    is_option = parameter.kind is parameter.KEYWORD_ONLY
    type_ = _type(parameter.annotation, about.reads)
    default = parameter.default
    if about.optional:
        default = ["-"] if type_ == list[str] else "-"
    elif type_ == list[str] and default is not parameter.empty:
        default = []
    elif about.reads == JSON:
        default = "{}"
    elif about.reads == FIELDS:
        default = False
    shown = described(name, parameter.name, is_option, type_ in (bool, bool | None))
    return parameter.replace(
        kind=inspect.Parameter.KEYWORD_ONLY,
        annotation=Annotated[type_, shown],
        default=default,
    )


def _type(hint: Any, reads: str) -> Any:
    """Return the type of a command's argument for that of an operation."""
    if reads in _READ:
        return str
    if reads == FIELDS:
        return bool
    parts = (hint, *get_args(hint))
    listed = any(get_origin(part) in (Sequence, Mapping) for part in parts)
    return list[str] if listed else hint


_CONTEXT = inspect.Parameter("ctx", _KEYWORD, annotation=Context)
_JSON = inspect.Parameter(
    "as_json",
    _KEYWORD,
    default=False,
    annotation=Annotated[bool, Option("--json", help=argument("", "as_json").help)],
)


def register(
    name: str,
    function: Callable[..., None],
    options: Sequence[inspect.Parameter],
    *,
    about: str | None,
    as_json: bool = True,
    hidden: bool = False,
) -> None:
    """Register a function that takes the context and options, all by name."""
    taken = [_CONTEXT, *options, *((_JSON,) if as_json else ())]
    function.__doc__ = about
    function.__signature__ = inspect.Signature(taken)  # type: ignore[attr-defined]
    function.__annotations__ = {}
    command(name.replace(".", " "), hidden=hidden)(function)


def local(name: str, *, hidden: bool = False) -> Callable[[_Command], _Command]:
    """Register the command that a function carries out, and that no program calls.

    The function takes the run, and arguments that are described like those of
    operations; with ``as_json`` it prints JSON, too.
    """

    def registered(carry_out: _Command) -> _Command:
        taken = list(inspect.signature(carry_out).parameters.values())[1:]
        options = [option(name, each) for each in taken if each.name != "as_json"]

        def run(ctx: Context, **given: Any) -> None:
            carry_out(run_of(ctx), **given)

        has_json = len(options) < len(taken)
        about = carry_out.__doc__
        register(name, run, options, about=about, as_json=has_json, hidden=hidden)
        return carry_out

    return registered
