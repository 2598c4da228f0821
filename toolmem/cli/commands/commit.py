"""``toolmem commit``: commit what was learned, with a message that lists it."""

from toolmem.cli.operation import operation
from toolmem.cli.output import emit_lines
from toolmem.ops.history.uncommitted import CommitResult

_ID_SHOWN = 10


@operation("commit", code=lambda done: int(not done.message))
def commit(done: CommitResult) -> None:
    """Commit the changes of the vault to git.

    The message lists what was learned.
    """
    if done.message:
        head = f"{done.id[:_ID_SHOWN]} " if done.id else ""
        emit_lines((head + done.message).split("\n"))
