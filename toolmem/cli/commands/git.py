"""``toolmem git``: the drivers that teach git about the vault, and their calls."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Context

from toolmem.api.sync import setup_document
from toolmem.cli.commands import git_drivers
from toolmem.cli.options import JsonFlag
from toolmem.cli.output import emit, emit_json, print_notice
from toolmem.cli.tree import Exit, command, group, run_of
from toolmem.ops.setup.git_setup import GitSetup

app = group("Merge and diff drivers for git.")


@command(app, "install")
def install(ctx: Context, as_json: JsonFlag = False) -> None:
    """Set up merge and diff drivers in this clone.

    Writes .gitattributes and the configuration of this clone.
    """
    _show(run_of(ctx).vault_for().git.install(), as_json)


@command(app, "status")
def status(ctx: Context, as_json: JsonFlag = False) -> None:
    """Show which drivers are set up; exit 1 unless all are."""
    found = run_of(ctx).vault_for().git.status()
    _show(found, as_json)
    if found.state == "no":
        print_notice("`toolmem git install` sets the drivers up")
    if found.state != "installed":
        raise Exit(1)


@command(app, "uninstall")
def uninstall(ctx: Context, as_json: JsonFlag = False) -> None:
    """Remove the merge and diff drivers."""
    _show(run_of(ctx).vault_for().git.uninstall(), as_json)


@command(app, "merge-driver", hidden=True)
def merge_driver(
    base: Annotated[Path, Argument(help="Common ancestor.")],
    ours: Annotated[Path, Argument(help="Our version; the result goes here.")],
    theirs: Annotated[Path, Argument(help="Their version.")],
    path: Annotated[str, Argument(help="Path in the repository.")],
) -> None:
    """Merge a file for git; exit 1 for a conflict."""
    conflicts = git_drivers.merge_files(base, ours, theirs, path)
    for text in conflicts:
        print_notice(text)
    if conflicts:
        raise Exit(1)


@command(app, "diff-driver", hidden=True)
def diff_driver(
    path: Annotated[str, Argument(help="Path in the repository.")],
    about: Annotated[
        list[str] | None,
        Argument(help="File, id and mode, before and after; and a new name."),
    ] = None,
) -> None:
    """Compare a file for git."""
    emit(git_drivers.compare_files(path, about or ()))


_STATUS_TEXT = {"no": "not installed", "partly": "partly installed"}


def _show(setup: GitSetup, as_json: bool) -> None:
    if as_json:
        emit_json(setup_document(setup))
        return
    emit(_STATUS_TEXT.get(setup.state, setup.state))
    if setup.state == "partly":
        missing = [
            name
            for name, there in (
                ("the merge driver", setup.merge_driver),
                ("the diff driver", setup.diff_driver),
                (".gitattributes", setup.attributes),
            )
            if not there
        ]
        print_notice(f"missing: {', '.join(missing)}: `toolmem git install`")
