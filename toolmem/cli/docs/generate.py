"""``toolmem generate``: the files that are made of the program itself."""

from pathlib import Path
from typing import Annotated

import typer
from typer.core import TyperGroup

from toolmem.cli.docs.manual import manual
from toolmem.cli.docs.shells import completion_scripts
from toolmem.cli.output import emit, remark
from toolmem.cli.tree import run_of
from toolmem.errors import StorageError, UsageError

KINDS = ("man", "completions")


def generate_command(
    ctx: typer.Context,
    what: Annotated[
        str, typer.Argument(metavar="WHAT", help="man or completions; else both.")
    ] = "",
    check: Annotated[
        bool,
        typer.Option("--check", help="Write nothing; exit 1 when a file is stale."),
    ] = False,
) -> None:
    """Write man/toolmem.1 and completions/ below the working folder."""
    if what and what not in KINDS:
        raise UsageError(f"no {what!r} to generate: {' or '.join(KINDS)}")
    program = ctx.find_root().command
    if not isinstance(program, TyperGroup):
        raise TypeError("the program has no commands")
    stale = False
    for name, text in generated(program).items():
        if what and not name.startswith(what):
            continue
        path = run_of(ctx).cwd / name
        if _held(path) == text:
            continue
        stale = True
        if check:
            remark(f"{name} is stale: `make generate` writes it")
        else:
            _write(path, text)
            emit(name)
    if check and stale:
        raise typer.Exit(1)


def generated(program: TyperGroup) -> dict[str, str]:
    """Path → content of every file that is made of the program."""
    scripts = completion_scripts()
    return {
        "man/toolmem.1": manual(program),
        **{f"completions/{name}": text for name, text in scripts.items()},
    }


def _held(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8", "replace")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StorageError(f"{path}: {error.strerror}") from error


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    except OSError as error:
        raise StorageError(f"{path}: {error.strerror}") from error
