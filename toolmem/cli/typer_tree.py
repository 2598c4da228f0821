"""The program as a Typer application, made of the declarations of ``tree``.

It parses every command line that ``plain_line`` leaves: help, completions, mistakes.
"""

import inspect
import io
import os
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer
from typer._click.core import Context as ClickContext
from typer._click.exceptions import ClickException
from typer._click.formatting import HelpFormatter
from typer.completion import completion_init  # type: ignore[attr-defined]
from typer.core import TyperCommand, TyperOption

from toolmem import __version__
from toolmem.cli import names, offers
from toolmem.cli.help import CommandGroup, Program, help_command, write_examples
from toolmem.cli.output import aside, emit_lines
from toolmem.cli.run import Run
from toolmem.cli.tree import DeclaredGroup, Option, RunContext

ABOUT = "Keep what AI agents learn about their tools in a vault that people can review."
COMPLETING = "_TOOLMEM_COMPLETE"
"""Set by a shell that asks for completions."""
_WIDEST = 100
"""Columns of help on a wide terminal: longer lines are hard to read."""
_SETTINGS = {"help_option_names": ["-h", "--help"]}


class VaultCommand(TyperCommand):
    """A command that takes ``--vault`` after its name, too, like the program itself."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params.append(
            TyperOption(
                param_decls=["--vault"],
                metavar="FOLDER",
                help="The vault to work on.",
                expose_value=False,
                callback=_keep_vault,
            )
        )

    def format_epilog(self, ctx: ClickContext, formatter: HelpFormatter) -> None:
        """Write the command's examples below its options."""
        write_examples(ctx, formatter)


def run_parsed(argv: Sequence[str], run: Run) -> int:
    """Parse a command line and run its command; return the exit code.

    Raises what the command raises.
    """
    completing = COMPLETING in os.environ
    if completing:
        completion_init()
        # Typer wraps help at this width, and a second line would be an offer.
        os.environ["TERMINAL_WIDTH"] = "10000"
    app = build(None if completing else argv)
    try:
        code = app(args=list(argv), prog_name="toolmem", obj=run, standalone_mode=False)
    except ClickException as error:
        text = io.StringIO()
        error.show(text)
        aside(text.getvalue().rstrip("\n"))
        return error.exit_code
    return code if isinstance(code, int) else 0


def build(argv: Sequence[str] | None = None) -> typer.Typer:
    """The program with every command, or with the one that ``argv`` calls."""
    app = typer.Typer(
        name="toolmem",
        cls=Program,
        help=ABOUT,
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={**_SETTINGS, "max_content_width": _WIDEST},
    )
    app.callback()(_program)
    called = _called(argv) if argv is not None else None
    for name in names.GROUPS:
        if called in (None, name):
            app.add_typer(_group(names.group_of(name)), name=name)
    for name in names.COMMANDS:
        if called in (None, name):
            _add(app, name, names.command_of(name))
    if called in (None, "help"):
        app.command("help", cls=VaultCommand, context_settings=_SETTINGS)(help_command)
    return app


def _called(argv: Sequence[str]) -> str | None:
    """Return the command that is called, if parsing is not needed for that.

    None if all commands are needed (help, typos, output of the whole tree), empty if
    none is.
    """
    words = list(argv)
    if words[:1] in (["--version"], ["-V"]):
        return ""
    if words[:1] == ["help"]:
        return None
    while words:
        word = words.pop(0)
        if word == "--vault":
            words = words[1:]
        elif not word.startswith("-"):
            return word if word in names.GROUPS or word in names.COMMANDS else None
        elif not word.startswith("--vault="):
            return None
    return None


def _group(declared: DeclaredGroup) -> typer.Typer:
    app = typer.Typer(
        cls=CommandGroup,
        help=declared.about,
        no_args_is_help=True,
        rich_markup_mode=None,
        context_settings=_SETTINGS,
        pretty_exceptions_enable=False,
    )
    for name, function in declared.commands.items():
        if name in declared.hidden:
            app.command(name, hidden=True)(_typed(function))
        else:
            _add(app, name, function)
    return app


def _add(app: typer.Typer, name: str, function: Callable[..., None]) -> None:
    app.command(name, cls=VaultCommand, context_settings=_SETTINGS)(_typed(function))


def _typed(function: Callable[..., None]) -> Callable[..., None]:
    """Return a function with the parameters that Typer looks for."""
    given = inspect.signature(function).parameters.values()
    takes_run = any(one.annotation is RunContext for one in given)

    def called(ctx: typer.Context, **values: Any) -> None:
        start = (RunContext(_run_of(ctx)),) if takes_run else ()
        function(*start, **values)

    first = inspect.Parameter("ctx", _KIND, annotation=typer.Context)
    rest = (_parameter(one) for one in given if one.annotation is not RunContext)
    called.__signature__ = inspect.Signature([first, *rest])  # type: ignore[attr-defined]
    called.__doc__ = function.__doc__
    called.__name__ = function.__name__
    return called


_KIND = inspect.Parameter.POSITIONAL_OR_KEYWORD


def _parameter(given: inspect.Parameter) -> inspect.Parameter:
    kind, declared = given.annotation
    default = ... if given.default is given.empty else given.default
    settings = dict(declared.settings)
    if declared.offers:
        settings["autocompletion"] = _completion(declared.offers)
    made = (
        typer.Option(default, *declared.names, **settings)
        if isinstance(declared, Option)
        else typer.Argument(default, **settings)
    )
    return inspect.Parameter(given.name, _KIND, default=made, annotation=kind)


def _completion(name: str) -> Callable[..., list[offers.Offer]]:
    def complete(ctx: typer.Context, incomplete: str) -> list[offers.Offer]:
        found: list[offers.Offer] = getattr(offers, name)(ctx, incomplete)
        return found

    return complete


def _run_of(ctx: typer.Context) -> Run:
    run = ctx.find_root().obj
    if not isinstance(run, Run):
        raise TypeError("a command was called outside a run")
    return run


def _keep_vault(
    ctx: typer.Context, _: typer.CallbackParam, value: str | None
) -> str | None:
    """Store the folder for the run while parsing: completions call no command."""
    run = ctx.find_root().obj
    if value and isinstance(run, Run):
        run.vault = value
    return value


def _version(wanted: bool) -> None:
    if wanted:
        emit_lines([f"toolmem {__version__}"])
        raise typer.Exit


def _program(
    ctx: typer.Context,
    vault: Annotated[
        str,
        typer.Option(
            "--vault",
            metavar="FOLDER",
            help="The vault to work on.",
            callback=_keep_vault,
        ),
    ] = "",
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            "-V",
            callback=_version,
            is_eager=True,
            help="Print the version.",
        ),
    ] = False,
) -> None:
    """Do nothing: the flags are stored as they are parsed (see ``_keep_vault``)."""
