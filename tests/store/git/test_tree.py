"""Reading a vault from a commit: the same answers as from disk."""

import os

import pytest

from tests.store.conftest import Git
from tests.store.files.test_tree import LINK, ODD_NAMES, refusal
from toolmem.errors import InvalidFileError, NotFoundError, NoVaultError, StorageError
from toolmem.store.files.tree import DirectoryEntry, DiskTree, Tree
from toolmem.store.git.repo import Repo
from toolmem.store.git.tree import GitTree


def committed(git: Git) -> str:
    """Commit everything; the id."""
    git("add", "--all")
    git("commit", "-qm", "x")
    return git("rev-parse", "HEAD")


def everything(tree: Tree, folder: str = "") -> list[object]:
    """All that a tree says of a folder and what is below it."""
    found: list[object] = [
        (folder, tree.entries(folder), known(tree.read_all(folder, "", 99)))
    ]
    for entry in tree.entries(folder):
        if entry.kind == "folder":
            place = f"{folder}/{entry.name}" if folder else entry.name
            found += everything(tree, place)
    return found


def known(files: list[tuple[str, bytes | InvalidFileError]]) -> list[object]:
    """The files with their errors as text, to be compared."""
    return [(p, data if isinstance(data, bytes) else str(data)) for p, data in files]


def test_git_answers_as_the_disk_does(git, vault):
    vault.joinpath("system/rules/shell").mkdir(parents=True)
    for number in range(120):
        vault.joinpath(f"system/rules/shell/r{number}.toml").write_text("x" * number)
    vault.joinpath("to").symlink_to("system")
    vault.joinpath("empty.md").touch()
    for name in ODD_NAMES:
        vault.joinpath(name).write_bytes(os.fsencode(name)[:90])
    commit = committed(git)
    vault.joinpath(".git").rename(vault.with_name("git"))
    with DiskTree(vault) as disk:
        wanted = everything(disk)
    vault.with_name("git").rename(vault / ".git")
    with GitTree(Repo(vault), commit) as tree:
        assert everything(tree) == wanted
        for path in ("empty.md", "system/rules/shell/r7.toml", *ODD_NAMES):
            assert tree.read(path, 99) == vault.joinpath(path).read_bytes()[:99]


def test_what_is_missing_or_refused_is_so_as_on_disk(git, vault):
    vault.joinpath("a").mkdir()
    vault.joinpath("a/ten.md").write_bytes(b"0123456789")
    vault.joinpath("to").symlink_to("a")
    commit = committed(git)

    def answers(tree: Tree) -> list[tuple[str, object]]:
        found: list[tuple[str, object]] = []
        for path in ("to", "to/x", "a/ten.md", "a/ten.md/x", "no", "../x", ".git", ""):
            for call in (
                tree.entries,
                lambda path: tree.read(path, 9),
                lambda path: known(tree.read_all(path, "", 9)),
            ):
                try:
                    found.append((path, call(path)))
                except (FileNotFoundError, InvalidFileError) as error:
                    found.append((path, str(error)))
        return found

    with DiskTree(vault) as disk, GitTree(Repo(vault), commit) as tree:
        on_disk = answers(disk)
        in_git = answers(tree)
    vaults = [(path, answer) for path, answer in on_disk if path]
    assert [(path, answer) for path, answer in in_git if path] == vaults
    assert ("to", f"to: {LINK}") in vaults


def test_a_commit_shows_what_was_not_what_is(git, vault):
    vault.joinpath("a.md").write_text("then")
    commit = committed(git)
    vault.joinpath("a.md").write_text("now")
    committed(git)
    with GitTree(Repo(vault), commit) as tree:
        assert tree.read("a.md", 99) == b"then"


def test_a_vault_inside_a_repository_is_read_alone(git, vault):
    for name in ("team/rules/a.toml", "team2/b.toml", "c.toml"):
        vault.joinpath(name).parent.mkdir(parents=True, exist_ok=True)
        vault.joinpath(name).write_text(name)
    commit = committed(git)
    repo = Repo.find(vault / "team")
    assert repo is not None
    for prefix in (None, "team"):
        with GitTree(repo, commit, prefix) as tree:
            assert tree.entries("") == (DirectoryEntry("rules", "folder"),)
            assert tree.read("rules/a.toml", 99) == b"team/rules/a.toml"


def test_a_commit_without_the_vault_is_not_an_empty_vault(git, vault):
    vault.joinpath("a.md").touch()
    commit = committed(git)
    tree = GitTree(Repo(vault, "team"), commit)
    with pytest.raises(NoVaultError) as caught:
        tree.entries("")
    assert str(caught.value) == f"commit {commit[:8]} contains no vault"


@pytest.mark.parametrize("commit", ["HEAD", "--all", "", "main"])
def test_only_ids_are_read(commit, vault):
    with pytest.raises(NotFoundError):
        GitTree(Repo(vault), commit)


def test_a_commit_that_is_not_there_is_an_error(git, vault):
    with GitTree(Repo(vault), "1" * 40) as tree, pytest.raises(StorageError):
        tree.entries("")


def test_a_large_file_does_not_spoil_the_next(git, vault):
    vault.joinpath("a.md").write_bytes(b"x" * 300_000)
    vault.joinpath("b.md").write_bytes(b"small")
    vault.joinpath("c.md").write_bytes(b"y" * 300_000)
    commit = committed(git)
    with GitTree(Repo(vault), commit) as tree:
        assert known(tree.read_all("", ".md", 299_999)) == [
            ("a.md", "a.md: is larger than 299999 bytes"),
            ("b.md", b"small"),
            ("c.md", "c.md: is larger than 299999 bytes"),
        ]
        assert tree.read("c.md", 300_000) == b"y" * 300_000


def test_a_submodule_is_neither_file_nor_folder(git, vault):
    git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},sub.md")
    git("commit", "-qm", "sub")
    with GitTree(Repo(vault), git("rev-parse", "HEAD")) as tree:
        assert tree.entries("") == (DirectoryEntry("sub.md", "other"),)
        problem = "sub.md: is not a regular file"
        assert refusal(tree.read, "sub.md", 9) == problem
        assert known(tree.read_all("", ".md", 9)) == [("sub.md", problem)]
        assert refusal(tree.entries, "sub.md") == "sub.md: is a file, not a folder"


def test_a_file_whose_content_is_missing_is_told(git, vault):
    for name in ("a.md", "b.md"):
        vault.joinpath(name).write_text(name)
    commit = committed(git)
    blob = git("rev-parse", "HEAD:a.md")
    vault.joinpath(".git/objects", blob[:2], blob[2:]).unlink()
    with GitTree(Repo(vault), commit) as tree:
        assert known(tree.read_all("", ".md", 9)) == [
            ("a.md", "a.md: is not in this clone: run `git fetch`"),
            ("b.md", b"b.md"),
        ]


def test_a_hand_made_tree_hides_what_no_disk_can_hold(git, vault):
    blob = git("hash-object", "-w", "--stdin", stdin="x")
    raw = bytes.fromhex(blob)
    names = [b".", b"..", b".git", b"a/../../b", b"/etc/passwd", b"a\\b", b"ok.md"]
    data = b"".join(b"100644 " + name + b"\0" + raw for name in names)
    vault.joinpath("tree").write_bytes(data)
    how = ("-t", "tree", "-w", "--literally", "tree")
    tree_id = git("hash-object", *how)
    git("update-ref", "HEAD", git("commit-tree", "-m", "x", tree_id))
    with GitTree(Repo(vault), git("rev-parse", "HEAD")) as tree:
        names_left = [entry.name for entry in tree.entries("")]
        assert names_left == ["a\\b", "ok.md"]
        assert tree.read("ok.md", 9) == b"x"


def test_the_git_process_is_one_and_ends(git, vault):
    vault.joinpath("a.md").write_text("a")
    commit = committed(git)
    tree = GitTree(Repo(vault), commit)
    assert tree.read("a.md", 9) == b"a"
    process = tree._blobs._process
    assert process is not None
    assert tree.read("a.md", 9) == b"a"
    assert tree._blobs._process is process
    process.kill()
    process.wait()
    with pytest.raises(StorageError):
        tree.read("a.md", 9)
    assert tree.read("a.md", 9) == b"a"
    tree.close()
    assert tree._blobs._process is None
