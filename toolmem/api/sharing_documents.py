"""The JSON documents of conflicts, sharing and git's drivers; keys are only added."""

from typing import Any

from toolmem.api import sharing
from toolmem.api.change_documents import change_document
from toolmem.api.documents import problem_document
from toolmem.ops.setup import git_setup
from toolmem.ops.sync import sync


def resolved_document(done: "sharing.ResolveResult") -> dict[str, Any]:
    """What was settled, what is open, and what cannot be read."""
    return {
        "settled": [one._asdict() for one in done.settled],
        "open": [
            {"path": one.path, "kind": one.kind, **one.conflict._asdict()}
            for one in done.open
        ],
        "problems": [problem_document(problem) for problem in done.problems],
    }


def synced_document(done: "sync.SyncResult") -> dict[str, Any]:
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


def setup_document(found: "git_setup.GitSetup") -> dict[str, Any]:
    """What of toolmem a clone has."""
    return found._asdict()
