"""Without resources of the system: one line, its exit code, and no changes."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.world import VAULTS

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX limits")
WRITERS = [
    ("rule", "add", "shell", "never push"),
    ("rule", "edit", "7b1e0c52", "--text", "never email Sarah or Ada"),
    ("rule", "archive", "7b1e0c52", "--reason", "she left"),
    ("fact", "set", "key", "value"),
]


@pytest.fixture
def vault(tmp_path) -> Path:
    place: Path = tmp_path / "vault"
    shutil.copytree(VAULTS / "one-rule", place)
    return place


def limited(
    vault: Path, limit: str, *words: str
) -> "subprocess.CompletedProcess[bytes]":
    script = f'ulimit {limit} && exec "$@"'
    return subprocess.run(
        ["sh", "-c", script, "sh", sys.executable, "-m", "toolmem", *words],
        cwd=vault,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        check=False,
    )


def content(vault: Path) -> dict[str, bytes]:
    return {
        path.relative_to(vault).as_posix(): path.read_bytes()
        for path in vault.rglob("*")
        if path.is_file() and ".toolmem" not in path.parts
    }


@pytest.mark.one_of(3)
@pytest.mark.parametrize("words", WRITERS, ids=str)
def test_a_full_disk_changes_nothing(vault, words):
    vault.joinpath(".toolmem").mkdir()
    vault.joinpath(".toolmem/.gitignore").write_text("*\n")
    before = content(vault)
    done = limited(vault, "-f 0", *words)
    assert (done.returncode, done.stdout) == (15, b"")
    [line] = done.stderr.decode().splitlines()
    assert line.startswith("toolmem: ")
    assert line.endswith("File too large; nothing was changed")
    assert content(vault) == before


@pytest.mark.one_of(3)
@pytest.mark.parametrize("words", [("prompt",), ("rule", "list"), ("check",)], ids=str)
def test_reading_needs_no_room(vault, words):
    done = limited(vault, "-f 0", *words)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.one_of(3)
@pytest.mark.parametrize(
    "number",
    [4, 8, 12, *(pytest.param(number, marks=pytest.mark.soak) for number in (6, 10))],
)
@pytest.mark.parametrize(
    "words", [("prompt",), ("rule", "list"), *WRITERS[:1]], ids=str
)
def test_too_few_descriptors_are_an_error_and_never_fewer_rules(vault, words, number):
    before = content(vault)
    done = limited(vault, f"-n {number}", *words)
    if done.returncode:
        assert content(vault) == before
        assert done.stdout == b""
        assert done.returncode in (1, 15), done.stderr  # 1 is Python's own
    elif words[0] == "prompt":
        assert b"never email Sarah" in done.stdout
