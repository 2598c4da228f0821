"""``toolmem import``: what people have written for agents, as rules and memories."""

import sys
from typing import Annotated

from typer import Argument, Context, Option

from toolmem.api import notices
from toolmem.api.transfer import ImportResult, import_document
from toolmem.cli import offers
from toolmem.cli.commands.transfer_lines import (
    imported_summary,
    imported_table,
    refusal_line,
    remark_line,
)
from toolmem.cli.options import (
    AgentTypeOption,
    AllowSecretFlag,
    JsonFlag,
    ProjectOption,
    ScopeOption,
)
from toolmem.cli.output import emit, emit_json, print_notice, print_notices
from toolmem.cli.tree import Exit, run_of
from toolmem.core.imports.kinds import FORMATS
from toolmem.errors import UsageError
from toolmem.store.vault.sources import STDIN

_FAILED = ("refused", "kept")


def _formats(incomplete: str) -> list[str]:
    return [name for name in ("auto", *FORMATS) if name.startswith(incomplete)]


def import_command(
    ctx: Context,
    paths: Annotated[
        list[str],
        Argument(
            metavar="PATH...",
            help="Files and folders; - reads standard input.",
        ),
    ],
    format_: Annotated[
        str,
        Option(
            "--format",
            metavar="FORMAT",
            help=f"auto, {', '.join(FORMATS[:-1])} or {FORMATS[-1]}.",
            autocompletion=_formats,
        ),
    ] = "auto",
    scope: ScopeOption = "",
    project: ProjectOption = "",
    agent_type: AgentTypeOption = "",
    priority: Annotated[
        str,
        Option(
            "--priority",
            metavar="PRIORITY",
            help="Highest priority of an imported rule: critical, high or normal.",
            autocompletion=offers.priorities,
        ),
    ] = "critical",
    dry_run: Annotated[
        bool, Option("--dry-run", help="Only show what would be done.")
    ] = False,
    allow_secret: AllowSecretFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Import rules from CLAUDE.md, AGENTS.md and others."""
    typed = STDIN in paths
    if typed and sys.stdin.isatty():
        raise UsageError("name files to import, or pass one on standard input")
    done = (
        run_of(ctx)
        .vault_for(project, agent_type)
        .import_(
            [path for path in paths if path != STDIN],
            text=sys.stdin.buffer.read() if typed else None,
            format=format_,
            scope=scope,
            priority=priority,
            dry_run=dry_run,
            allow_secret=allow_secret,
        )
    )
    found = done.imported
    print_notices(notices.import_notices(done))
    _show(done, as_json)
    failed = any(one.action in _FAILED for one in found.outcomes)
    unreadable = any(one.code == "unreadable" for one in found.remarks)
    if done.is_nothing:
        print_notice("nothing was found to import")
    if failed or done.is_nothing or unreadable:
        raise Exit(1)


def _show(done: ImportResult, as_json: bool) -> None:
    found = done.imported
    if as_json:
        emit_json(import_document(done))
        return
    emit(imported_table(found) if done.dry_run else imported_summary(found))
    for one in found.outcomes:
        if one.action in _FAILED and one.kind != "file" and not done.dry_run:
            print_notice(refusal_line(one))
    for note in found.remarks:
        print_notice(remark_line(note))
