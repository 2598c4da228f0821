"""Teaching git about the vault: its merge and diff drivers, in and out again."""

from typing import NamedTuple

from toolmem.ops.history.diff import repo_of
from toolmem.ops.setup.activation import InstallPlaces
from toolmem.ops.setup.agent_install import status
from toolmem.store.files import lock
from toolmem.store.files.layout import WORKFLOW
from toolmem.store.git import config as gitsetup
from toolmem.store.git.health import untracked
from toolmem.store.git.repo import Repo
from toolmem.store.vault.pointer import POINTER_FILE
from toolmem.store.vault.vault import Vault


class GitSetup(NamedTuple):
    """Parts of toolmem in a clone: drivers, their program, and attributes.

    ``state`` is ``installed``, ``partly`` or ``no``; ``changed`` says whether
    anything was written.
    """

    state: str
    merge_driver: bool
    diff_driver: bool
    attributes: bool
    program: str
    changed: bool = False


def git_install(vault: Vault, program: str) -> GitSetup:
    """Set up the drivers in the clone, and the vault's ``.gitattributes``.

    ``program`` is how git's shell calls toolmem. Raises ``NotFoundError`` without a
    repository.
    """
    vault.require_writable()
    repo = repo_of(vault)
    wanted = gitsetup.settings_for(program)
    changed = gitsetup.read_settings(repo) != dict(wanted)
    if changed:
        gitsetup.write_settings(repo, wanted)
    with lock.hold(vault.root):
        changed |= gitsetup.write_attributes(vault.root)
    return git_status(vault)._replace(changed=changed)


def git_uninstall(vault: Vault) -> GitSetup:
    """Take both out again; other settings and attributes stay."""
    vault.require_writable()
    repo = repo_of(vault)
    changed = bool(gitsetup.read_settings(repo))
    gitsetup.drop_settings(repo)
    with lock.hold(vault.root):
        changed |= gitsetup.drop_attributes(vault.root)
    return git_status(vault)._replace(changed=changed)


def git_status(vault: Vault) -> GitSetup:
    """Return what is set up in this clone."""
    settings = gitsetup.read_settings(repo_of(vault))
    driver = settings.get(f"merge.{gitsetup.DRIVER}.driver", "")
    merge, diff = bool(driver), f"diff.{gitsetup.DRIVER}.command" in settings
    attributes = gitsetup.has_attributes(vault.root)
    there = (merge, diff, attributes)
    state = "installed" if all(there) else "partly" if any(there) else "no"
    return GitSetup(state, *there, driver.partition(" git merge-driver")[0])


def uncommitted_files(repo: Repo) -> tuple[str, ...]:
    """Return the pointer, the workflow and the settings with hooks that git has not
    got yet, as paths below the top of the repository.

    Files that git ignores are left out.
    """
    installed = [
        wiring.path.relative_to(repo.top).as_posix()
        for wiring in status(InstallPlaces.of(repo.top))
        if wiring.place == "project" and wiring.state in ("installed", "partly")
    ]
    workflow = (WORKFLOW,) if repo.prefix else ()
    return untracked(repo.top, (POINTER_FILE, *workflow, *installed))
