"""``toolmem trust``: vaults that count as the user's own."""

from collections.abc import Sequence
from pathlib import Path

from toolmem.cli.options import local
from toolmem.cli.output import emit_json, emit_table, print_notice
from toolmem.cli.run import Run
from toolmem.cli.tree import group
from toolmem.ops.setup import trust as trusting
from toolmem.ops.setup.trust import TrustState

group("trust", "Vaults that you trust.")


@local("trust.list")
def list_(_: Run, *, as_json: bool = False) -> None:
    """List the vaults and pointers that you trust."""
    _show(trusting.list_trusted(), as_json)


@local("trust.add")
def add(run: Run, folder: str = "", *, as_json: bool = False) -> None:
    """Trust the vault of a folder.

    Also trusts the pointer that leads to it.
    """
    changes = trusting.trust(_folder(run, folder))
    _show(changes, as_json)
    if any(change.state == "added" for change in changes):
        print_notice(
            "in its folder only this vault is in force, and captured rules are saved "
            "in it"
        )


@local("trust.remove")
def remove(run: Run, folder: str = "", *, as_json: bool = False) -> None:
    """Stop trusting a folder."""
    _show(trusting.distrust(_folder(run, folder)), as_json)


def _folder(run: Run, folder: str) -> Path:
    return run.cwd / Path(folder or run.vault or ".").expanduser()


def _show(states: Sequence[TrustState], as_json: bool) -> None:
    if as_json:
        emit_json([state._asdict() for state in states])
    else:
        emit_table(
            ((state.state, state.folder) for state in states), ("STATE", "VAULT")
        )
