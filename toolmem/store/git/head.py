"""Read the branch that is checked out in a folder, without running git."""

from pathlib import Path

from toolmem.core.guard import contacts

_BRANCH = "ref: refs/heads/"
_ELSEWHERE = ".invalid"
"""Branch in ``HEAD`` if git stores its references in tables."""
_MOST_BYTES = 4096
_MOST_CONFIG_BYTES = 65536
_MOST_FOLDERS = 64
_MARKS = (".git", ".toolmem.toml", "toolmem.toml")
"""Names that the top folder of a project has."""


def checked_out(folder: str) -> str | None:
    """Return the branch of the work tree around a folder.

    Empty without a work tree or branch; None if unknown.
    """
    path = Path(folder)
    if not path.is_absolute():
        return None
    for above in (path, *path.parents)[:_MOST_FOLDERS]:
        git = above / ".git"
        if git.exists():
            return _branch(above, git)
    return ""


def work_tree(folder: str) -> str:
    """Return the work tree or vault's pointer around a folder, else the folder."""
    path = Path(folder)
    for above in (path, *path.parents)[:_MOST_FOLDERS] if path.is_absolute() else ():
        if any((above / name).exists() for name in _MARKS):
            return str(above)
    return folder


def _branch(folder: Path, git: Path) -> str | None:
    try:
        if git.is_file():  # a linked work tree, or a submodule
            target = _text(git).removeprefix("gitdir:").strip()
            git = folder / target
        head = _text(git / "HEAD")
    except OSError:
        return None
    branch = head.removeprefix(_BRANCH).strip() if head.startswith(_BRANCH) else ""
    return None if branch == _ELSEWHERE else branch


def _text(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(_MOST_BYTES).decode("utf-8", "replace")


def remotes(folder: str) -> dict[str, str] | None:
    """Return the addresses of the remotes of the work tree around a folder.

    Empty without a work tree; None if they cannot be read.
    """
    path = Path(folder)
    for above in (path, *path.parents)[:_MOST_FOLDERS]:
        git = above / ".git"
        if git.is_dir():
            try:
                with (git / "config").open("rb") as file:
                    text = file.read(_MOST_CONFIG_BYTES).decode("utf-8", "replace")
            except OSError:
                return None
            return contacts.remotes_of(text)
        if git.exists():
            return None
    return {}
