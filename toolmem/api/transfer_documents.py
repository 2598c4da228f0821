"""The JSON documents of import and export; keys are only ever added."""

from collections import Counter
from typing import Any

from toolmem.api import transfer
from toolmem.ops.transfer import import_files

_DONE = ("created", "updated", "unchanged", "exists", "kept", "retired", "refused")


def import_document(done: "transfer.ImportResult") -> dict[str, Any]:
    """What was imported, item by item."""
    found = done.imported
    counts = Counter(one.action for one in found.outcomes)
    return {
        "files": found.files,
        "dry_run": done.dry_run,
        "counts": {action: counts[action] for action in _DONE if counts[action]},
        "items": [_item(one) for one in found.outcomes],
        "remarks": [one._asdict() for one in found.remarks],
    }


def _item(one: "import_files.ImportOutcome") -> dict[str, Any]:
    document = one._asdict()
    about = document.pop("about")
    if one.kind == "rule":
        document["tool"] = about
    elif one.kind == "memory":
        document["topic"] = about or None
    document["id"] = one.id or None
    document["path"] = one.path or None
    empty = [key for key in ("priority", "reason") if not document[key]]
    return {key: value for key, value in document.items() if key not in empty}


def export_document(done: "transfer.ExportResult") -> Any:
    """A copy of the vault, the text for a program, or what became of each file."""
    if done.document is not None:
        return done.document
    if not done.changes:
        return {"text": done.text}
    changes = [one._asdict() for one in done.changes]
    if done.files < 0:
        unsaid = [one._asdict() for one in done.unsaid]
        return {"files": changes, "check": done.check, "unsaid": unsaid}
    left_out = [{"path": path, "reason": why} for path, why in done.left_out]
    return {**changes[0], "files": done.files, "left_out": left_out}
