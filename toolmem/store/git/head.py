"""The branch that is checked out in a folder, read without running git."""

from pathlib import Path

_BRANCH = "ref: refs/heads/"
_MOST_BYTES = 4096
_MOST_FOLDERS = 64


def checked_out(folder: str) -> str:
    """Return the branch of the work tree around a folder; empty if none is known."""
    path = Path(folder)
    for above in (path, *path.parents)[:_MOST_FOLDERS]:
        git = above / ".git"
        if git.exists():
            return _branch(above, git)
    return ""


def _branch(folder: Path, git: Path) -> str:
    try:
        if git.is_file():  # a linked work tree, or a submodule
            target = _text(git).removeprefix("gitdir:").strip()
            git = folder / target
        head = _text(git / "HEAD")
    except OSError:
        return ""
    return head.removeprefix(_BRANCH).strip() if head.startswith(_BRANCH) else ""


def _text(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(_MOST_BYTES).decode("utf-8", "replace")
