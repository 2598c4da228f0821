"""Bounds of a launch also apply to operations on the vault as a whole."""

import shutil
from typing import Any

import pytest

from tests.world import TEMPLATE, World
from toolmem.api.launch import Launch, launched
from toolmem.servers.jsonrpc import RpcError
from toolmem.servers.rpc import call

_WRITES: list[tuple[str, dict[str, Any]]] = [
    ("review", {"accept": "x"}),
    ("review", {"reject": "x"}),
    ("commit", {}),
    ("resolve", {}),
    ("sync", {}),
    ("git.install", {}),
    ("git.uninstall", {}),
    ("reflect", {"apply": "plan.toml"}),
    ("reflect", {"output": "plan.toml"}),
    ("report", {"output": "report.html"}),
    ("import", {"path": ["AGENTS.md"]}),
    ("export", {"target": "agents-md"}),
    ("export", {"target": "json", "output": "copy.json"}),
]
_READS: list[tuple[str, dict[str, Any]]] = [
    ("review", {}),
    ("commit", {"dry_run": True}),
    ("diff", {}),
    ("log", {}),
    ("git.status", {}),
    ("report", {}),
    ("doctor", {}),
    ("import", {"path": ["AGENTS.md"], "dry_run": True}),
    ("export", {"target": "agents-md", "output": "-"}),
    ("export", {"target": "agents-md", "check": True}),
    ("export", {"target": "json"}),
]
_WHOLE: list[tuple[str, dict[str, Any]]] = [
    ("resolve", {}),
    ("sync", {}),
    ("git.install", {}),
    ("git.uninstall", {}),
    ("reflect", {}),
    ("doctor", {}),
    ("report", {}),
]
_ids = lambda one: f"{one[0]}-{'-'.join(one[1])}"  # noqa: E731


@pytest.fixture
def world(tmp_path):
    shutil.copytree(TEMPLATE, tmp_path / "v")
    world = World(tmp_path / "v")
    world.write("AGENTS.md", "Never use `curl`.\n")
    world.commit("the start")
    for project in ("ours", "theirs"):
        line = ("rule", "add", "shell", f"never {project}", "--scope")
        assert world.call(*line, f"project:{project}").code == 0
    return world


def refusal(vault, name, params):
    with pytest.raises(RpcError) as refused:
        call(vault, name, params)
    return refused.value.data["code"]


@pytest.mark.one_of(3)
@pytest.mark.parametrize("step", _WRITES, ids=_ids)
def test_read_only_writes_nothing(world, step):
    vault = launched(Launch(world.root, read_only=True), by_agent=False)
    before, head = world.files(), world.git("rev-parse", "HEAD")
    assert refusal(vault, *step) == "not_allowed"
    assert world.files() == before
    assert world.git("rev-parse", "HEAD") == head


@pytest.mark.one_of(3)
@pytest.mark.parametrize("step", _READS, ids=_ids)
def test_read_only_reads(world, step):
    vault = launched(Launch(world.root, read_only=True), by_agent=False)
    before = world.files()
    call(vault, *step)
    assert world.files() == before


@pytest.mark.parametrize("step", _WHOLE, ids=_ids)
def test_what_is_about_the_whole_vault_is_not_for_a_project(world, step):
    vault = launched(Launch(world.root, project="ours"), by_agent=False)
    assert refusal(vault, *step) == "not_allowed"


@pytest.mark.parametrize(
    "step", [("review", {}), ("diff", {}), ("commit", {"dry_run": True})], ids=_ids
)
def test_a_project_sees_its_own_changes_alone(world, step):
    everything = str(call(launched(Launch(world.root), by_agent=False), *step))
    vault = launched(Launch(world.root, project="ours"), by_agent=False)
    shown = str(call(vault, *step))
    assert "never theirs" in everything
    assert "never ours" in shown
    assert "theirs" not in shown


def test_a_project_commits_its_own_changes_alone(world):
    vault = launched(Launch(world.root, project="ours"), by_agent=False)
    paths = call(vault, "commit", {})["paths"]
    assert [path.split("/")[1] for path in paths] == ["ours"]
    assert "theirs" in world.git("status", "--porcelain", "--untracked-files=all")
    log = str(call(vault, "log", {}))
    assert "never ours" in log
    call(launched(Launch(world.root), by_agent=False), "commit", {})
    assert "theirs" not in str(call(vault, "log", {}))


def test_a_project_cannot_judge_what_it_does_not_see(world):
    vault = launched(Launch(world.root, project="ours"), by_agent=False)
    everything = call(launched(Launch(world.root), by_agent=False), "review", {})
    [other] = [one["paths"][0] for one in everything if "theirs" in one["paths"][0]]
    for how in ("accept", "reject"):
        assert refusal(vault, "review", {how: other}) == "not_found"
    own = [one["paths"][0] for one in call(vault, "review", {})]
    assert refusal(vault, "review", {"accept": own[0], "scope": "project:theirs"}) == (
        "not_allowed"
    )


def test_a_copy_for_a_project_holds_its_own_scopes_alone(world):
    vault = launched(Launch(world.root, project="ours"), by_agent=False)
    copy = str(call(vault, "export", {"target": "json"}))
    assert "never ours" in copy
    assert "never theirs" not in copy
    assert refusal(
        vault, "import", {"path": ["AGENTS.md"], "scope": "project:theirs"}
    ) == ("not_allowed")
