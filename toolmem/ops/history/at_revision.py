"""The vault as it was: read from git objects, never from the work tree."""

from toolmem.core.times import is_today
from toolmem.errors import NotFoundError
from toolmem.store.git.repo import Repo, last_moment
from toolmem.store.git.tree import GitTree
from toolmem.store.vault.vault import Vault


def vault_at(vault: Vault, revision: str) -> Vault:
    """The vault at a revision or date.

    Its time is that of the commit, or the date (its end; of today, this moment).
    Raises ``NotFoundError`` for no such revision and where there is no git.
    """
    repo = Repo.find(vault.root)
    if repo is None:
        raise NotFoundError(f"{vault.root} is not in a git repository")
    commit = repo.resolve(revision)
    when = last_moment(revision)
    if when is None:
        when = repo.commit_time(commit)
    elif is_today(revision, vault.now):
        when = vault.now
    return vault.at(GitTree(repo, commit), commit, when)
