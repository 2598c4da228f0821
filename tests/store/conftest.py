"""A vault to fill, and a git of its own that knows nothing of this machine."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.world import make_repository

Git = Callable[..., str]


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    place = tmp_path / "vault"
    place.mkdir()
    return place


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with a name for git and nothing else."""
    place = tmp_path / "home"
    place.mkdir()
    place.joinpath(".gitconfig").write_text(
        "[user]\n\tname = Ada\n\temail = ada@example.org\n"
        "[init]\n\tdefaultBranch = main\n[commit]\n\tgpgSign = false\n"
    )
    monkeypatch.setenv("HOME", str(place))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    return place


@pytest.fixture
def git(home: Path, vault: Path) -> Git:
    """Git as the user has it, in the vault, which is a repository."""

    def run(*args: str, at: str = "2026-04-07T10:00:00Z", stdin: str = "") -> str:
        dates = {"GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at}
        done = subprocess.run(
            ["git", "-C", str(vault), *args],
            env={**os.environ, **dates},
            input=stdin.encode("utf-8", "surrogateescape"),
            capture_output=True,
            check=True,
        )
        return done.stdout.decode("utf-8", "surrogateescape").strip("\n")

    make_repository(vault)
    return run
