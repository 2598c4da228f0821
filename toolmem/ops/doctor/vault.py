"""Doctor: the vault's files, the disk that they lie on, and the clock."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta

from toolmem.core import limits
from toolmem.core.finding import Finding
from toolmem.errors import InvalidFileError, StorageError, ToolmemError
from toolmem.ops.doctor import secret_scan
from toolmem.ops.doctor.check import check_vault
from toolmem.ops.memories.restore import files_in, unmarked
from toolmem.store.files import durable, layout, probe
from toolmem.store.files.walk import kind_of
from toolmem.store.vault.memory_files import every_memory
from toolmem.store.vault.vault import Vault, decode

_FREE_BYTES = 50 * 1024 * 1024
_FUTURE = timedelta(days=1)
_EARLIEST = 2024
_SHOWN = 3
_SYNC = "set the computer's clock (or let it be set over the network)"


def vault_files(vault: Vault, *, deep: bool) -> Iterator[Finding]:
    """Findings of ``check``, and those that involve several files."""
    report = check_vault(vault)
    if deep:
        report = report.with_more(secret_scan.scan_files(vault))
    for problem in report.problems:
        if problem.severity != "note":
            where = f"line {problem.line}: " if problem.line else ""
            yield Finding(
                "vault",
                problem.code,
                f"{where}{problem.message}",
                "edit the file (`toolmem check` lists all of them)",
                problem.severity,
                problem.path,
            )
    yield from _same_ids(vault)
    yield from _left_in_both(vault)
    for path in durable.old_ones(vault.root):
        yield Finding(
            "vault",
            "temporary-file",
            "left behind by a write that was interrupted",
            "toolmem doctor --fix moves it away",
            "warning",
            path,
            fixable=True,
        )


def _same_ids(vault: Vault) -> Iterator[Finding]:
    seen: dict[str, str] = {}
    for memory in every_memory(vault):
        known = seen.setdefault(memory.id, memory.path)
        if known != memory.path:
            yield Finding(
                "vault",
                "memory-twice",
                f"{known} has the same name, which is used as memory id",
                "rename one of the files",
                "warning",
                memory.path,
            )


def _left_in_both(vault: Vault) -> Iterator[Finding]:
    """Files that a move to the archive, cut off, left in both places."""
    try:
        archived_paths = list(files_in(vault.tree, layout.ARCHIVE))
    except (InvalidFileError, StorageError):
        return  # a link in its place, which check reports
    for path in archived_paths:
        live = path.removeprefix(f"{layout.ARCHIVE}/")
        kind = kind_of(live)
        if kind not in ("rule", "memory"):
            continue
        with suppress(InvalidFileError, FileNotFoundError):
            text = decode(vault.tree.read(live, limits.TEXT_FILE_BYTES), live)
            archived = decode(vault.tree.read(path, limits.TEXT_FILE_BYTES), path)
            if unmarked(archived, path, kind) == text:
                yield Finding(
                    "vault",
                    "in-archive-too",
                    f"{path} has the same content: an archive or restore was "
                    "interrupted",
                    f"delete {live} to archive it, or to restore it {path}",
                    "warning",
                    live,
                )


_CURES = {
    "read-only": "check the permissions of the folder, and how the disk is mounted",
    "no-flush": "keep the vault on a local disk",
    "no-links": "keep the vault on a disk with hard links (not FAT)",
    "no-rename": "keep the vault on a local disk",
    "no-locks": "keep the vault on a local disk: two writers at once may lose work",
}


def disk(vault: Vault, mounts: str) -> Iterator[Finding]:
    """Check the abilities of the disk; ``mounts`` is the table of file systems."""
    for trouble in probe.trials(vault.root):
        cure = _CURES[trouble.what]
        severity = "warning" if trouble.what == "no-links" else "error"
        yield Finding("files", trouble.what, trouble.message, cure, severity)
    with suppress(OSError):
        free = probe.free_bytes(vault.root)
        if free < _FREE_BYTES:
            message = f"only {free // 1024} KiB are free"
            yield Finding("files", "disk-full", message, "free some space", "warning")
    kind = probe.network_kind(vault.root, mounts)
    if kind:
        yield Finding(
            "files",
            "network-disk",
            f"the vault is on a network file system ({kind})",
            "clone it to a local disk: the state database needs reliable locks",
            "warning",
        )


def clock(vault: Vault) -> Iterator[Finding]:
    """Check the clock, and that no file is from the future."""
    if vault.now.year < _EARLIEST:
        message = f"it is {vault.now.isoformat()} here: the clock is wrong"
        yield Finding("clock", "clock-behind", message, _SYNC)
        return
    future = probe.from_the_future(vault.root, (vault.now + _FUTURE).timestamp())
    late = [path for path in future if vault.tree.shows(path)]
    if late:
        more = f" and {len(late) - _SHOWN} more" if len(late) > _SHOWN else ""
        message = f"changed more than a day from now: {', '.join(late[:_SHOWN])}{more}"
        cure = f"{_SYNC}, then `touch` the files"
        yield Finding("clock", "file-of-tomorrow", message, cure, "warning", late[0])


def unopened(error: ToolmemError) -> Finding:
    """The finding for a vault that cannot be opened at all."""
    cure = "`toolmem init` makes a new vault"
    if isinstance(error, InvalidFileError):
        cure = "edit the file; until then the vault is not read"
    elif isinstance(error, StorageError):
        cure = "check the permissions of the folder and of its parents"
    return Finding("vault", error.code, str(error), cure)
