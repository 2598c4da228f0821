"""One writer at a time: who waits, who is named, who is refused."""

import os
import stat
import subprocess
import threading
from pathlib import Path

import pytest

from tests.faults import kill
from toolmem.errors import LockedError, NoVaultError, StorageError
from toolmem.store.files import folders, lock


@pytest.fixture(autouse=True, params=["descriptors", "paths"])
def _ways(request, monkeypatch):
    monkeypatch.setattr(folders, "USE_DESCRIPTORS", request.param == "descriptors")


def holder(vault: Path) -> "subprocess.Popen[bytes]":
    """Another process that has the lock and waits for a line."""
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        kill.python("driver.py", "wait", str(vault)),
        env={**os.environ, "PYTHONPATH": str(kill.ROOT)},
        stdin=pipe,
        stdout=pipe,
    )
    assert process.stdout
    assert process.stdout.readline() == b"held\n"
    return process


def test_the_first_lock_makes_a_folder_that_git_ignores(vault):
    with lock.hold(vault):
        pass
    state = vault / ".toolmem"
    assert sorted(path.name for path in state.iterdir()) == [".gitignore", "lock"]
    assert stat.S_IMODE(state.stat().st_mode) == 0o700
    assert state.joinpath(".gitignore").read_bytes().endswith(b"\n*\n")


def test_git_sees_nothing_of_a_writer(git, vault):
    with lock.hold(vault):
        assert git("status", "--porcelain", "--untracked-files=all") == ""


def test_an_ignore_file_that_is_there_is_kept(vault):
    vault.joinpath(".toolmem").mkdir()
    vault.joinpath(".toolmem/.gitignore").write_bytes(b"*\n# mine\n")
    with lock.hold(vault):
        pass
    assert vault.joinpath(".toolmem/.gitignore").read_bytes() == b"*\n# mine\n"


def test_a_second_writer_is_told_who_holds_it(vault):
    with holder(vault) as process:
        with pytest.raises(LockedError) as caught, lock.hold(vault, 0.05):
            pass
        process.communicate(b"\n")
    assert str(caught.value) == (
        f"process {process.pid} is writing to this vault and did not finish "
        "within 0.05 s: try again"
    )


def test_a_writer_that_is_killed_lets_go(vault):
    with holder(vault) as process:
        process.kill()
        process.wait()
        with lock.hold(vault, 0):
            named = vault.joinpath(".toolmem/lock").read_bytes()
    assert named == b"%d\n" % os.getpid()


def test_a_waiting_writer_gets_it_when_it_is_free(vault):
    with holder(vault) as process:
        assert process.stdin
        process.stdin.write(b"\n")
        process.stdin.close()
        with lock.hold(vault, 30):
            pass
        assert process.wait() == 0


def test_an_error_inside_lets_go(vault):
    with pytest.raises(KeyError), lock.hold(vault):
        raise KeyError
    with lock.hold(vault, 0):
        pass


def test_threads_exclude_each_other(vault):
    inside: list[str] = []

    def work() -> None:
        for _ in range(20):
            with lock.hold(vault, 30):
                inside.extend(["in", "out"])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert inside == ["in", "out"] * 80


def test_deleting_the_local_state_does_not_make_two_holders_next(vault):
    with lock.hold(vault):
        vault.joinpath(".toolmem/lock").unlink()
    with lock.hold(vault, 0), pytest.raises(LockedError), lock.hold(vault, 0):
        pass


def test_a_vault_that_is_gone_is_not_locked(tmp_path):
    with pytest.raises(NoVaultError), lock.hold(tmp_path / "gone"):
        pass
    assert not tmp_path.joinpath("gone").exists()


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (
            lambda vault: vault.joinpath(".toolmem").symlink_to(vault.parent),
            "is a symbolic link, and links inside a vault are not followed",
        ),
        (lambda vault: vault.joinpath(".toolmem").touch(), "is a file, not a folder"),
        (
            lambda vault: vault.joinpath(".toolmem/lock").mkdir(parents=True),
            "is a folder, not a file",
        ),
    ],
)
def test_what_is_in_the_place_of_the_lock_is_told(make, problem, vault):
    make(vault)
    with pytest.raises(StorageError) as caught, lock.hold(vault):
        pass
    assert str(caught.value) == f".toolmem/lock: cannot be locked: {problem}"


@pytest.mark.parametrize("target", ["victim", "nowhere"])
def test_a_link_in_the_place_of_the_lock_is_not_written_to(target, vault):
    vault.joinpath("victim").write_bytes(b"precious")
    vault.joinpath(".toolmem").mkdir()
    vault.joinpath(".toolmem/lock").symlink_to(vault / target)
    with pytest.raises(StorageError), lock.hold(vault):
        pass
    assert vault.joinpath("victim").read_bytes() == b"precious"
    assert not vault.joinpath("nowhere").exists()


def test_a_fifo_in_the_place_of_the_lock_does_not_hang(vault):
    vault.joinpath(".toolmem").mkdir()
    os.mkfifo(vault / ".toolmem/lock")
    with pytest.raises(StorageError) as caught, lock.hold(vault):
        pass
    assert str(caught.value) == (
        ".toolmem/lock: cannot be locked: is not a regular file"
    )
