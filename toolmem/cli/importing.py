"""``toolmem import``: what people have written for agents, as rules and memories."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from toolmem.cli import complete
from toolmem.cli.options import (
    AgentTypeOption,
    AllowSecretFlag,
    JsonFlag,
    ProjectOption,
    ScopeOption,
)
from toolmem.cli.output import emit, emit_json, remark
from toolmem.cli.run import Run, target_scope
from toolmem.cli.transfer_documents import (
    imported_document,
    imported_summary,
    imported_table,
    refusal_line,
    remark_line,
)
from toolmem.cli.tree import run_of
from toolmem.core.imports.kinds import FORMATS, NOTES, format_of
from toolmem.core.model import Priority
from toolmem.core.suggest import did_you_mean
from toolmem.errors import UsageError
from toolmem.ops.import_files import Imported, ImportRequest, import_files
from toolmem.ops.vault_copy import import_vault
from toolmem.store.sources import (
    STDIN,
    Source,
    Sources,
    find_sources,
    given_source,
    read_source,
)
from toolmem.store.vault import Vault

_FAILED = ("refused", "kept")


def _formats(incomplete: str) -> list[str]:
    return [name for name in ("auto", *FORMATS) if name.startswith(incomplete)]


def import_command(
    ctx: typer.Context,
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH...",
            help="Files and folders; - reads standard input.",
        ),
    ],
    format_: Annotated[
        str,
        typer.Option(
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
        typer.Option(
            "--priority",
            metavar="PRIORITY",
            help="The most that an imported rule gets: critical, high or normal.",
            autocompletion=complete.priorities,
        ),
    ] = "critical",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only show what would be done.")
    ] = False,
    allow_secret: AllowSecretFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Import rule files and notes: CLAUDE.md, AGENTS.md, Cursor, Copilot, …"""
    run = run_of(ctx)
    vault = run.open(project, agent_type)
    sources = _sources(run, paths, _known_format(format_))
    request = ImportRequest(
        target_scope(vault, scope),
        format_,
        _priority(priority),
        dry_run,
        allow_secret,
    )
    found = _import(vault, sources, request)
    for name, reason in sources.left_out:
        remark(f"{name}: left out: {reason}")
    _show(found, dry_run, as_json)
    codes = {one.code for one in found.remarks}
    nothing = not found.outcomes and "own-text" not in codes
    if nothing:
        remark("nothing was found to import")
    failed = any(one.action in _FAILED for one in found.outcomes)
    if failed or nothing or "unreadable" in codes:
        raise typer.Exit(1)


def _import(vault: Vault, sources: Sources, request: ImportRequest) -> Imported:
    """A vault's copy comes alone; everything else is read file by file."""
    if len(sources.files) == 1:
        source = sources.files[0]
        sniffed = request.format == "auto" and _is_copy(source)
        if sniffed or request.format == "json":
            return import_vault(
                vault,
                read_source(source, exact=True),
                source.name,
                dry_run=request.dry_run,
                allow_secret=request.allow_secret,
            )
    return import_files(vault, sources.files, request)


def _is_copy(source: Source) -> bool:
    if source.local.rpartition(".")[2] not in ("json", STDIN):
        return False
    try:
        return format_of(source.local, read_source(source)) == "json"
    except UsageError:
        return False


def _sources(run: Run, paths: list[str], format_: str) -> Sources:
    """What is named; standard input is a file of no name."""
    named = [run.cwd / Path(one).expanduser() for one in paths if one != STDIN]
    every = format_ in NOTES
    found = find_sources(named, run.cwd, every=every)
    if STDIN not in paths:
        return found
    if sys.stdin.isatty():
        raise UsageError("name files to import, or pipe one in")
    given = given_source(sys.stdin.buffer.read())
    return found._replace(files=(*found.files, given))


def _known_format(format_: str) -> str:
    if format_ not in ("auto", *FORMATS):
        raise UsageError(
            f"no format {format_!r}{did_you_mean(format_, FORMATS)} "
            f"(there are auto, {', '.join(FORMATS)})"
        )
    return format_


def _priority(text: str) -> Priority:
    try:
        return Priority(text)
    except ValueError:
        names = [one.value for one in Priority]
        raise UsageError(f"no priority {text!r}{did_you_mean(text, names)}") from None


def _show(found: Imported, dry_run: bool, as_json: bool) -> None:
    if as_json:
        emit_json(imported_document(found, dry_run=dry_run))
        return
    emit(imported_table(found) if dry_run else imported_summary(found))
    for one in found.outcomes:
        if one.action in _FAILED and one.kind != "file" and not dry_run:
            remark(refusal_line(one))
    for note in found.remarks:
        remark(remark_line(note))
