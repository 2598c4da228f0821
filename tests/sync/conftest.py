"""Clones of one vault and the bare repository that they share."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.world import World

Clone = Callable[[str], World]


@pytest.fixture
def remote(tmp_path: Path) -> Path:
    """A bare repository that holds the template's vault."""
    first = World(tmp_path / "first")
    first.root.mkdir()
    first.vault("template").commit("a vault")
    place = tmp_path / "remote.git"
    first.git("clone", "--quiet", "--bare", str(first.root), str(place))
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
