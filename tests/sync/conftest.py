"""Clones of one vault and the bare repository that they share."""

import os
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.world import World

Clone = Callable[[str], World]


@cache
def _shared(folder: Path) -> Path:
    """Make a bare repository with the template's vault, once for all tests."""
    first = World(folder / "first").vault("template")
    first.commit("a vault")
    place = folder / "remote.git"
    first.git("clone", "--quiet", "--bare", str(first.root), str(place))
    return place


@pytest.fixture
def remote(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bare repository that holds the template's vault."""
    place = tmp_path / "remote.git"
    shutil.copytree(_shared(tmp_path_factory.getbasetemp() / "sync"), place)
    return place


@pytest.fixture
def clone(remote: Path, tmp_path: Path) -> Clone:
    """Makes a clone by name, a world of its own."""

    def make(name: str) -> World:
        world = World(tmp_path / name)
        command = ["git", "clone", "--quiet", str(remote), str(world.root)]
        subprocess.run(command, check=True, env=os.environ, capture_output=True)
        return world

    return make
