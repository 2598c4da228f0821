"""The vault as it was: read from git objects, never from the work tree."""

from toolmem.errors import NotFoundError
from toolmem.store.gitrepo import Repo
from toolmem.store.gittree import GitTree
from toolmem.store.vault import Vault


def vault_at(vault: Vault, revision: str) -> Vault:
    """The vault at a revision or date; its time is that of the commit.

    Raises ``NotFoundError`` for no such revision and where there is no git.
    """
    repo = Repo.find(vault.root)
    if repo is None:
        raise NotFoundError(f"{vault.root} is not in a git repository")
    commit = repo.resolve(revision)
    return vault.at(GitTree(repo, commit), commit, repo.commit_time(commit))
