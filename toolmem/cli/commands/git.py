"""``toolmem git``: the drivers that teach git about the vault, and their calls."""

from collections.abc import Sequence
from pathlib import Path

from toolmem.cli.operation import operation
from toolmem.cli.options import local
from toolmem.cli.output import emit, print_notice
from toolmem.cli.run import Run
from toolmem.cli.tree import Exit, group
from toolmem.ops.setup.git_setup import GitSetup
from toolmem.ops.sync import git_drivers

group("git", "Merge and diff drivers for git.")
_STATUS_TEXT = {"no": "not installed", "partly": "partly installed"}


@operation("git.install")
def install(setup: GitSetup) -> None:
    """Set up merge and diff drivers in this clone.

    Writes .gitattributes and the configuration of this clone.
    """
    emit(_STATUS_TEXT.get(setup.state, setup.state))
    if setup.state == "partly":
        drivers = {
            "the merge driver": setup.merge_driver,
            "the diff driver": setup.diff_driver,
            ".gitattributes": setup.attributes,
        }
        missing = ", ".join(name for name, is_there in drivers.items() if not is_there)
        print_notice(f"missing: {missing}: `toolmem git install`")


@operation("git.status", code=lambda setup: int(setup.state != "installed"))
def status(setup: GitSetup) -> None:
    """Show which drivers are set up; exit 1 unless all are."""
    install(setup)
    if setup.state == "no":
        print_notice("`toolmem git install` sets the drivers up")


operation("git.uninstall", about="Remove the merge and diff drivers.")(install)


@local("git.merge-driver", hidden=True)
def merge_driver(_: Run, base: Path, ours: Path, theirs: Path, path: str) -> None:
    """Merge a file for git; exit 1 for a conflict."""
    conflicts = git_drivers.merge_files(base, ours, theirs, path)
    for text in conflicts:
        print_notice(text)
    if conflicts:
        raise Exit(1)


@local("git.diff-driver", hidden=True)
def diff_driver(_: Run, path: str, about: Sequence[str] = ()) -> None:
    """Compare a file for git."""
    emit(git_drivers.compare_files(path, about))
