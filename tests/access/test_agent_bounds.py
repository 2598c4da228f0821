"""Bounds of agents exist for every operation and every parameter."""

import shutil
from typing import Any

import pytest

from tests.world import TEMPLATE, World
from toolmem.api.access import Access, Bounds
from toolmem.api.launch import Launch, launched
from toolmem.api.vault import Vault
from toolmem.core.access.agent_bounds import WHOLE, Bound, decided
from toolmem.errors import NotAllowedError, UsageError
from toolmem.servers.jsonrpc import RpcError
from toolmem.servers.rpc import call


@pytest.fixture
def world(tmp_path):
    shutil.copytree(TEMPLATE, tmp_path / "home" / "v")
    world = World(tmp_path / "home" / "v")
    world.commit("the start")
    (tmp_path / "secret.md").write_text("# Ours\n\nNever use `curl`.\n")
    (tmp_path / "home" / "AGENTS.md").write_text("Never use `wget`.\n")
    return world


def vault_of(world: World, *, served: bool = False, agent: str = "helper") -> Vault:
    access = Access(
        {"vault": str(world.root), "agent": agent},
        world.root.parent,
        lambda: world.now,
        world._new_id,
        Bounds(served=served),
    )
    return Vault(access)


def refused(vault: Vault, name: str, given: dict[str, Any]) -> bool:
    try:
        call(vault, name, given)
    except RpcError as error:
        return "not_allowed" in str(error.data)
    return False


NAMED = {
    name: bound
    for name, row in decided().items()
    for bound in [{p: b for p, b in row.items() if b is Bound.PERSON}]
    if bound
}


@pytest.mark.one_of(3)
@pytest.mark.parametrize("name", [n for n, row in NAMED.items() if WHOLE in row])
@pytest.mark.parametrize("served", [True, False])
def test_what_only_people_run_an_agent_is_refused(world, name, served):
    assert refused(vault_of(world, served=served), name, {})
    assert not refused(vault_of(world, served=served, agent=""), name, {})


_ELSEWHERE = [
    ("import", "path", ["../secret.md"]),
    ("import", "path", ["/etc/hostname"]),
    ("capture", "file", "../secret.md"),
    ("turn.add", "file", "../secret.md"),
    ("reflect", "folder", "/"),
    ("reflect", "apply", "../secret.md"),
    ("reflect", "output", "../plan.toml"),
    ("export", "output", "../copy.json"),
    ("export", "output", "v/../../copy.json"),
]


@pytest.mark.one_of(3)
@pytest.mark.parametrize(("name", "parameter", "value"), _ELSEWHERE)
@pytest.mark.parametrize("served", [True, False])
def test_an_agent_names_no_file_elsewhere(world, name, parameter, value, served):
    given: dict[str, Any] = {"target": "json"} if name == "export" else {}
    given |= {"path": ()} if name == "import" else {}
    before = sorted(world.root.parents[1].rglob("*"))
    assert refused(vault_of(world, served=served), name, {**given, parameter: value})
    assert sorted(world.root.parents[1].rglob("*")) == before


def test_a_command_line_reads_and_writes_below_its_folder_and_a_server_does_not(world):
    vault, server = vault_of(world), vault_of(world, served=True)
    for name, given in (
        ("import", {"path": ["AGENTS.md"]}),
        ("export", {"target": "agents-md"}),
        ("export", {"target": "json", "output": "copy.json"}),
    ):
        assert refused(server, name, given)
        assert not refused(vault, name, given)
    assert not refused(server, "export", {"target": "json"})
    assert not refused(server, "export", {"target": "agents-md", "output": "-"})
    inside = {"target": "json", "output": "v/copy.json"}
    assert not refused(server, "export", inside)


def test_a_link_in_the_vault_leads_nowhere_else(world):
    (world.root / "link.md").symlink_to(world.root.parents[1] / "secret.md")
    given = {"path": [str(world.root / "link.md")]}
    assert refused(vault_of(world, served=True), "import", given)


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("memory.edit", {"id": "heat-is-clamped-after-the-shot-41c7d2", "private": v})
        for v in (True, False)
    ]
    + [
        ("rule.add", {"tool": "x", "text": "y", "allow_secret": True}),
        ("fact.set", {"key": "x", "value": "y", "allow_secret": True}),
        ("memory.save", {"text": "y", "allow_secret": True}),
        ("commit", {"allow_secret": True}),
    ],
)
def test_what_only_people_say_an_agent_is_refused(world, name, given):
    assert refused(vault_of(world), name, given)
    assert not refused(vault_of(world, agent=""), name, given)


def test_a_launch_for_an_agent_and_a_request_of_one_are_refused_alike(world):
    launch = Launch(world.root, agent="helper")
    assert refused(launched(launch, by_agent=False), "report", {})
    anyone = launched(Launch(world.root), by_agent=False)
    assert refused(anyone, "report", {"agent": "helper"})
    assert not refused(anyone, "report", {})


def test_a_person_finds_the_flags_of_doctor_and_an_agent_does_not(world, monkeypatch):
    monkeypatch.setenv("TOOLMEM_AGENT", "helper")
    for flags in (("--fix",), ("--bundle", "../../b.json")):
        done = world.call("doctor", *flags)
        assert (done.code, done.stdout) == (2, "")
        assert "agent" in done.stderr


_KEYS = [
    {"text": "use it"},
    {"priority": "high"},
    {"tag": ["x"]},
    {"expires": "30d"},
    {"evidence": "so it was said"},
]


@pytest.mark.parametrize("edit", _KEYS, ids=str)
def test_no_key_of_a_persons_critical_rule_is_an_agents(world, edit):
    person, agent = vault_of(world, agent=""), vault_of(world)
    rule = person.rule.add("mail", "never mail Dana", priority="critical", tag=["a"])
    before = world.files()
    for change in (
        lambda: agent.rule.edit(rule.rule.id, **edit),
        lambda: agent.rule.override(
            rule.rule.id, scope="project:p", disable=True, reason="so"
        ),
        lambda: agent.rule.add(
            "mail", edit.get("text", "never mail Dana"), id=rule.rule.id, tag=["b"]
        ),
        lambda: agent.rule.archive(rule.rule.id, reason="over"),
        lambda: agent.rule.delete(rule.rule.id),
    ):
        with pytest.raises(UsageError):
            change()
    assert world.files() == before


def test_a_rule_that_a_person_made_critical_elsewhere_is_not_an_agents(world):
    person, agent = vault_of(world, agent=""), vault_of(world)
    rule = person.rule.add("mail", "never mail Dana", priority="high").rule
    person.rule.override(rule.id, scope="project:p", priority="critical")
    with pytest.raises(UsageError):
        agent.rule.edit(rule.id, tag=["x"])


def test_refusals_say_what_and_why(world):
    with pytest.raises(NotAllowedError) as error:
        vault_of(world).memory.edit("x", private=False)
    assert str(error.value) == "memory.edit: private is for people, not for an agent"
    with pytest.raises(NotAllowedError) as error:
        vault_of(world, served=True).import_(["/etc/hostname"])
    assert str(error.value) == (
        "import: an agent's files are in the vault, /etc/hostname is not"
    )
