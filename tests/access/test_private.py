"""Private is private to people: for an agent such a memory is not there."""

import pytest

from tests.access.private_vaults import AGENT, MARK, PROBES, ask, build, names_of
from tests.extra import needs_mcp

pytestmark = needs_mcp


@pytest.fixture
def vaults(tmp_path, monkeypatch):
    monkeypatch.setenv("TOOLMEM_AGENT", AGENT)
    return [
        build(tmp_path / name / "v", private=private)
        for name, private in (("without", False), ("with", True))
    ]


def test_there_are_50_probes_at_least():
    assert len(set(map(names_of, PROBES))) >= 50


@pytest.mark.parametrize("probe", PROBES, ids=names_of)
def test_an_agent_gets_the_same_bytes_with_and_without_private_memories(vaults, probe):
    without, with_private = (ask(world, *probe) for world in vaults)
    assert with_private == without


@pytest.mark.parametrize("probe", PROBES, ids=names_of)
def test_an_agent_changes_no_private_memory(vaults, probe):
    world = vaults[1]
    before = {p: d for p, d in world.files().items() if MARK.encode() in d}
    ask(world, *probe)
    after = world.files()
    assert {path: after.get(path) for path in before} == before
