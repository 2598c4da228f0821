"""The command tree and the one boundary where errors become text and a code."""

import gc
import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated

import typer
from typer._click.exceptions import ClickException
from typer.completion import completion_init  # type: ignore[attr-defined]

from toolmem import __version__
from toolmem.cli.help import Program
from toolmem.cli.output import aside, emit_lines, print_notice, report
from toolmem.cli.run import Run, Serve, no_server
from toolmem.cli.tree import VaultCommand, keep_vault
from toolmem.errors import ToolmemError
from toolmem.store.files import crash

# Name → the modules that declare it: only those of the command that is called
# are imported, for an agent may call toolmem often.
GROUPS = {
    "rule": (
        "toolmem.cli.commands.rule",
        "toolmem.cli.commands.rule_change",
        "toolmem.cli.commands.rule_keep",
        "toolmem.cli.commands.rule_examples",
    ),
    "fact": ("toolmem.cli.commands.fact",),
    "memory": ("toolmem.cli.commands.memory", "toolmem.cli.commands.memory_write"),
    "tool": ("toolmem.cli.commands.tool",),
    "turn": ("toolmem.cli.commands.turn",),
    "scratch": ("toolmem.cli.commands.scratch",),
    "working": ("toolmem.cli.commands.working",),
    "conversation": ("toolmem.cli.commands.conversation",),
    "index": ("toolmem.cli.commands.index",),
    "agent": ("toolmem.cli.commands.agent",),
    "git": ("toolmem.cli.commands.git",),
    "trust": ("toolmem.cli.commands.trust",),
}
COMMANDS = {
    "init": "toolmem.cli.commands.vault",
    "settings": "toolmem.cli.commands.vault",
    "check": "toolmem.cli.commands.check",
    "diff": "toolmem.cli.commands.diff",
    "log": "toolmem.cli.commands.log",
    "resolve": "toolmem.cli.commands.resolve",
    "sync": "toolmem.cli.commands.sync",
    "prompt": "toolmem.cli.commands.prompt",
    "guard": "toolmem.cli.commands.guard",
    "hook": "toolmem.cli.commands.hook",
    "search": "toolmem.cli.commands.search",
    "recall": "toolmem.cli.commands.search",
    "query": "toolmem.cli.commands.query",
    "apply": "toolmem.cli.commands.apply",
    "capture": "toolmem.cli.commands.capture",
    "review": "toolmem.cli.commands.review",
    "commit": "toolmem.cli.commands.commit",
    "browse": "toolmem.cli.commands.browse",
    "reflect": "toolmem.cli.commands.reflect",
    "doctor": "toolmem.cli.commands.doctor",
    "stats": "toolmem.cli.commands.stats",
    "trace": "toolmem.cli.commands.trace",
    "import": "toolmem.cli.commands.import_",
    "export": "toolmem.cli.commands.export",
    "report": "toolmem.cli.commands.report",
    "bench": "toolmem.cli.commands.bench",
    "restore": "toolmem.cli.commands.vault",
    "rpc": "toolmem.cli.commands.serve",
    "mcp": "toolmem.cli.commands.serve",
    "help": "toolmem.cli.help",
}
ABOUT = "Keep what AI agents learn about their tools in a vault that people can review."
_WIDEST = 100
"""Columns of help on a wide terminal: longer lines are hard to read."""
_COMPLETE = "_TOOLMEM_COMPLETE"
_GC_OBJECTS = 50_000
"""New objects between two searches for garbage: thousands of rules are none of it."""


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
        context_settings={
            "help_option_names": ["-h", "--help"],
            "max_content_width": _WIDEST,
        },
    )
    app.callback()(_program)
    called = _called(argv) if argv is not None else None
    for name, modules in GROUPS.items():
        if called in (None, name):
            # Reading ``app`` runs a module, which registers its commands.
            apps = [import_module(module).app for module in modules]
            app.add_typer(apps[0], name=name)
    for name, module in COMMANDS.items():
        if called in (None, name):
            function = getattr(
                import_module(module), f"{name.replace('-', '_')}_command"
            )
            app.command(
                name,
                cls=VaultCommand,
                context_settings={"help_option_names": ["-h", "--help"]},
            )(function)
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
            return word if word in GROUPS or word in COMMANDS else None
        elif not word.startswith("--vault="):
            return None
    return None


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
            callback=keep_vault,
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
    """Do nothing: the flags are stored as they are parsed (see ``keep_vault``)."""


def run_program(argv: Sequence[str], run: Run) -> int:
    """Run one command line; returns the exit code, and never raises for a user."""
    completing = _COMPLETE in os.environ
    if completing:
        completion_init()
        # Typer wraps help at this width, and a second line would be an offer.
        os.environ["TERMINAL_WIDTH"] = "10000"
    app = build(None if completing else argv)
    if not gc.isenabled():  # see ``__main__``: what is loaded now stays
        gc.freeze()
        gc.set_threshold(_GC_OBJECTS, 20, 20)
        gc.enable()
    try:
        code = app(args=list(argv), prog_name="toolmem", obj=run, standalone_mode=False)
        return code if isinstance(code, int) else 0
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    except ClickException as error:
        return _usage(error)
    except ToolmemError as error:
        report(error, as_json="--json" in argv)
        return error.exit_code
    except Exception as error:
        log = crash.log(error, __version__)
        print_notice(f"{type(error).__name__}: a bug in toolmem; see {log}")
        return 3


def _usage(error: ClickException) -> int:
    """Say what was wrong with a command line, in the words of Typer."""
    text = io.StringIO()
    error.show(text)
    aside(text.getvalue().rstrip("\n"))
    return error.exit_code


def main(serve: Serve = no_server) -> None:
    """Run the program on the process's own arguments and exit.

    ``serve`` starts a server: the command line knows their flags, not them.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by the parent process
            null = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(null, mode, encoding="utf-8"))
    sys.exit(run_program(sys.argv[1:], Run(serve=serve)))
