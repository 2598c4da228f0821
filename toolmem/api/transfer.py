"""Import files that people wrote for agents, and export the vault.

Paths are relative to the caller's folder.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from toolmem.api.access import Access, Operations, bounded
from toolmem.core.exports import permissions as exports_permissions
from toolmem.core.formats.json_text import json_text
from toolmem.core.imports import kinds
from toolmem.core.model import Scope
from toolmem.core.rules import arguments as rule_words
from toolmem.core.text.suggest import did_you_mean
from toolmem.errors import Arg, NotAllowedError, UsageError
from toolmem.ops.rules import new_names
from toolmem.ops.transfer import bundle as vault_copy
from toolmem.ops.transfer import export_agents, import_files
from toolmem.store.files import outside
from toolmem.store.vault import sources as sources_
from toolmem.store.vault.vault import Vault

_STREAM = ("", "-")
ACTIONS = ("created", "updated", "unchanged", "exists", "kept", "retired", "refused")
"""Outcomes of an imported item."""


class ImportResult(NamedTuple):
    """Imported items (or those of a dry run), and files left out: name and reason.

    A copy of a vault has items of other scopes than ``scope``.
    """

    imported: "import_files.ImportSummary"
    scope: Scope
    dry_run: bool
    left_out: tuple[tuple[str, str], ...]
    remarks: tuple[str, ...] = ()

    @property
    def is_nothing(self) -> bool:
        """True if there was nothing to import."""
        codes = {remark.code for remark in self.imported.remarks}
        return not self.imported.outcomes and "own-text" not in codes


class WrittenFile(NamedTuple):
    """A file of an export: its name, and ``created``, ``updated``, ``unchanged`` or, if
    nothing was to be written, ``stale``."""

    path: str
    action: str


class ExportResult(NamedTuple):
    """Files of an export; ``text`` or ``document`` if there is no file.

    ``files`` counts those in a copy of the vault (-1: not a copy) and ``left_out`` has
    the others, with reasons. ``unsupported`` are guards that no permission expresses.
    """

    changes: tuple[WrittenFile, ...] = ()
    check: bool = False
    unsupported: "tuple[exports_permissions.UnsupportedGuard, ...]" = ()
    text: str = ""
    document: object = None
    files: int = -1
    left_out: tuple[tuple[str, str], ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def is_stale(self) -> bool:
        """True if a checked file is not up to date."""
        return any(change.action == "stale" for change in self.changes)


@bounded()
class Transfer(Operations):
    """Import and export; paths are relative to the caller's folder."""

    def import_(
        self,
        path: Sequence[str],
        *,
        text: str | bytes | None = None,
        format: str = "auto",
        scope: str = "",
        priority: str = "critical",
        dry_run: bool = False,
        allow_secret: bool = False,
    ) -> ImportResult:
        """Import rule files and notes from files, folders and a text.

        ``priority`` is the maximum for an imported rule. A second import changes
        nothing; rules and memories that were changed since are not overwritten. Raises
        ``UsageError``, ``NotFoundError`` and ``StorageError``.
        """
        vault = self._access.write(dry_run=dry_run)
        if format not in ("auto", *kinds.FORMATS):
            raise UsageError(
                f"no format {format!r}{did_you_mean(format, kinds.FORMATS)} "
                f"(there are auto, {', '.join(kinds.FORMATS)})"
            )
        sources = _sources(self._access, path, text, format)
        request = import_files.ImportRequest(
            self._access.target(vault, scope),
            format,
            rule_words.priority_of(priority),
            dry_run,
            allow_secret,
        )
        remarks = new_names.remarks_on_names(vault, request.scope)
        imported = _imported(self._access, vault, sources.files, request)
        left_out = tuple(sources.left_out)
        return ImportResult(imported, request.scope, dry_run, left_out, remarks)

    def export(
        self,
        target: str,
        *,
        output: str = "",
        permissions: bool = True,
        check: bool = False,
        private: bool = False,
    ) -> ExportResult:
        """Write our section into the file of a program, or make a copy (``json``).

        ``output`` is that file or the project's folder (default: this folder; a copy is
        returned); with ``-`` nothing is written, and ``.text`` is the content.
        ``check`` only reports stale files. A copy has private memories only with
        ``private``, which is for people. Raises ``UsageError``, ``InvalidFileError``
        and ``StorageError``.
        """
        if private and target != "json":
            raise UsageError(
                Arg("private"), " is for `export json`, others have rules only"
            )
        if output != "-" and not check and (output or target != "json"):
            self._access.require_writable()
        vault = self._access.read()
        if target == "json":
            return _copy(self._access, vault, output, check=check, private=private)
        export_agents.target_of(target)
        folder, file = (
            (self._access.cwd, None) if output == "-" else _place(self._access, output)
        )
        is_stream = file is not None and outside.is_stream(file)
        if output == "-" or is_stream:
            return _section(self._access, vault, target, file, check=check)
        plan = export_agents.plan_export(
            vault, target, folder, file=file, permissions=permissions
        )
        if not check:
            export_agents.write_export(plan)
        changes = tuple(
            _written(self._access, change, check) for change in plan.changes
        )
        return ExportResult(
            changes, check, plan.unsupported, remarks=tuple(plan.block.remarks)
        )


def _sources(
    access: Access, paths: Sequence[str], text: str | bytes | None, format: str
) -> "sources_.ImportSources":
    """Return the sources named; a given text is a file without a name."""
    named = [access.file(path) for path in paths]
    sources = sources_.find_sources(named, access.cwd, every=format in kinds.NOTES)
    if text is None:
        return sources
    data = text.encode() if isinstance(text, str) else text
    return sources._replace(files=(*sources.files, sources_.given_source(data)))


def _imported(
    access: Access,
    vault: Vault,
    files: "tuple[sources_.ImportSource, ...]",
    request: "import_files.ImportRequest",
) -> "import_files.ImportSummary":
    """Import a vault's copy by itself, everything else file by file."""
    if len(files) == 1:
        source = files[0]
        sniffed = request.format == "auto" and _is_copy(source)
        if sniffed or request.format == "json":
            access.whole()  # a copy has files of every scope
            return vault_copy.import_vault(
                vault,
                sources_.read_source(source, exact=True),
                source.name,
                dry_run=request.dry_run,
                allow_secret=request.allow_secret,
            )
    return import_files.import_files(vault, files, request)


def _is_copy(source: "sources_.ImportSource") -> bool:
    if source.local.rpartition(".")[2] not in ("json", sources_.STDIN):
        return False
    try:
        return kinds.format_of(source.local, sources_.read_source(source)) == "json"
    except UsageError:
        return False


def _section(
    access: Access, vault: Vault, target: str, stream: Path | None, *, check: bool
) -> ExportResult:
    """Return our section of a file, or write it into a device or pipe."""
    text = export_agents.section_text(vault, target)
    remarks = tuple(new_names.unknown_scopes(vault))
    if stream is None:
        return ExportResult(text=text, remarks=remarks)
    change = export_agents.FileChange(stream, None, text)
    if not check:
        outside.write_text(stream, text)
    return ExportResult((_written(access, change, check),), check, remarks=remarks)


def _place(access: Access, output: str) -> tuple[Path, Path | None]:
    """Return the project's folder, and the file if one is named."""
    path = access.output(output)
    if not output or path.is_dir() or output.endswith("/"):
        return path, None
    return access.cwd, path


def _written(
    access: Access, change: "export_agents.FileChange", check: bool
) -> WrittenFile:
    path, cwd = change.path, access.cwd
    shown = str(path.relative_to(cwd) if path.is_relative_to(cwd) else path)
    if not change.stale:
        return WrittenFile(shown, "unchanged")
    if check:
        return WrittenFile(shown, "stale")
    return WrittenFile(shown, "created" if change.before is None else "updated")


def _copy(
    access: Access, vault: Vault, output: str, *, check: bool, private: bool
) -> ExportResult:
    """Return a copy of the vault, or of the scopes of the requested project."""
    path = access.output(output)
    scopes = [scope for scope in vault.chain if scope.kind not in ("agent", "system")]
    narrow = access.bounds.narrow
    if narrow and not scopes:
        raise NotAllowedError(
            "exporting the whole vault is for people, not for an agent"
        )
    asked = scopes if narrow or access.flags.get("project") else ()
    place = _within(vault, path)
    copy = vault_copy.export_vault(vault, asked, place, private=private)
    remarks = tuple(new_names.unknown_scopes(vault)) if access.asked else ()
    if output in _STREAM:
        if check:
            raise UsageError(Arg("check"), " needs the file to compare with: -o FILE")
        return ExportResult(
            document=copy.document,
            files=copy.files,
            left_out=tuple(copy.left_out),
            remarks=remarks,
        )
    if path.is_dir():
        raise UsageError(f"{output} is a folder: name the file")
    after = json_text(copy.document) + "\n"
    before = None if outside.is_stream(path) else outside.read_text(path)
    change = export_agents.FileChange(path, before, after)
    if change.stale and not check:
        outside.write_text(path, change.after)
    return ExportResult(
        (_written(access, change, check),),
        check,
        files=copy.files,
        left_out=tuple(copy.left_out),
        remarks=remarks,
    )


def _within(vault: Vault, path: Path) -> str:
    """Return the path of a file in the vault; empty for one elsewhere."""
    root, resolved = vault.root.resolve(), path.resolve()
    inside = resolved.is_relative_to(root)
    return resolved.relative_to(root).as_posix() if inside else ""
