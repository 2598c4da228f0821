"""Doctor: everything that may be wrong, each with its cure; and the cures it knows.

Looking changes nothing. A fix puts what it changes or takes away into
``.toolmem/backup/`` first, and finds nothing to do the second time.
"""

import shlex
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from toolmem.core.finding import AREAS, Finding
from toolmem.errors import StorageError, ToolmemError
from toolmem.ops.doctor.git import git
from toolmem.ops.doctor.hooks import hooks
from toolmem.ops.doctor.installation import ProgramLocation, for_vault, installation
from toolmem.ops.doctor.local_state import index, state
from toolmem.ops.doctor.vault import clock, disk, unopened, vault_files
from toolmem.ops.setup import agent_install
from toolmem.ops.setup.activation import InstallPlaces
from toolmem.ops.setup.git_setup import git_install
from toolmem.store.files import layout, lock, private, probe
from toolmem.store.git.repo import Repo
from toolmem.store.state.database import open_state
from toolmem.store.vault.library import index_of
from toolmem.store.vault.vault import Vault

_FOLDER_MODE = 0o700


class DoctorContext(NamedTuple):
    """Places outside the vault that doctor checks."""

    place: ProgramLocation
    agents: InstallPlaces


class FixResult(NamedTuple):
    """A finding and what became of it: ``fixed``, or why not; where the backup is."""

    finding: Finding
    result: str
    backup: str = ""


def examine(
    vault: Vault | ToolmemError, around: DoctorContext, *, deep: bool = False
) -> tuple[Finding, ...]:
    """All findings, by area, path and code.

    ``vault`` is the error where none can be opened: the rest is looked at all the
    same. ``deep`` reads more: every page of the database, git's objects, secrets.
    """
    findings = list(installation(around.place))
    if isinstance(vault, ToolmemError):
        findings.append(unopened(vault))
    else:
        findings += for_vault(vault)
        findings += vault_files(vault, deep=deep)
        findings += [*index(vault), *state(vault, deep=deep)]
        findings += git(vault, deep=deep)
        findings += [*clock(vault), *disk(vault, probe.mounts())]
        findings += hooks(around.agents, vault.now)
    return _ordered(findings)


def _ordered(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(set(findings), key=lambda f: (AREAS.index(f.area), f[1:])))


def fix(
    vault: Vault, findings: Iterable[Finding], around: DoctorContext
) -> tuple[FixResult, ...]:
    """Cure what can be cured; a cure that fails says why, and others go on."""
    done = []
    for finding in findings:
        way = _WAYS.get(finding.code)
        if not finding.fixable or way is None:
            continue
        backup = _backup_folder(vault)
        try:
            way(_Case(vault, finding, around, backup))
            done.append(FixResult(finding, "fixed", _stored(vault, backup)))
        except (OSError, ToolmemError) as error:
            done.append(
                FixResult(finding, f"not fixed: {error}", _stored(vault, backup))
            )
    return tuple(done)


class _Case(NamedTuple):
    vault: Vault
    finding: Finding
    around: DoctorContext
    backup: Path

    @property
    def path(self) -> Path:
        """The file that the finding is about."""
        return self.vault.root / self.finding.path

    def keep(self, path: Path) -> None:
        """Copy a file to the backup, if it is there."""
        with suppress(FileNotFoundError):
            private.make_folder(self.backup)
            shutil.copy2(path, _free(self.backup / path.name), follow_symlinks=False)


def _backup_folder(vault: Vault) -> Path:
    lock.prepare_state(vault.root)
    stamp = vault.now.strftime("%Y%m%dT%H%M%SZ")
    return vault.root / layout.STATE / "backup" / stamp


def _free(path: Path) -> Path:
    number = 1
    target = path
    while target.exists():
        number += 1
        target = path.with_name(f"{path.name}.{number}")
    return target


def _stored(vault: Vault, folder: Path) -> str:
    if not folder.is_dir():
        return ""
    return folder.relative_to(vault.root).as_posix()


def _temporary(case: _Case) -> None:
    with lock.hold(case.vault.root):
        case.keep(case.path)
        case.path.unlink()


def _rebuild(case: _Case) -> None:
    """The index holds nothing that the files do not: no copy is kept."""
    index_of(case.vault).rebuild()


def _close_state(case: _Case) -> None:
    case.path.chmod(_FOLDER_MODE)


def _ignore_state(case: _Case) -> None:
    if case.path.is_dir() or case.path.is_symlink():
        raise StorageError(f"{case.finding.path}: is not a regular file: delete it")
    case.keep(case.path)
    case.path.unlink(missing_ok=True)
    lock.prepare_state(case.vault.root)


def _new_state(case: _Case) -> None:
    """Opening a damaged database moves it aside; a page in its middle shows later."""
    remarks: list[str] = []
    for name in ("", "-wal", "-shm"):
        case.keep(case.path.with_name(case.path.name + name))
    with suppress(StorageError), open_state(case.vault.root, remarks):
        pass
    if not remarks:
        for name in ("", "-wal", "-shm"):
            case.path.with_name(case.path.name + name).unlink(missing_ok=True)
        with open_state(case.vault.root):
            pass


def _move_away(case: _Case) -> None:
    case.keep(case.path)
    case.path.unlink()


def _rewire(case: _Case) -> None:
    """Put the agent's entries in again; its own settings keep every other byte."""
    path = Path(case.finding.path)
    for wiring in _places_of(case, path):
        case.keep(path)
        place, places = wiring.place, case.around.agents
        agent_install.install(wiring.agent, place, places, _no_block, warm=wiring.warm)


def _drivers(case: _Case) -> None:
    """Set the drivers up again, with the toolmem that is on PATH, or this one."""
    case.keep(case.vault.root / ".gitattributes")
    repo = Repo.find(case.vault.root)
    if repo is not None:
        case.keep(repo.top / ".git" / "config")
    environment = case.around.place.environment
    program = shutil.which("toolmem", path=environment.get("PATH"))
    own = f"{shlex.quote(case.around.place.executable.as_posix())} -m toolmem"
    git_install(case.vault, shlex.quote(program) if program else own)


def _places_of(case: _Case, path: Path) -> Iterator[agent_install.InstallStatus]:
    for wiring in agent_install.status(case.around.agents):
        if wiring.path == path and wiring.state == "partly":
            yield wiring


def _no_block() -> str:
    raise StorageError(
        "this agent reads a text file: run `toolmem agent install` for it"
    )


_WAYS: Mapping[str, Callable[[_Case], None]] = {
    "temporary-file": _temporary,
    "index-damaged": _rebuild,
    "index-interrupted": _rebuild,
    "state-open": _close_state,
    "state-not-ignored": _ignore_state,
    "state-damaged": _new_state,
    "journal-old": _move_away,
    "agent-partly": _rewire,
    "driver-missing": _drivers,
    "drivers-partly": _drivers,
}
