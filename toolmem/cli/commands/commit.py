"""``toolmem commit``: what was learned becomes history, with a message that says so."""

from typing import Annotated

from typer import Argument, Context, Option

from toolmem.api import notices
from toolmem.api.history import committed_document
from toolmem.cli.options import AllowSecretFlag, JsonFlag
from toolmem.cli.output import emit_json, emit_lines, print_notices
from toolmem.cli.tree import Exit, run_of
from toolmem.ops.history.uncommitted import CommitResult

_ID_SHOWN = 10


def commit_command(
    ctx: Context,
    wanted: Annotated[
        list[str] | None,
        Argument(
            metavar="ID", help="Ids or paths of the changes to commit; default: all."
        ),
    ] = None,
    message: Annotated[
        str,
        Option(
            "--message",
            "-m",
            metavar="TEXT",
            help="Use this message instead of the generated one.",
        ),
    ] = "",
    dry_run: Annotated[
        bool, Option("--dry-run", help="Show the message, commit nothing.")
    ] = False,
    allow_secret: AllowSecretFlag = False,
    all: Annotated[
        bool,
        Option(
            "--all",
            help="Also commit files that set toolmem up: pointer, workflow, agents' "
            "settings with hooks.",
        ),
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Commit the changes of the vault to git.

    The message lists what was learned.
    """
    done = (
        run_of(ctx)
        .vault_for()
        .commit(
            wanted or (),
            message=message,
            dry_run=dry_run,
            allow_secret=allow_secret,
            all=all,
        )
    )
    _show(done, as_json)
    print_notices(notices.commit_notices(done))
    if not done.message:
        raise Exit(1)


def _show(done: CommitResult, as_json: bool) -> None:
    if as_json:
        emit_json(committed_document(done))
    elif done.message:
        head = f"{done.id[:_ID_SHOWN]} " if done.id else ""
        emit_lines((head + done.message).split("\n"))
