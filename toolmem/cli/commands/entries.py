"""Options of values in local state, and the document made of them."""

import json
from collections.abc import Mapping
from typing import Annotated, Any

from typer import Argument, Context, Option

from toolmem.api.vault import Vault
from toolmem.cli.output import emit, fields, print_notices
from toolmem.cli.run import Run, text_or_stdin
from toolmem.cli.tree import run_of
from toolmem.core.formats.json_text import json_text
from toolmem.errors import UsageError
from toolmem.ops.session.repair_state import repair_state
from toolmem.store.vault.vault import Vault as StoredVault

TextArgument = Annotated[
    str, Argument(metavar="TEXT", help="Text; - (the default) reads stdin.")
]
EntryIdArgument = Annotated[
    str,
    Argument(metavar="ID", help="Entry id or a unique prefix."),
]
SourceOption = Annotated[
    str,
    Option(
        "--source", metavar="NAME", help="Author of the text, such as a person or tool."
    ),
]
ConfidenceOption = Annotated[
    str,
    Option("--confidence", metavar="N", help="From 0 to 1; default: 0.5."),
]
TtlOption = Annotated[
    str,
    Option("--ttl", metavar="SPAN", help="Time to live, such as 30m, 12h or 7d."),
]
SessionOption = Annotated[str, Option("--session", metavar="ID", help="Session id.")]
ContextOption = Annotated[
    list[str],
    Option(
        "--context",
        metavar="KEY=VALUE",
        help="Context as KEY=VALUE, such as goal_id=visit.",
    ),
]
MetadataOption = Annotated[
    list[str],
    Option("--metadata", metavar="KEY=VALUE", help="Metadata as KEY=VALUE."),
]
FieldsFlag = Annotated[
    bool,
    Option("--fields", help="Read TEXT as a JSON object with all fields."),
]


def repaired_vault(ctx: Context, *, project: str = "", agent: str = "") -> StoredVault:
    """The vault for these flags, its local state fit for use."""
    vault = run_of(ctx).open(project=project, agent=agent)
    print_notices(repair_state(vault.root))
    return vault


def opened(ctx: Context, *, project: str = "", agent: str = "") -> Vault:
    """The same with its operations."""
    repaired_vault(ctx, project=project, agent=agent)
    return run_of(ctx).vault_for(project=project, agent=agent)


def state(run: Run, names: Mapping[str, str]) -> Vault:
    """Return the vault for a chain of scopes, its local state fit for use."""
    print_notices(repair_state(run.open(**names).root))
    return run.vault_for(**names)


def content_of(text: str, as_fields: bool, confidence: str) -> dict[str, Any]:
    """Return arguments of an operation: ``text``, ``confidence``, ``fields``.

    With ``as_fields`` the text is a JSON object of all fields. Raises ``UsageError``
    for any other text.
    """
    body = text_or_stdin(text, "text") if text else ""
    fields = _object(body) if body and as_fields else {}
    number = confidence_of(confidence)
    if isinstance(number, str):
        fields["confidence"], number = number, None
    plain = "" if as_fields else body.rstrip("\r\n")
    return {"text": plain, "fields": fields, "confidence": number}


def confidence_of(text: str) -> float | str | None:
    """Return the number of a ``--confidence``; invalid text stays a text."""
    try:
        return float(text) if text else None
    except ValueError:
        return text


def pairs_shown(table: Mapping[str, Any]) -> tuple[str, ...]:
    """A table as ``KEY=VALUE`` each; what is not text is JSON."""
    return tuple(
        f"{key}={value if isinstance(value, str) else json_text(value, indent=None)}"
        for key, value in table.items()
    )


def emit_entry(document: dict[str, Any]) -> None:
    """Print an entry or a message: its fields, then its text."""
    content = document.pop("content")
    for name in ("context", "metadata"):
        if name in document:
            document[name] = pairs_shown(document[name])
    emit(fields(document) + "\n\n" + content)


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"the fields are not JSON: {error}") from error
    if not isinstance(found, dict):
        raise UsageError("the fields are not a JSON object")
    return found
