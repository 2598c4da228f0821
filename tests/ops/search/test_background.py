"""Work of a long-lived server in a child process: it starts once and ends with it."""

import fcntl
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from toolmem.errors import StorageError
from toolmem.ops.search.background import PENDING, BackgroundWork

READS = (sys.executable, "-c", "import sys; sys.stdin.read()")
LOCKS = """
import fcntl, sys, time
from toolmem.ops.search.background import end_with_parent
file = open(sys.argv[1] + "/lock", "w")
fcntl.flock(file, fcntl.LOCK_EX)
end_with_parent()
open(sys.argv[1] + "/ready", "w").close()
while True:
    time.sleep(60)
"""
SERVER = """
import sys
from pathlib import Path
from toolmem.ops.search.background import BackgroundWork
root = Path(sys.argv[1])
BackgroundWork((sys.executable, "-c", sys.argv[2])).ensure(root)
ready = root / "ready"
while not ready.exists():
    pass
print("ready", flush=True)
sys.stdin.read()
"""


def wait_for_a_child() -> None:
    os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)


def test_work_in_progress_is_mentioned_once_for_each_vault(tmp_path):
    work = BackgroundWork(READS)
    one, other = tmp_path / "one", tmp_path / "other"
    found = [work.ensure(root) for root in (one, one, other, one, other)]
    assert found == [PENDING, "", PENDING, "", ""]


def test_work_that_ended_is_started_again(tmp_path):
    log = tmp_path / "log"
    script = f"open({str(log)!r}, 'a').write('ran\\n')"
    work = BackgroundWork((sys.executable, "-c", script))
    for _ in range(3):
        work.ensure(tmp_path)
        wait_for_a_child()
    assert log.read_text() == "ran\n" * 3


def test_a_failure_is_an_error_with_the_last_line_of_the_child(tmp_path):
    script = "import sys; sys.exit('warning\\nno model here')"
    work = BackgroundWork((sys.executable, "-c", script))
    work.ensure(tmp_path)
    wait_for_a_child()
    for _ in range(2):
        with pytest.raises(StorageError, match=re.escape("no model here")):
            work.ensure(tmp_path)


def test_a_program_that_cannot_be_started_is_an_error(tmp_path):
    work = BackgroundWork((str(tmp_path / "nothing"),))
    with pytest.raises(StorageError, match="cannot start"):
        work.ensure(tmp_path)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, None])
def test_the_child_ends_with_its_server(tmp_path: Path, number):
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(tmp_path), LOCKS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert server.stdout is not None
    assert server.stdout.readline() == b"ready\n"
    if number is not None:
        server.send_signal(number)
    server.communicate()
    with (tmp_path / "lock").open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # waits for the child to end
