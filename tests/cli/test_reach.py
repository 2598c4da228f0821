"""Bans on tools that act on the world follow the user into every project."""

import json

import pytest

from tests.cli.hearing import rules, spoken, tell
from tests.hooks.players import OpenCode
from tests.world import World

DANA = "Never email Dana at dana@example.com."
MAIL = "system/rules/send_email/never-email-dana"


@pytest.fixture
def vault(world: World) -> World:
    return world.vault("template").write("../app/.toolmem.toml", 'project = "acme"\n')


def scopes(vault: World) -> dict[str, str]:
    return {rule["rule"]: rule["scope"] for rule in rules(vault)}


def acme(*args: str) -> list[str]:
    return ["--project", "acme", *args]


def test_a_ban_on_mail_typed_in_a_project_is_for_every_project(vault):
    found = tell(vault, DANA, "Never use sudo.", args=acme())
    assert [one["scope"] for one in found["decrees"]] == ["system", "system"]
    assert scopes(vault)[DANA[:-1]] == "system"
    call = json.dumps({"to": "dana@example.com", "body": "hi"})
    asked = ("guard", "send_email", "--input", call, "--json", "--project", "other")
    assert json.loads(vault.call(*asked).stdout)["verdict"] == "deny"


def undone(line: str) -> str:
    """Return the id in the undo of a captured rule."""
    return line.partition("toolmem rule delete ")[2].partition(";")[0]


def test_each_answer_names_the_scope_and_how_to_change_it(vault):
    here = "Never use sudo in this repository."
    done = vault.call("capture", *acme(), stdin=spoken(DANA, here))
    mail, sudo = done.stdout.splitlines()
    short = undone(mail)
    assert "in every project" in mail
    assert f"toolmem rule move {short} --scope project:acme" in mail
    short = undone(sudo)
    assert "only in project acme" in sudo
    assert f"toolmem rule move {short} --scope system" in sudo
    assert vault.call("rule", "move", short, "--scope", "system").code == 0
    assert scopes(vault)[here[:-1]] == "system"


def test_a_demand_on_mail_stays_in_its_project(vault):
    tell(vault, "Always cc me when you email a customer.", args=acme())
    assert set(scopes(vault).values()) >= {"project:acme"}


def test_a_scope_that_a_person_names_counts(vault):
    tell(vault, DANA, args=acme("--scope", "project:acme"), new="acme")
    assert scopes(vault)[DANA[:-1]] == "project:acme"


def test_taking_it_back_in_a_project_ends_it_there(vault):
    tell(vault, DANA, args=acme())
    tell(vault, "You can email Dana again.", args=("--project", "other"))
    call = json.dumps({"to": "dana@example.com", "body": "hi"})
    asked = ("guard", "send_email", "--input", call, "--json", "--project")
    verdicts = [
        json.loads(vault.call(*asked, project).stdout)["verdict"]
        for project in ("acme", "other")
    ]
    assert verdicts == ["deny", "allow"]


def test_it_is_read_again_without_a_second_rule(vault):
    for _ in range(2):
        tell(vault, DANA, session="s-1", args=acme())
    assert list(scopes(vault)).count(DANA[:-1]) == 1


def test_an_agent_keeps_it_for_every_project_too(vault):
    vault.write(".toolmem.toml", 'project = "acme"\n')
    player = OpenCode(vault.root)
    player.prompt("Fix the form. We should not email dana@example.com, ok? Thanks!")
    keep = "toolmem rule keep --quote 'We should not email dana@example.com, ok?'"
    words = [f"{keep} --tool mail", "toolmem rule keep --quote 'Fix the form' --tool x"]
    for command in words:
        player.before(player.shell, command=command)
    found = scopes(vault)
    assert found["We should not email dana@example.com"] == "system"
    assert found["Fix the form"] == "project:acme"


def test_a_manifest_with_another_reach_is_reported(vault):
    vault.write("tools/chat.toml", 'name = "chat"\nreach = "moon"\n')
    assert "reach: expected \"world\", found 'moon'" in vault.call("check").stdout
