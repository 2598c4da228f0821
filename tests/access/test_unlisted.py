"""A folder of private memories that cannot be listed is not there for an agent."""

import errno
import os
import shutil

import pytest

from tests.access.private_vaults import AGENT, MARK, PROBES, ask, names_of
from tests.access.test_private import built
from tests.extra import needs_mcp
from tests.world import World

pytestmark = needs_mcp
LOCKED = f"{MARK}-locked"
PLACES = (
    f"system/memory/wine/{LOCKED}",
    f"projects/shop/memory/{LOCKED}",
    f"projects/{MARK}/memory/{LOCKED}",
    f"archive/system/memory/{LOCKED}",
)
SOME = [
    pytest.param(
        probe, id=names_of(probe), marks=[pytest.mark.soak] if number % 3 else []
    )
    for number, probe in enumerate(PROBES)
]
PRIVATE = f"---\nprivate: true\n---\n# {MARK}\n"


@pytest.fixture
def vaults(tmp_path, tmp_path_factory, monkeypatch):
    monkeypatch.setenv("TOOLMEM_AGENT", AGENT)
    source = built(tmp_path_factory.getbasetemp()) / "without"
    for name in ("without", "with"):
        shutil.copytree(source, tmp_path / name)
    found = [World(tmp_path / name / "v") for name in ("without", "with")]
    for place in PLACES:
        found[1].write(f"{place}/plan-cc0001.md", PRIVATE)
    for name in ("open", "scandir"):
        monkeypatch.setattr(os, name, refusing(getattr(os, name)))
    return found


def refusing(real):
    """A system call that fails for these folders."""

    def call(path=".", *args, **more):
        if str(path).endswith(LOCKED):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return real(path, *args, **more)

    return call


@pytest.mark.one_of(3)
@pytest.mark.parametrize("probe", SOME)
def test_an_agent_gets_the_same_bytes_with_and_without_it(vaults, probe):
    without, with_private = (ask(world, *probe) for world in vaults)
    assert with_private == without
