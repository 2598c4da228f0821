"""Making a vault: files that were not there, in a repository that may be new."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from toolmem.errors import ExistsError, StorageError
from toolmem.store.files import files
from toolmem.store.files.layout import SETTINGS
from toolmem.store.files.settings import SCHEMA
from toolmem.store.git import repo as gitrepo
from toolmem.store.git import run as gitrun
from toolmem.store.git.repo import Repo
from toolmem.store.state import message_queue
from toolmem.store.vault.template import template_files

# What a folder may well have already, and keeps.
_MAY_STAY = ("README.md", ".gitignore")


@dataclass(frozen=True, slots=True)
class InitResult:
    """A new vault: ``git`` is ``created``, ``inside`` (a repository) or ``missing``."""

    root: Path
    created: tuple[str, ...]
    kept: tuple[str, ...]
    git: str


def init_vault(path: Path, *, empty: bool = False) -> InitResult:
    """Make a vault in a folder, which is made too if it is missing.

    Never overwrites: raises ``ExistsError`` where there is a vault or a file in
    the way, before anything is written.
    """
    if (path / SETTINGS).exists():
        raise ExistsError(f"{path} is a vault already ({SETTINGS} is there)")
    wanted = dict(_empty_files() if empty else template_files())
    there = [name for name in wanted if (path / name).exists()]
    in_the_way = [name for name in there if name not in _MAY_STAY]
    if in_the_way:
        raise ExistsError(
            f"{path} already has {', '.join(in_the_way[:3])}: nothing was written; "
            "choose another folder, or use --empty"
        )
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"{path}: {error.strerror}") from error
    root = path.resolve()
    # The marker comes last: without it a half-made folder is no vault.
    names = sorted(set(wanted) - set(there), key=lambda n: (n == SETTINGS, n))
    git = _repository(root)
    for name in names:
        files.create(root, name, wanted[name])
    message_queue.prepare_reserve(root)
    return InitResult(root, tuple(names), tuple(there), git)


def fresh_files() -> dict[str, tuple[bytes, ...]]:
    """What each file of a new vault may hold, by path."""
    found: dict[str, tuple[bytes, ...]] = {}
    for name, data in (*template_files(), *_empty_files()):
        found[name] = (*found.get(name, ()), data)
    return found


def _repository(root: Path) -> str:
    if Repo.find(root) is not None:
        return "inside"
    if not gitrun.is_installed():
        return "missing"
    gitrepo.init(root)
    return "created"


def _empty_files() -> Iterator[tuple[str, bytes]]:
    yield SETTINGS, f"schema = {SCHEMA}\n".encode()
    for name, data in template_files():
        if name == "README.md":
            yield name, data
