"""A typed ban on a full disk: it is kept, or the answer says that it was not."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.faults import kill
from tests.faults.test_hook_kill import RULES, empty, left_over, rules
from tests.forked import forked
from tests.program import ROOT
from toolmem.core.agents.registry import hooked

BAN = "never use rsync."
NOT_IN_FORCE = "toolmem: not in force yet: no space in the vault\n"
WAITS = f"“{BAN}” is captured as soon as the vault can be written"
SIZE = 8 * 1024 * 1024
LEVELS = (0, 4, 16, 64, 256, 1024)
"""KiB that are free when the ban is typed."""


def hook(
    vault: Path,
    event: str,
    script: str = "hook_driver.py",
    *more: str,
    limit: int = -1,
) -> Any:
    """The answer of a hook; ``limit`` is the size to which a file may grow."""
    words = kill.words(script, event, str(vault), *more)
    if limit < 0:
        answer = forked().python(words, vault)
        assert answer.code == 0, answer.stderr
        return last(answer.stdout)
    command = ["sh", "-c", f'ulimit -f {limit}; trap "" XFSZ; "$@"', "-"]
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [*command, sys.executable, *words],
        env=env,
        capture_output=True,
        check=True,
        cwd=vault,
    )
    return last(done.stdout)


def last(output: str | bytes) -> Any:
    """Return the answer itself, after lines that Copilot shows its user."""
    return json.loads((output.splitlines() or ["{}"])[-1])


def is_told(answer: Any, said: str = f"not saved: “{BAN}”") -> bool:
    """True if agent and user learn that the ban was not saved."""
    context = answer.get("hookSpecificOutput", {}).get("additionalContext", "")
    return said in context and said in answer.get("systemMessage", "")


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    folder.mkdir()
    empty(folder)
    return folder


def test_a_ban_typed_on_a_full_disk_waits_in_the_reserve(vault):
    hook(vault, "SessionStart")
    answer = hook(vault, "UserPromptSubmit", "full_disk.py")
    assert is_told(answer, NOT_IN_FORCE + WAITS)
    assert rules(vault) == left_over(vault) == []
    answer = hook(vault, "Stop")
    assert "captured: new critical rule" in answer["systemMessage"]
    assert rules(vault) == [RULES[0]]


def test_where_no_lock_can_be_made_the_answer_is_the_same(vault):
    hook(vault, "SessionStart")
    for path in (*vault.glob(".toolmem/state.db*"), vault / ".toolmem/lock"):
        path.unlink(missing_ok=True)
    answer = hook(vault, "UserPromptSubmit", "full_disk.py")
    assert is_told(answer, NOT_IN_FORCE + WAITS)


@pytest.mark.one_of(4)
@pytest.mark.parametrize("reserve", ["reserve", "no reserve"])
@pytest.mark.parametrize(
    # Cline does not wait for the answer to a message, goose shows none.
    "agent",
    [name for name in hooked() if name not in ("cline", "goose")],
)
def test_every_agent_learns_that_a_ban_is_not_in_force_yet(vault, agent, reserve):
    if reserve == "reserve":
        hook(vault, "SessionStart")
    answer = hook(vault, "UserPromptSubmit", "full_disk.py", BAN, agent)
    assert NOT_IN_FORCE.strip() in "\n".join(texts(answer))
    assert rules(vault) == []


def texts(value: Any) -> list[str]:
    """Return all texts of a document."""
    inner = value.values() if isinstance(value, dict) else ()
    return (
        [value] if isinstance(value, str) else [t for one in inner for t in texts(one)]
    )


def test_where_there_is_no_reserve_the_answer_says_so(vault):
    answer = hook(vault, "UserPromptSubmit", "full_disk.py")
    assert is_told(answer)
    assert is_told(answer, NOT_IN_FORCE)
    assert "No space left on device" in answer["systemMessage"]
    hook(vault, "Stop")
    assert rules(vault) == []


def test_where_no_byte_can_be_written_the_answer_says_so(vault):
    hook(vault, "SessionStart")
    answer = hook(vault, "UserPromptSubmit", limit=0)
    assert is_told(answer)
    hook(vault, "Stop")
    assert rules(vault) == []


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small file system of its own."""
    place = tmp_path / "disk"
    place.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(place)]
    try:
        subprocess.run(words, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"no file system can be mounted here: {error}")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def fill(place: Path, free: int) -> Path:
    """Fill the file system but for ``free`` bytes."""
    filler = place / "filler"
    with filler.open("wb") as file:
        left = os.statvfs(place)
        room = left.f_bavail * left.f_frsize - free
        os.posix_fallocate(file.fileno(), 0, room)
    return filler


@pytest.mark.parametrize("session", ["begun", "new"])
def test_at_no_free_space_level_is_a_ban_lost(disk, session):
    """Vault and home are on the same full file system."""
    vault = disk / "vault"
    vault.mkdir()
    empty(vault)
    found = {}
    for free in LEVELS:
        for path in (*vault.glob("system/rules/*/*"), *left(vault, session)):
            path.unlink()
        if session == "begun":
            hook(vault, "SessionStart")
        filler = fill(disk, free * 1024)
        answer = hook(vault, "UserPromptSubmit")
        filler.unlink()
        if rules(vault) == []:
            assert is_told(answer, NOT_IN_FORCE)
        hook(vault, "Stop")
        kept = rules(vault) == [RULES[0]]
        found[free] = "kept" if kept else "told" if is_told(answer) else "lost"
    begun = dict.fromkeys(LEVELS, "kept")
    assert found == begun if session == "begun" else "lost" not in found.values()


def left(vault: Path, session: str) -> list[Path]:
    """Return files that a new session does not use: the reserve of an older one."""
    return list(vault.rglob("reserve")) if session == "new" else []
