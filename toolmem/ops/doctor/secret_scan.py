"""Credentials in a vault: in its files as they are, and in all that git still has."""

from collections.abc import Container, Iterator

from toolmem.core import limits
from toolmem.core.model import Problem
from toolmem.core.secrets.detect import find_secrets
from toolmem.core.visibility import Audience
from toolmem.errors import InvalidFileError, NotFoundError, StorageError
from toolmem.store.files import layout
from toolmem.store.files.tree import DiskTree
from toolmem.store.files.walk import walk
from toolmem.store.git.log import old_files
from toolmem.store.git.repo import Repo
from toolmem.store.vault.vault import Vault
from toolmem.store.vault.visible_tree import PrivateIds

_COMMIT_SHOWN = 8


def scan_files(vault: Vault) -> tuple[Problem, ...]:
    """A problem for each credential in the vault's files; it never says the value."""
    top = (e.name for e in vault.tree.entries("") if e.kind == "file")
    paths = [*top, *(f.path for f in walk(vault.tree) if not isinstance(f, Problem))]
    return tuple(problem for path in paths for problem in _in_file(vault, path))


def scan_history(vault: Vault) -> tuple[Problem, ...]:
    """A problem for each credential in what git has of the vault, by commit.

    The current files are reported by ``scan_files`` and reported here
    again. Raises ``NotFoundError`` without git and ``StorageError``.
    """
    repo = Repo.find(vault.root)
    if repo is None:
        raise NotFoundError(f"{vault.root} is not in a git repository")
    problems: list[Problem] = []
    hidden = _hidden(vault)
    for commit, path, data in old_files(repo):
        if path.rpartition("/")[2].partition(".")[0] in hidden:
            continue
        if data is None or path.startswith(f"{layout.STATE}/"):
            continue
        for problem in _in_text(path, data.decode("utf-8", "replace")):
            message = f"{problem.message}, since commit {commit[:_COMMIT_SHOWN]}"
            problems.append(problem._replace(code="secret-in-history", message=message))
    return tuple(problems)


def _hidden(vault: Vault) -> Container[str]:
    """The ids of memories that the vault's audience may not know of."""
    if vault.audience is Audience.PERSON:
        return frozenset()
    return PrivateIds(DiskTree(vault.root))


def _in_file(vault: Vault, path: str) -> Iterator[Problem]:
    try:
        data = vault.tree.read(path, limits.TEXT_FILE_BYTES)
    except (FileNotFoundError, InvalidFileError, StorageError):
        return  # reported by check itself
    yield from _in_text(path, data.decode("utf-8", "replace"))


def _in_text(path: str, text: str) -> Iterator[Problem]:
    for secret in find_secrets(text):
        line = text.count("\n", 0, secret.start) + 1
        column = secret.start - text.rfind("\n", 0, secret.start)
        message = f"a secret ({secret.kind}) at column {column}"
        yield Problem(path, line, "secret", message)
