"""A tiny program that commits: ``committer.py VAULT PATH``."""

import sys
from pathlib import Path

from tests.faults.driver import say
from toolmem.store.git import repo as gitrepo
from toolmem.store.git.tree import GitTree


def main(place: str, path: str) -> None:
    """Commit one file and read it back from the commit."""
    repo = gitrepo.init(Path(place))
    made = repo.commit_paths((path,), "changed")
    with GitTree(repo, repo.resolve("HEAD")) as tree:
        tree.read(path, 1 << 16)
    say(", ".join(found.subject for found in repo.log(path, 9) if found.id == made))


if __name__ == "__main__":
    main(*sys.argv[1:])
