"""P4 to P6: many writers, readers and people at once, and no change is lost."""

import os
import signal
import subprocess
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.faults import kill
from tests.faults.driver import COUNTER, NEW, OLD, PATH
from tests.faults.vaults import empty, with_a_rule
from toolmem.store.files import lock
from toolmem.store.files.tree import DiskTree

HUMAN = b'rule = "what a person wrote meanwhile"\n'
AHEAD = {**os.environ, "PYTHONPATH": str(kill.ROOT)}


def start(vault: Path, script: str, *args: str) -> "subprocess.Popen[bytes]":
    """Start a writer and keep its pipes."""
    command = kill.python(script, args[0], str(vault), *args[1:])
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=AHEAD, stdin=pipe, stdout=pipe, stderr=pipe)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    place = tmp_path / "vault"
    place.mkdir()
    with_a_rule(place)
    return place


def test_eight_processes_create_fifty_files_each(tmp_path):
    empty(tmp_path)
    writers = [start(tmp_path, "driver.py", "many", str(n)) for n in range(8)]
    assert [writer.communicate()[1] for writer in writers] == [b""] * 8
    wanted = {f"{who}-{number}.toml" for who in range(8) for number in range(50)}
    assert {p.name for p in tmp_path.joinpath(PATH).parent.iterdir()} == wanted


def test_eight_processes_count_to_four_hundred(vault):
    writers = [start(vault, "driver.py", "count") for _ in range(8)]
    assert [writer.communicate()[1] for writer in writers] == [b""] * 8
    assert vault.joinpath(COUNTER).read_bytes() == b"400"


def test_without_the_lock_they_do_not(vault):
    writers = [start(vault, "broken_writers.py", "without_lock") for _ in range(8)]
    for writer in writers:
        writer.communicate()
    assert int(vault.joinpath(COUNTER).read_bytes()) < 400


def test_a_reader_never_meets_half_a_file(vault):
    seen = set()
    with start(vault, "driver.py", "flip") as writer:
        while writer.poll() is None:
            with DiskTree(vault) as tree:
                seen.add(tree.read(PATH, 1 << 16))
        assert (writer.returncode, seen) == (0, {OLD, NEW})


def edited_meanwhile(vault: Path, script: str, verb: str) -> tuple[int, str]:
    """Let a person save between the writer's reading and its writing."""
    with start(vault, script, verb) as writer:
        assert writer.stdout
        assert writer.stdout.readline() == b"read\n"
        vault.joinpath(PATH).write_bytes(HUMAN)
        _, stderr = writer.communicate(b"\n")
    return writer.returncode, stderr.decode()


def test_a_person_who_saved_meanwhile_is_not_overwritten(vault):
    message = f"{PATH}: changed since it was read; nothing was written\n"
    assert edited_meanwhile(vault, "driver.py", "edit") == (13, message)
    assert vault.joinpath(PATH).read_bytes() == HUMAN
    assert kill.temps(vault) == []


def test_a_writer_that_does_not_compare_is_caught(vault):
    edited_meanwhile(vault, "broken_writers.py", "without_compare")
    assert vault.joinpath(PATH).read_bytes() != HUMAN


def stopped_at(
    call: str, verb: str, vault: Path, meanwhile: Callable[[], None]
) -> tuple[int, str]:
    """Stop a writer just before its first such call, do something, let it go on."""
    log = vault.with_name("log")
    os.mkfifo(log)
    inject = f"inject={call}:signal=STOP:when=1"
    words = kill.python("driver.py", verb, str(vault))
    command = [*kill.strace(log, [call], inject), *words]
    with subprocess.Popen(command, env=AHEAD, stderr=subprocess.PIPE) as writer:
        with log.open() as lines:
            stopped = next(line for line in lines if "stopped by SIGSTOP" in line)
            meanwhile()
            os.kill(int(stopped.split()[0]), signal.SIGCONT)
            lines.read()
        _, stderr = writer.communicate()
    return writer.returncode, stderr.decode()


@pytest.mark.skipif(not kill.has_strace(), reason=kill.MISSING)
def test_nor_is_one_who_saves_while_the_new_text_is_flushed(vault):
    def save() -> None:
        assert len(kill.temps(vault)) == 1
        vault.joinpath(PATH).write_bytes(HUMAN)

    message = f"{PATH}: changed since it was read; nothing was written\n"
    assert stopped_at("fsync", "replace", vault, save) == (13, message)
    assert vault.joinpath(PATH).read_bytes() == HUMAN
    assert kill.temps(vault) == []


@pytest.mark.skipif(not kill.has_strace(), reason=kill.MISSING)
def test_a_lock_that_is_deleted_before_it_is_taken_is_none(vault):
    with ExitStack() as stack:

        def delete_and_take() -> None:
            vault.joinpath(".toolmem/lock").unlink()
            stack.enter_context(lock.hold(vault, 0))

        code, stderr = stopped_at("flock", "once", vault, delete_and_take)
    assert (code, stderr.split(" is ")[0]) == (14, f"process {os.getpid()}")
