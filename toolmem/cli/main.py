"""The one boundary where errors become text and a code."""

import gc
import os
import sys
from collections.abc import Sequence

import typer
import typer.completion

from toolmem import __version__
from toolmem.cli.output import aside, print_notice, report
from toolmem.cli.program import program
from toolmem.cli.run import Run, Serve, no_server
from toolmem.cli.tree import Exit
from toolmem.errors import ToolmemError, UsageError
from toolmem.store.files import private

_GC_OBJECTS = 50_000
"""New objects between two searches for garbage: thousands of rules are none of it."""
_INTERRUPTED = 130
COMPLETING = "_TOOLMEM_COMPLETE"
"""Set by a shell that asks for completions."""


def run_program(argv: Sequence[str], run: Run) -> int:
    """Run one command line; returns the exit code, and never raises for a user."""
    try:
        return _run(argv, run)
    except Exit as end:
        return end.code
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    except KeyboardInterrupt:
        return _INTERRUPTED
    except ToolmemError as error:
        report(error, as_json="--json" in argv)
        return error.exit_code
    except Exception as error:
        log = private.log_crash(error, __version__)
        print_notice(f"{type(error).__name__}: a bug in toolmem; see {log}")
        return 3


def _run(argv: Sequence[str], run: Run) -> int:
    if COMPLETING in os.environ:
        typer.completion.completion_init()  # type: ignore[attr-defined]
        # Typer wraps help at this width, and a second line would be an offer.
        os.environ["TERMINAL_WIDTH"] = "10000"
    made = program()
    _collect_garbage()
    try:
        code = made(list(argv), prog_name="toolmem", obj=run, standalone_mode=False)
    except typer.TyperException as error:
        if "--json" in argv:
            report(UsageError(error.format_message()), as_json=True)
        else:
            _print_mistake(error)
        return error.exit_code
    return code if isinstance(code, int) else 0


def _print_mistake(error: typer.TyperException) -> None:
    """Print what is wrong with a command line, and how the command is used."""
    context = getattr(error, "ctx", None)
    if context is not None:
        aside(context.get_usage())
        aside(f"Try '{context.command_path} -h' for help.\n")
    aside(f"Error: {error.format_message()}")


def _collect_garbage() -> None:
    if not gc.isenabled():  # see ``__main__``: what is loaded now stays
        gc.freeze()
        gc.set_threshold(_GC_OBJECTS, 20, 20)
        gc.enable()


def main(serve: Serve = no_server) -> None:
    """Run the program on the process's own arguments and exit.

    ``serve`` starts a server: the command line knows their flags, not them.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by the parent process
            null = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(null, mode, encoding="utf-8"))
    sys.exit(run_program(sys.argv[1:], Run(serve=serve)))
