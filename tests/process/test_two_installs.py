"""Two toolmems on one vault: side by side, and one of them newer."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.forked import Answer, forked
from tests.world import TEMPLATE, VAULTS, World

PACKAGE = TEMPLATE.parent / "toolmem"
SCHEMA = "SCHEMA = 1\n"
STEPS = "STEPS = (\n"
NEWER = "the vault has schema 2, this toolmem writes 1"


class Install(NamedTuple):
    """A copy of the package in a folder of its own, as a wheel lays it out."""

    folder: Path

    def run(self, vault: Path, *words: str) -> Answer:
        if self.folder == PACKAGE.parent:
            return forked("commands").python(["-m", "toolmem", *words], vault)
        done = subprocess.run(
            [sys.executable, "-P", "-m", "toolmem", *words],
            cwd=vault,
            env={
                **os.environ,
                "PYTHONPATH": str(self.folder),
                "PYTHONDONTWRITEBYTECODE": "",  # compiled once, not at each start
            },
            capture_output=True,
            check=False,
        )
        return Answer(done.returncode, done.stdout, done.stderr.decode())


def install(folder: Path) -> Install:
    shutil.copytree(PACKAGE, folder / "toolmem")
    shutil.copytree(TEMPLATE, folder / "toolmem" / "vault-template")
    return Install(folder)


def patch(install: Install, path: str, old: str, new: str) -> None:
    place = install.folder / "toolmem" / path
    text = place.read_text()
    assert text.count(old) == 1
    place.write_text(text.replace(old, new))


@pytest.fixture(scope="module")
def ours() -> Install:
    """The checkout itself, which a process of the tests has loaded."""
    return Install(PACKAGE.parent)


@pytest.fixture(scope="module")
def other(tmp_path_factory) -> Install:
    return install(tmp_path_factory.mktemp("other"))


@pytest.fixture(scope="module")
def newer(tmp_path_factory) -> Install:
    """A copy with a newer format of the vault and of the local state."""
    made = install(tmp_path_factory.mktemp("newer"))
    patch(made, "store/files/setting_table.py", SCHEMA, "SCHEMA = 2\n")
    patch(
        made,
        "store/state/schema.py",
        STEPS,
        STEPS + '    "CREATE TABLE later (x)",\n',
    )
    return made


@pytest.fixture(autouse=True)
def _one_time(monkeypatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1776686400")


@pytest.fixture
def vault(tmp_path) -> Path:
    place: Path = tmp_path / "vault"
    shutil.copytree(VAULTS / "scopes", place)
    return place


def content(vault: Path) -> dict[str, bytes]:
    return {
        path.relative_to(vault).as_posix(): path.read_bytes()
        for path in vault.rglob("*")
        if path.is_file() and path.relative_to(vault).parts[0] != ".toolmem"
    }


_SCHEMAS = ("rule", "manifest", "vault", "pointer")
"""Schemas that editors read, which ``init`` writes next to the template's files."""


def test_an_install_carries_all_that_it_needs(other, tmp_path):
    done = other.run(tmp_path, "init", "--sample", "made")
    assert done.code == 0, done.stderr
    assert other.run(tmp_path / "made", "check").code == 0
    names = {path for path in content(tmp_path / "made") if path[:5] != ".git/"}
    schemas = {"taplo.toml", *(f"schemas/{name}.json" for name in _SCHEMAS)}
    assert names == set(content(TEMPLATE)) | schemas


def test_two_installs_read_what_each_other_wrote(ours, other, vault):
    for number, one in enumerate((ours, other)):
        done = one.run(vault, "rule", "add", "shell", f"rule {number}", "-p", "high")
        assert done.code == 0, done.stderr
        again = (other if one is ours else ours).run(
            vault, "rule", "add", "shell", f"Rule {number}.", "-p", "high"
        )
        assert b"exists" in again.stdout
    for words in (("prompt",), ("rule", "list", "--json"), ("check", "--json")):
        first, second = ours.run(vault, *words), other.run(vault, *words)
        assert first.stdout == second.stdout
        assert (first.code, first.stderr) == (0, "")


def test_a_newer_vault_is_read_and_never_written(ours, newer, vault):
    vault.joinpath("toolmem.toml").write_text("schema = 2\n")
    assert newer.run(vault, "rule", "add", "git", "newer").code == 0
    before = content(vault)
    for words in (
        ("rule", "edit", "a0000005", "-p", "normal"),
        ("rule", "override", "a0000005", "--scope", "agent:x", "--disable"),
        ("rule", "archive", "a0000005", "--reason", "r"),
        ("rule", "delete", "a0000007"),
        ("fact", "set", "key", "value"),
        ("fact", "delete", "language"),
        ("memory", "save", "A memory that is long enough to be kept in a vault"),
        ("tool", "add", "git", "--alias", "vcs"),
    ):
        done = World(vault).call(*words)
        assert done.code == 11, (words, done.stderr)
        assert NEWER in done.stderr
    added = ours.run(vault, "rule", "add", "git", "older")
    assert (added.code, NEWER in added.stderr) == (11, True)
    assert content(vault) == before
    read, theirs = ours.run(vault, "prompt"), newer.run(vault, "prompt")
    assert (read.code, read.stdout) == (0, theirs.stdout)
    assert read.stderr.startswith("toolmem: the vault has a newer schema")
    checked = ours.run(vault, "check")
    assert checked.code == 1
    assert b"newer-schema" in checked.stdout


def test_an_older_vault_is_written_by_a_newer_toolmem(newer, vault):
    assert newer.run(vault, "rule", "add", "git", "newer").code == 0
    assert vault.joinpath("toolmem.toml").read_text() == "schema = 1\n"


def test_the_local_state_of_a_newer_toolmem_is_left_alone(ours, newer, vault):
    first = newer.run(vault, "prompt", "--session", "s")
    assert first.code == 0, first.stderr
    state = vault / ".toolmem" / "state.db"
    before = state.read_bytes()
    done = ours.run(vault, "prompt", "--session", "s")
    assert (done.code, done.stdout) == (0, first.stdout)
    assert "written by a newer toolmem" in done.stderr
    assert state.read_bytes() == before
    assert newer.run(vault, "prompt", "--session", "s").stderr == ""


def test_local_state_that_is_broken_is_set_aside_and_begun_anew(vault):
    place = vault / ".toolmem"
    place.mkdir()
    for number, junk in enumerate(
        (b"", b"junk" * 1000, b"SQLite format 3\0" + b"x" * 99)
    ):
        place.joinpath("state.db").write_bytes(junk)
        words = ["-m", "toolmem", "prompt", "--session", f"s{number}"]
        done = forked("commands").python(words, vault)
        assert (done.code, done.stderr) == (0, "")
    assert len(list(place.glob("state.db.corrupt-*"))) == 2


def test_local_state_that_is_a_link_leads_nowhere(vault, tmp_path):
    outside = tmp_path / "precious.db"
    outside.write_bytes(b"")
    vault.joinpath(".toolmem").mkdir()
    vault.joinpath(".toolmem/state.db").symlink_to(outside)
    words = ["-m", "toolmem", "prompt", "--session", "s"]
    done = forked("commands").python(words, vault)
    assert done.code == 0
    assert "state.db: is a symbolic link: delete it and try again" in done.stderr
    assert outside.read_bytes() == b""
