"""Writing to a vault: each verb does its one thing, or nothing and says why."""

import os
import stat
import time
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.errors import (
    ExistsError,
    InvalidFileError,
    NoVaultError,
    StorageError,
    ToolmemError,
)
from toolmem.store.files import files, folders

LINK = "is a symbolic link, and links inside a vault are not followed"
RULE = "system/rules/shell/a.toml"
ARCHIVED = "archive/system/rules/shell/a.toml"
CHANGED = "changed since it was read; nothing was written"


@pytest.fixture(autouse=True, params=["descriptors", "paths"])
def _ways(request, monkeypatch):
    monkeypatch.setattr(folders, "USE_DESCRIPTORS", request.param == "descriptors")


def content(vault: Path) -> dict[str, bytes]:
    """Everything below the vault; folders end in a slash."""
    found = {}
    for path in vault.rglob("*"):
        place = path.relative_to(vault).as_posix()
        found[place + "/" * path.is_dir()] = b"" if path.is_dir() else path.read_bytes()
    return found


def written(vault: Path, path: str, data: bytes) -> Path:
    place = vault / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)
    return place


def failure(kind: type[ToolmemError], call, *args) -> str:
    with pytest.raises(kind) as caught:
        call(*args)
    return str(caught.value)


def test_create_makes_the_folders_and_the_file(vault):
    files.create(vault, RULE, b"new")
    assert content(vault) == {
        "system/": b"",
        "system/rules/": b"",
        "system/rules/shell/": b"",
        RULE: b"new",
    }


def test_create_leaves_the_mode_to_the_umask(vault):
    old = os.umask(0o027)
    try:
        files.create(vault, "a.md", b"")
    finally:
        os.umask(old)
    assert stat.S_IMODE(vault.joinpath("a.md").stat().st_mode) == 0o640


def test_create_never_overwrites(vault):
    written(vault, RULE, b"old")
    before = content(vault)
    message = failure(ExistsError, files.create, vault, RULE, b"new")
    assert message == f"{RULE}: already exists"
    assert content(vault) == before


def test_create_takes_a_broken_link_for_taken(vault):
    vault.joinpath("a.md").symlink_to("nowhere")
    message = failure(ExistsError, files.create, vault, "a.md", b"new")
    assert message == "a.md: already exists"


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("to/a.md", LINK),
        ("to/new/a.md", LINK),
        ("file/a.md", "is a file, not a folder"),
        ("../a.md", "is not a path inside the vault"),
        (".git/hooks/post-commit", "is not a path inside the vault"),
        ("", "is not a file inside the vault"),
    ],
)
def test_nothing_is_written_through_links_or_outside(path, problem, vault, tmp_path):
    tmp_path.joinpath("outside").mkdir()
    vault.joinpath("to").symlink_to(tmp_path / "outside")
    vault.joinpath("file").touch()
    before = content(tmp_path)
    for call, args in (
        (files.create, (b"new",)),
        (files.replace, (b"new", b"old")),
        (files.delete, (b"old",)),
        (files.move, ("b.md", b"old")),
    ):
        message = failure(InvalidFileError, call, vault, path, *args)
        assert message == f"{path}: {problem}"
    assert content(tmp_path) == before


def test_replace_writes_the_new_and_keeps_the_mode(vault):
    place = written(vault, RULE, b"old")
    place.chmod(0o604)
    files.replace(vault, RULE, b"new and longer", b"old")
    assert place.read_bytes() == b"new and longer"
    assert stat.S_IMODE(place.stat().st_mode) == 0o604
    assert [path.name for path in place.parent.iterdir()] == ["a.toml"]


@pytest.mark.parametrize("found", [b"", b"odd", b"older", b"ol"])
def test_what_changed_meanwhile_is_kept(found, vault):
    written(vault, RULE, found)
    before = content(vault)
    for call, args in (
        (files.replace, (b"new", b"old")),
        (files.delete, (b"old",)),
        (files.move, (ARCHIVED, b"old", b"new")),
    ):
        message = failure(ExistsError, call, vault, RULE, *args)
        assert message == f"{RULE}: {CHANGED}"
    assert content(vault) == before


def test_what_was_deleted_meanwhile_stays_deleted(vault):
    for call, args in (
        (files.replace, (b"new", b"old")),
        (files.delete, (b"old",)),
        (files.move, (ARCHIVED, b"old")),
    ):
        message = failure(ExistsError, call, vault, RULE, *args)
        assert message == f"{RULE}: was deleted since it was read"
    assert content(vault) == {}


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda path: path.symlink_to("real"), LINK),
        (os.mkfifo, "is not a regular file"),
        (os.mkdir, "is a folder, not a file"),
    ],
)
def test_what_is_no_regular_file_is_left_alone(make, problem, vault):
    written(vault, "real", b"old")
    make(vault / "a.md")
    for call, args in (
        (files.replace, (b"new", b"old")),
        (files.delete, (b"old",)),
        (files.move, ("b.md", b"old")),
    ):
        message = failure(InvalidFileError, call, vault, "a.md", *args)
        assert message == f"a.md: {problem}"
    assert vault.joinpath("real").read_bytes() == b"old"
    assert sorted(path.name for path in vault.iterdir()) == ["a.md", "real"]


def test_replace_refuses_a_file_with_a_second_name(vault):
    written(vault, "a.md", b"old")
    vault.joinpath("b.md").hardlink_to(vault / "a.md")
    message = failure(InvalidFileError, files.replace, vault, "a.md", b"new", b"old")
    assert message == "a.md: has a second name (a hard link)"
    assert content(vault) == {"a.md": b"old", "b.md": b"old"}


def test_replace_follows_a_create_that_died_after_linking(vault):
    written(vault, "a.md", b"old")
    vault.joinpath(".tmp-0123456789abcdef").hardlink_to(vault / "a.md")
    files.replace(vault, "a.md", b"new", b"old")
    assert content(vault) == {"a.md": b"new"}


def test_delete_takes_the_folders_of_a_rule_with_it(vault):
    written(vault, RULE, b"old")
    written(vault, "system/rules/shell/b.toml", b"old")
    files.delete(vault, RULE, b"old")
    assert content(vault).keys() == {
        "system/",
        "system/rules/",
        "system/rules/shell/",
        "system/rules/shell/b.toml",
    }
    files.delete(vault, "system/rules/shell/b.toml", b"old")
    assert content(vault) == {"system/": b""}


def test_delete_leaves_the_folders_of_people(vault):
    written(vault, "system/memory/notes/a.md", b"old")
    files.delete(vault, "system/memory/notes/a.md", b"old")
    assert content(vault) == dict.fromkeys(
        ["system/", "system/memory/", "system/memory/notes/"], b""
    )


def test_move_takes_the_content_along_or_writes_another(vault):
    written(vault, RULE, b"old")
    files.move(vault, RULE, ARCHIVED, b"old")
    assert vault.joinpath(ARCHIVED).read_bytes() == b"old"
    assert not vault.joinpath("system/rules").exists()
    files.move(vault, ARCHIVED, RULE, b"old", b"new")
    assert vault.joinpath(RULE).read_bytes() == b"new"
    assert not vault.joinpath(ARCHIVED).exists()


def test_move_never_overwrites(vault):
    written(vault, RULE, b"old")
    written(vault, ARCHIVED, b"another")
    before = content(vault)
    message = failure(ExistsError, files.move, vault, RULE, ARCHIVED, b"old", b"new")
    assert message == f"{ARCHIVED}: already exists"
    assert content(vault) == before


def test_move_finishes_one_that_was_killed_half_way(vault):
    written(vault, RULE, b"old")
    written(vault, ARCHIVED, b"new")
    files.move(vault, RULE, ARCHIVED, b"old", b"new")
    assert not vault.joinpath(RULE).exists()
    assert vault.joinpath(ARCHIVED).read_bytes() == b"new"


def test_sweep_removes_old_temporary_files_of_ours_only(vault):
    names = [
        *(".tmp-0123456789abcdef", ".tmp-fedcba9876543210", ".tmp-notes.md"),
        *("tmp-0123456789abcdef", ".tmp-0123456789abcdef.md"),
    ]
    old = time.time() - 3700
    for name in names:
        written(vault, f"system/{name}", b"")
        os.utime(vault / "system" / name, (old, old))
    os.utime(vault / "system" / names[1])
    assert files.sweep(vault, "system") == 1
    assert sorted(path.name for path in vault.joinpath("system").iterdir()) == sorted(
        names[1:]
    )
    assert files.sweep(vault, "none") == 0


def test_a_vault_that_is_gone_is_not_made_again(tmp_path):
    gone = tmp_path / "gone"
    message = failure(NoVaultError, files.create, gone, "a.md", b"")
    assert message == f"{gone}: no such folder"
    assert not gone.exists()


def test_the_reason_of_a_refusal_is_told_with_a_next_step(vault):
    name = "x" * 300
    message = failure(StorageError, files.create, vault, f"{name}/a.md", b"")
    assert message == f"{name}/a.md: File name too long; nothing was changed"


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_folder_that_may_not_be_written_is_told(vault):
    vault.chmod(0o500)
    message = failure(StorageError, files.create, vault, "a.md", b"")
    step = (
        "Permission denied (check the permissions of the folder); nothing was changed"
    )
    assert message == f"a.md: {step}"


@examples(
    50,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(versions=st.lists(st.binary(max_size=2000), min_size=1, max_size=4))
def test_any_bytes_are_written_as_they_are(versions, vault):
    place = vault / "a.md"
    place.unlink(missing_ok=True)
    files.create(vault, "a.md", versions[0])
    for old, new in pairwise(versions):
        files.replace(vault, "a.md", new, old)
    assert place.read_bytes() == versions[-1]
    files.delete(vault, "a.md", versions[-1])
    assert content(vault) == {}
