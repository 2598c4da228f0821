"""Reading a vault from disk: what is listed, what is read, what is refused."""

import os
import socket
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.errors import InvalidFileError, NoVaultError, ToolmemError
from toolmem.store.files import folders
from toolmem.store.files.tree import DirectoryEntry, DiskTree

LINK = "is a symbolic link, and links inside a vault are not followed"


@pytest.fixture(params=["descriptors", "paths"])
def disk(request, vault, monkeypatch):
    """The vault's tree, with both ways of opening folders."""
    monkeypatch.setattr(folders, "USE_DESCRIPTORS", request.param == "descriptors")
    with DiskTree(vault) as tree:
        yield tree


def refusal(call, *args) -> str:
    with pytest.raises(InvalidFileError) as caught:
        call(*args)
    return str(caught.value)


def test_entries_are_by_name_and_say_what_each_is(vault, disk):
    vault.joinpath("sub").mkdir()
    vault.joinpath("b.md").touch()
    vault.joinpath("a.md").touch()
    vault.joinpath("to").symlink_to("sub")
    os.mkfifo(vault / "pipe")
    assert disk.entries("") == (
        DirectoryEntry("a.md", "file"),
        DirectoryEntry("b.md", "file"),
        DirectoryEntry("pipe", "other"),
        DirectoryEntry("sub", "folder"),
        DirectoryEntry("to", "link"),
    )


def test_a_missing_folder_has_no_entries_and_no_files(disk):
    assert disk.entries("projects/none") == ()
    assert disk.read_all("projects/none", ".toml", 10) == []


def test_a_file_is_read_whole_up_to_the_limit(vault, disk):
    vault.joinpath("a").mkdir()
    vault.joinpath("a/empty.md").touch()
    vault.joinpath("a/ten.md").write_bytes(b"0123456789")
    assert disk.read("a/empty.md", 0) == b""
    assert disk.read("a/ten.md", 10) == b"0123456789"
    assert refusal(disk.read, "a/ten.md", 9) == "a/ten.md: is larger than 9 bytes"


@pytest.mark.parametrize("path", ["no.md", "a/no.md", "no/no.md", "a/file.md/x"])
def test_what_is_not_there_is_not_found(path, vault, disk):
    vault.joinpath("a").mkdir()
    vault.joinpath("a/file.md").touch()
    with pytest.raises(FileNotFoundError):
        disk.read(path, 10)


def make_socket(path):
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(path))


def make_device(path):
    if os.geteuid() != 0:
        pytest.skip("only root makes devices")
    os.mknod(path, 0o20666, os.makedev(1, 5))


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda path: path.symlink_to("/etc/passwd"), LINK),
        (lambda path: path.symlink_to("real.md"), LINK),
        (lambda path: path.symlink_to("x.md"), LINK),
        (lambda path: path.symlink_to("nowhere"), LINK),
        (os.mkfifo, "is not a regular file"),
        (make_socket, "is not a regular file"),
        (make_device, "is not a regular file"),
        (os.mkdir, "is a folder, not a file"),
    ],
)
def test_what_is_no_regular_file_is_refused(make, problem, vault, disk):
    vault.joinpath("real.md").write_bytes(b"real")
    make(vault / "x.md")
    assert refusal(disk.read, "x.md", 100) == f"x.md: {problem}"
    [_, found] = disk.read_all("", ".md", 100)
    assert (found[0], str(found[1])) == ("x.md", f"x.md: {problem}")


def test_no_link_is_followed_on_the_way(vault, disk, tmp_path):
    tmp_path.joinpath("outside").mkdir()
    tmp_path.joinpath("outside/secret.md").write_bytes(b"secret")
    vault.joinpath("to").symlink_to(tmp_path / "outside")
    assert refusal(disk.read, "to/secret.md", 100) == f"to/secret.md: {LINK}"
    assert refusal(disk.entries, "to") == f"to: {LINK}"
    assert refusal(disk.read_all, "to", ".md", 100) == f"to: {LINK}"
    assert refusal(disk.entries, "to/x") == f"to/x: {LINK}"


def test_a_file_in_the_place_of_a_folder_is_refused(vault, disk):
    vault.joinpath("rules").touch()
    assert refusal(disk.entries, "rules") == "rules: is a file, not a folder"


@pytest.mark.parametrize(
    "path",
    [
        *("/etc/passwd", "../x", "a/../x", "./x", "a//x", "a/", "..", "."),
        *("a\0b", "\ud800", ".git/config", "a/.GIT/config", "GIT~1/x", ".git. /x"),
    ],
)
def test_a_path_that_leaves_the_vault_is_refused(path, disk):
    problem = str(ToolmemError(f"{path}: is not a path inside the vault"))
    assert refusal(disk.read, path, 10) == problem
    assert refusal(disk.entries, path) == problem


def test_a_path_without_end_is_refused(disk):
    path = "/".join("a" * 40)
    assert refusal(disk.entries, path) == f"{path}: is more than 32 levels deep"


@examples(
    200,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    deadline=None,
)
@given(path=st.text(alphabet="ab./\\\0é\udcff~", max_size=12))
def test_no_path_leads_out_of_the_vault(path, vault):
    for name in ("a", "b", "a.b"):
        vault.with_name(name).write_bytes(b"outside")
    vault.joinpath("a").mkdir(exist_ok=True)
    vault.joinpath("a", "b").write_bytes(b"inside")
    with DiskTree(vault) as tree:
        try:
            found = tree.read(path, 100)
        except (FileNotFoundError, InvalidFileError):
            return
    assert (path, found) == ("a/b", b"inside")


ODD_NAMES = [
    *("-rf.md", "--help", "a b.md", " lead.md", "trail ", "new\nline.md", "\t.md"),
    *("quote'\".md", "$(x).md", "*.md", "[a].md", "%2e.md", "..md", "...", ".hidden"),
    *("Twin.md", "twin.md", "é.md", "e\u0301.md", "\u202egnp.md", "\u200b.md"),
    *("bad\udcff.md", "\udce9.md", "emoji🦊.md", "con.md", "a:b.md", "back\\slash.md"),
    *("x" * 255, "café" * 50),
]


def test_odd_names_are_listed_once_and_read_back(vault, disk):
    for name in ODD_NAMES:
        vault.joinpath(name).write_bytes(os.fsencode(name))
    listed = [entry.name for entry in disk.entries("")]
    assert listed == sorted(ODD_NAMES)
    assert [disk.read(name, 999) for name in listed] == list(map(os.fsencode, listed))
    everything = [(name, os.fsencode(name)) for name in listed]
    assert disk.read_all("", "", 999) == everything


def test_read_all_takes_only_the_suffix(vault, disk):
    vault.joinpath("r").mkdir()
    for name in ("b.toml", "a.toml", "c.md", "toml"):
        vault.joinpath("r", name).write_bytes(name.encode())
    assert disk.read_all("r", ".toml", 99) == [
        ("r/a.toml", b"a.toml"),
        ("r/b.toml", b"b.toml"),
    ]


def test_the_vault_itself_may_be_reached_through_a_link(vault, tmp_path):
    vault.joinpath("a.md").write_bytes(b"a")
    tmp_path.joinpath("link").symlink_to(vault)
    with DiskTree(tmp_path / "link") as tree:
        assert tree.read("a.md", 9) == b"a"


@pytest.mark.parametrize("make", [lambda path: None, Path.touch])
def test_a_vault_that_is_gone_is_not_an_empty_one(make, disk, tmp_path):
    make(tmp_path / "gone")
    with DiskTree(tmp_path / "gone") as tree:
        for call in (tree.entries, lambda path: tree.read(f"{path}a.md", 9)):
            with pytest.raises(NoVaultError) as caught:
                call("")
            assert str(caught.value) == f"{tmp_path}/gone: no such folder"


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_file_that_may_not_be_read_is_told(vault, disk):
    vault.joinpath("a.md").touch(0o000)
    problem = "a.md: cannot be read: Permission denied"
    assert refusal(disk.read, "a.md", 9) == problem


def test_a_folder_swapped_for_a_link_is_not_followed(vault, tmp_path):
    tmp_path.joinpath("x.md").write_bytes(b"outside")
    vault.joinpath("a").mkdir()
    vault.joinpath("a/x.md").write_bytes(b"inside")
    with DiskTree(vault) as tree:
        assert [entry.name for entry in tree.entries("a")] == ["x.md"]
        vault.joinpath("a").rename(vault / "b")
        vault.joinpath("a").symlink_to(tmp_path)
        assert tree.read("a/x.md", 99) == b"inside"
        tree.close()
        assert refusal(tree.read, "a/x.md", 99) == f"a/x.md: {LINK}"


def test_few_descriptors_serve_many_folders(vault):
    def open_now() -> int:
        return len(list(Path("/dev/fd").iterdir()))

    for number in range(200):
        vault.joinpath(f"m{number}").mkdir()
        vault.joinpath(f"m{number}/a.md").write_bytes(b"%d" % number)
    before = open_now()
    with DiskTree(vault) as tree:
        for number in range(200):
            assert tree.read(f"m{number}/a.md", 9) == b"%d" % number
        assert open_now() <= before + 64
    assert open_now() == before
