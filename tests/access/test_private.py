"""Private is private to people: for an agent such a memory is not there."""

import shutil
from functools import cache

import pytest

from tests.access.private_vaults import AGENT, MARK, PROBES, ask, build, names_of
from tests.extra import needs_mcp
from tests.world import World

pytestmark = needs_mcp


@cache
def built(folder):
    """Both vaults with their histories, made by the first test that needs them."""
    for name, private in (("without", False), ("with", True)):
        build(folder / "private" / name / "v", private=private)
    return folder / "private"


@pytest.fixture
def vaults(tmp_path, tmp_path_factory, monkeypatch):
    monkeypatch.setenv("TOOLMEM_AGENT", AGENT)
    places = built(tmp_path_factory.getbasetemp())
    shutil.copytree(places, tmp_path, dirs_exist_ok=True)
    return [World(tmp_path / name / "v") for name in ("without", "with")]


def test_there_are_50_probes_at_least():
    assert len(set(map(names_of, PROBES))) >= 50


@pytest.mark.one_of(4)
@pytest.mark.parametrize("probe", PROBES, ids=names_of)
def test_private_memories_change_no_byte_of_an_answer_and_are_not_changed(
    vaults, probe
):
    world = vaults[1]
    before = {p: d for p, d in world.files().items() if MARK.encode() in d}
    without, with_private = (ask(one, *probe) for one in vaults)
    assert with_private == without
    after = world.files()
    assert {path: after.get(path) for path in before} == before
