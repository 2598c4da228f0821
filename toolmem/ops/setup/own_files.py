"""Files outside the vault that set toolmem up in a repository."""

from toolmem.ops.setup.activation import InstallPlaces
from toolmem.ops.setup.agent_install import status
from toolmem.store.files.layout import WORKFLOW
from toolmem.store.git.health import untracked
from toolmem.store.git.repo import Repo
from toolmem.store.vault.pointer import POINTER_FILE


def uncommitted_files(repo: Repo) -> tuple[str, ...]:
    """Return the pointer, the workflow and the settings with hooks that git has not
    got yet, as paths below the top of the repository.

    Files that git ignores are left out.
    """
    installed = [
        one.path.relative_to(repo.top).as_posix()
        for one in status(InstallPlaces.of(repo.top))
        if one.place == "project" and one.state in ("installed", "partly")
    ]
    workflow = (WORKFLOW,) if repo.prefix else ()
    return untracked(repo.top, (POINTER_FILE, *workflow, *installed))
