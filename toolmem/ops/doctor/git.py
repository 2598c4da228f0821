"""Doctor: the git repository that a vault is in."""

import shlex
import shutil
from collections.abc import Iterator
from datetime import timedelta

from toolmem.core.finding import Finding
from toolmem.core.shown import counted
from toolmem.errors import StorageError
from toolmem.ops.setup import git_setup
from toolmem.store.git import health as githealth
from toolmem.store.git import run as gitrun
from toolmem.store.git.repo import Repo
from toolmem.store.vault.vault import Vault

_FUTURE = timedelta(days=1)


def git(vault: Vault, *, deep: bool) -> Iterator[Finding]:
    """Check the history: it exists, accepts commits and has sane times."""
    if not gitrun.is_installed():
        return  # reported with the installation
    try:
        repo = Repo.find(vault.root)
        if repo is None:
            message = "the vault is not in a git repository: it has no history"
            yield Finding("git", "no-repository", message, "git init", "note")
            return
        yield from _repository(vault, repo, deep)
    except StorageError as error:
        yield Finding("git", "git-refuses", str(error), "look at it with `git status`")


def _repository(vault: Vault, repo: Repo, deep: bool) -> Iterator[Finding]:
    if not githealth.knows_who(repo):
        message = "git has no name and address for commits here"
        cure = "git config --global user.name NAME, and user.email ADDRESS"
        yield Finding("git", "no-identity", message, cure, "warning")
    if githealth.is_ignored(repo, "toolmem.toml"):
        message = "git ignores the vault: its files are not committed"
        cure = "remove the pattern from .gitignore (`git check-ignore -v toolmem.toml`)"
        yield Finding("git", "vault-ignored", message, cure)
    tracked = githealth.tracked(repo, ".toolmem")
    if tracked:
        files = counted(len(tracked), "file")
        message = f"local state is committed, conversations too: {files}"
        cure = "git rm -r --cached .toolmem, and commit that"
        yield Finding("git", "state-tracked", message, cure, path=".toolmem")
    for path in githealth.unmerged(repo):
        message = "has an unresolved merge"
        cure = "resolve the merge (`git status`), then commit"
        yield Finding("git", "unmerged", message, cure, path=path)
    stale = githealth.stale_lock(repo)
    if stale:
        message = "git's lock is over an hour old: its process has probably ended"
        cure = "make sure that no git command is running here, then delete it"
        yield Finding("git", "git-lock", message, cure, "warning", str(stale))
    yield from _drivers(vault)
    yield from _times(vault, repo)
    if deep:
        for line in githealth.broken_objects(repo):
            cure = "fetch what is missing from another clone"
            yield Finding("git", "git-damaged", line, cure)


def _drivers(vault: Vault) -> Iterator[Finding]:
    """Check the merge drivers that git is configured with."""
    setup = git_setup.git_status(vault)
    cure = "toolmem git install (`toolmem doctor --fix` does it)"
    if setup.merge_driver and not _is_there(setup.program):
        message = f"git's merge driver is {setup.program}, which was not found"
        yield Finding("git", "driver-missing", message, cure, fixable=True)
    elif setup.merge_driver != setup.diff_driver or (
        setup.merge_driver and not setup.attributes
    ):
        message = "git's drivers are only partly set up: merges are line by line"
        yield Finding("git", "drivers-partly", message, cure, "warning", fixable=True)
    elif setup.attributes and not setup.merge_driver:
        message = "this clone has no merge driver yet: merges are line by line"
        yield Finding("git", "no-drivers", message, "toolmem git install", "note")


def _is_there(program: str) -> bool:
    """Return whether the first word of a driver's command line is a program."""
    try:
        words = shlex.split(program)
    except ValueError:
        return False
    return bool(words) and shutil.which(words[0]) is not None


def _times(vault: Vault, repo: Repo) -> Iterator[Finding]:
    head = gitrun.verify(repo.top, "HEAD^{commit}")
    if head is None:
        return
    when = repo.commit_time(head)
    if when > vault.now + _FUTURE:
        message = f"the last commit is of {when.isoformat()}, which is in the future"
        cure = "set the clock of this machine, or of the one that made the commit"
        yield Finding("clock", "commit-of-tomorrow", message, cure, "warning")
