"""Random text for every reader, each input with two seconds of CPU and 300 MB."""

import os
import random
import signal
import sys
from collections.abc import Callable
from functools import partial

import pytest

from tests.hostile.readers import READERS, read
from tests.hostile.shapes import SHAPES

CPU_SECONDS = 2
MEMORY_BYTES = 300 * 1024 * 1024
INPUTS = 40
MOST_CHARS = 200_000
PIECES = (
    *("never ", "always use ", "git push --force", "rm -rf ~/", "$(", "`", "${a:-"),
    *("<<EOF\n", "\nEOF\n", "&& ", "; ", "| ", "'", '"', "\\", "\n", "\r\n", "\t"),
    *(
        "---\n",
        "## ",
        "- ",
        "key: value",
        "[[guard]]\n",
        "[a.b]\n",
        "a = 1\n",
        "&a *a ",
    ),
    *("{", "}", "[", "]", "(", ")", "*", "?", "|", "^", "$", "{9,99}", "\\x41", "\0"),
    *("https://a.b/c?d=", "a@b.c", "xn--", "\u202e", "\u0301", "\U0001f600", "%2e"),
    *(
        '{"type":"user","message":{"content":"',
        '"}}\n',
        "*** Update File: ",
        "@@ -1 @@",
    ),
)

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(sys.platform != "linux", reason="limits of one process"),
]


def random_text(chance: random.Random) -> str:
    size = int(MOST_CHARS ** chance.random())
    shapes = list(SHAPES.values())
    parts: list[str] = []
    length = 0
    while length < size:
        if chance.random() < 0.3:
            part = chance.choice(shapes)(chance.randint(10, max(11, size)))
        else:
            part = chance.choice(PIECES) * chance.randint(1, 30)
        parts.append(part)
        length += len(part)
    return "".join(parts)[:size]


def ended(work: Callable[[], None]) -> str:
    """Return the outcome of the work in a separate process, within limits."""
    child = os.fork()
    if child == 0:
        _limited(work)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return signal.Signals(os.WTERMSIG(status)).name
    return {0: "read", 1: "MemoryError", 2: "an error"}[os.WEXITSTATUS(status)]


def _limited(work: Callable[[], None]) -> None:
    import resource
    from pathlib import Path

    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + MEMORY_BYTES
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    try:
        work()
    except MemoryError:
        os._exit(1)
    except BaseException:  # noqa: BLE001 (the parent reports it)
        os._exit(2)
    os._exit(0)


@pytest.mark.parametrize("name", READERS)
def test_no_input_stalls_a_reader(name):
    chance = random.Random(name)
    for number in range(INPUTS):
        text = random_text(chance)
        assert (number, ended(partial(read, name, text))) == (number, "read")


@pytest.mark.parametrize(
    ("work", "end"),
    [
        (lambda: any(iter(int, 1)), "SIGKILL"),
        (lambda: bytes(2 * MEMORY_BYTES), "MemoryError"),
        (lambda: 1 / 0, "an error"),
        (lambda: None, "read"),
    ],
)
def test_the_limits_of_an_input_work(work, end):
    assert ended(work) in (end, "SIGXCPU")
