"""A server gives a tool what the agent of its request may see; never another's."""

import pytest

from tests.access.asking import AGENT, query, request
from toolmem.api.launch import Launch, launched
from toolmem.servers.rpc import call


@pytest.fixture
def vault(world):
    return world.vault("access")


def answers(vault, launch, **params):
    opened = launched(Launch(vault.root, **launch), by_agent=False)
    params = {"request": request(query("q", "episodic", "wines"), **params)}
    return call(opened, "query", params)["memory_context"]


def test_a_request_names_agent_and_project_where_the_launch_does_not(vault):
    (named,) = answers(vault, {})
    (launched_for,) = answers(vault, {"agent": AGENT["agent_id"]})
    assert named["status"] == "ok"
    assert [one["id"] for one in named["results"]] == [
        one["id"] for one in launched_for["results"]
    ]
    assert named["results"] != []


@pytest.mark.parametrize(
    ("launch", "context", "reason"),
    [
        (
            {"agent": "other"},
            AGENT,
            "the request names the agent 'helper': this is for 'other'",
        ),
        (
            {"project": "shop"},
            {**AGENT, "project": "bank"},
            "the request names the project 'bank': this is for 'shop'",
        ),
    ],
)
def test_a_request_that_names_another_than_the_launch_is_denied(
    vault, launch, context, reason
):
    (answer,) = answers(vault, launch, agent_context=context)
    assert (answer["status"], answer["results"]) == ("denied", [])
    assert answer["reason"] == reason


def test_what_one_agent_was_answered_another_is_not(vault):
    opened = launched(Launch(vault.root), by_agent=False)
    found = []
    for agent in ("helper", "other", "helper"):
        context = dict(AGENT, agent_id=agent)
        asked = request(query("q", "episodic", "wines"), agent_context=context)
        (answer,) = call(opened, "query", {"request": asked})["memory_context"]
        found.append([one["id"] for one in answer["results"]])
    assert found[0] == found[2] != found[1]
