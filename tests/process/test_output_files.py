"""``-o`` into devices, pipes and open files: written into, never replaced."""

import os
import stat
import sys
import threading
from pathlib import Path

import pytest

WRITERS = {
    "report": ["report", "-o"],
    "reflect": ["reflect", "-o"],
    "export json": ["export", "json", "-o"],
    "export claude": ["export", "claude", "-o"],
    "doctor": ["doctor", "--bundle"],
}
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX files")


@pytest.fixture
def vault(world):
    return world.vault("template")


def to_stdout(vault, name):
    """The text that a command writes, as printed with ``-``."""
    done = vault.call(*WRITERS[name], "-")
    return done.stdout


@pytest.mark.parametrize("name", WRITERS)
def test_a_pipe_gets_the_text_and_stays_a_pipe(vault, name, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    vault.call(*WRITERS[name], str(pipe))
    reader.join(10)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert [text.strip() for text in read] == [to_stdout(vault, name).strip()]


@pytest.mark.parametrize("name", WRITERS)
def test_a_device_stays_a_device(vault, name):
    before = Path("/dev/null").stat()
    done = vault.call(*WRITERS[name], "/dev/null")
    after = Path("/dev/null").stat()
    assert (after.st_ino, after.st_rdev) == (before.st_ino, before.st_rdev)
    assert "No such" not in done.stderr
    assert done.code == vault.call(*WRITERS[name], "-").code


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("name", WRITERS)
def test_a_full_device_is_reported(vault, name):
    vault.run(*WRITERS[name], "/dev/full").exits(15)
    vault.stderr("toolmem: /dev/full: No space left on device\n")


@pytest.mark.parametrize("name", WRITERS)
def test_a_link_to_an_open_file_is_written_into(vault, name, tmp_path):
    with (tmp_path / "out").open("wb") as file:
        vault.call(*WRITERS[name], f"/proc/self/fd/{file.fileno()}")
        assert os.fstat(file.fileno()).st_nlink == 1
        text = (tmp_path / "out").read_text()
    assert text.strip() == to_stdout(vault, name).strip()


@pytest.mark.parametrize("name", WRITERS)
def test_a_dash_is_standard_output_and_no_file(vault, name):
    vault.call(*WRITERS[name], "-")
    assert not (vault.root / "-").exists()
