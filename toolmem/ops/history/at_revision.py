"""The vault as it was: read from git objects, never from the work tree."""

from toolmem.errors import NotFoundError
from toolmem.store.git.repo import Repo
from toolmem.store.git.tree import GitTree
from toolmem.store.vault.vault import Vault


def vault_at(vault: Vault, revision: str) -> Vault:
    """The vault at a revision or date; its time is that of the commit.

    Raises ``NotFoundError`` for no such revision and where there is no git.
    """
    repo = Repo.find(vault.root)
    if repo is None:
        raise NotFoundError(f"{vault.root} is not in a git repository")
    commit = repo.resolve(revision)
    return vault.at(GitTree(repo, commit), commit, repo.commit_time(commit))
