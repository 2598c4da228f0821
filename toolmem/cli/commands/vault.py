"""``toolmem init`` and ``toolmem settings``."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from toolmem.api.state_documents import restored_document, settings_document
from toolmem.cli.options import JsonFlag
from toolmem.cli.output import aside, emit, emit_json, emit_lines, remark, table
from toolmem.cli.tree import run_of
from toolmem.ops.setup.init import init_vault


def init_command(
    ctx: typer.Context,
    path: Annotated[
        str, typer.Argument(metavar="PATH", help="The folder; it need not exist.")
    ] = ".",
    empty: Annotated[
        bool, typer.Option("--empty", help="Without the sample rules and facts.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Make a vault: the template's files, in a git repository."""
    made = init_vault((run_of(ctx).cwd / Path(path).expanduser()), empty=empty)
    for kept in made.kept:
        remark(f"{kept} was there already and stays as it is")
    if as_json:
        emit_json(
            {
                "vault": str(made.root),
                "created": list(made.created),
                "kept": list(made.kept),
                "git": made.git,
            }
        )
    else:
        emit(str(made.root))
        if made.git == "missing":
            remark("git is not installed: the vault works, but keeps no history")
        aside(
            f"next: toolmem --vault {shlex.quote(str(made.root))} rule add TOOL "
            '"what the tool must not do" -p critical'
        )


def restore_command(
    ctx: typer.Context,
    archived_id: Annotated[
        str, typer.Argument(metavar="ID", help="The id of a rule or memory.")
    ],
    as_json: JsonFlag = False,
) -> None:
    """Bring back an archived rule or memory."""
    restored = run_of(ctx).vault_for().restore(archived_id)
    if as_json:
        emit_json(restored_document(restored))
    else:
        emit_lines([f"restored {restored.path}"])


def settings_command(ctx: typer.Context, as_json: JsonFlag = False) -> None:
    """Show every setting, its value, and where that comes from."""
    found = run_of(ctx).find()
    for layer in found.layers:
        for problem in layer.problems:
            remark(f"{problem.place}: {problem.message}")
    values = found.settings.values()
    if as_json:
        emit_json(settings_document(found.settings))
    else:
        emit(table((v.name, _shown(v.value), v.origin) for v in values))


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "-" if value is None else str(value)
