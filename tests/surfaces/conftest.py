"""Two vaults that are alike, and one for what changes nothing."""

from functools import cache
from pathlib import Path

import pytest

from tests.surfaces.steps import sample
from tests.world import World


@pytest.fixture
def by_flags(tmp_path):
    return sample(tmp_path / "one" / "v")


@pytest.fixture
def by_rpc(tmp_path):
    return sample(tmp_path / "two" / "v")


@cache
def _unchanged(folder: Path) -> World:
    return sample(folder / "unchanged" / "v")


@pytest.fixture
def unchanged(tmp_path_factory):
    """One vault for all calls that are refused or only read."""
    world = _unchanged(tmp_path_factory.getbasetemp())
    before = world.files()
    yield world
    assert world.files() == before
