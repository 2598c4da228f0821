"""The JSON documents of conflicts, sharing and git's drivers; keys are only added."""

from typing import TYPE_CHECKING, Any

from toolmem.api.change_documents import change_document
from toolmem.api.documents import problem_document

if TYPE_CHECKING:
    from toolmem.api.sharing import Resolved
    from toolmem.ops.setup.git_setup import Setup
    from toolmem.ops.sync.sync import Synced


def resolved_document(done: "Resolved") -> dict[str, Any]:
    """What was settled, what is open, and what cannot be read."""
    return {
        "settled": [one._asdict() for one in done.settled],
        "open": [
            {"path": one.path, "kind": one.kind, **one.conflict._asdict()}
            for one in done.open
        ],
        "problems": [problem_document(problem) for problem in done.problems],
    }


def synced_document(done: "Synced") -> dict[str, Any]:
    """How a vault was shared."""
    return {
        "action": done.action,
        "remote": done.remote,
        "commit": done.commit,
        "pushed": done.pushed,
        "tries": done.tries,
        "uncommitted": done.uncommitted,
        "changes": [change_document(change) for change in done.changes],
        "conflicts": [
            {"path": path, **conflict._asdict()} for path, conflict in done.conflicts
        ],
        "problems": [problem_document(problem) for problem in done.problems],
    }


def setup_document(found: "Setup") -> dict[str, Any]:
    """What of toolmem a clone has."""
    return found._asdict()
