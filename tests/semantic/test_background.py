"""A server with the model answers at once, and by meaning once vectors exist."""

from itertools import count

import pytest

from tests.servers.connection import Server
from tests.world import World

QUESTION = "where can I get a meal"
PENDING = "vectors are being computed in the background: searched without the model"


@pytest.fixture
def vault(world: World) -> World:
    world.write("toolmem.toml", 'schema = 1\n[search]\nsemantic = "model"\n')
    for n in range(40):
        world.write(
            f"system/memory/n{n}.md", f"# Number {n}\n\nHost {n} is in rack {n}.\n"
        )
    world.write(
        "system/memory/lunch.md", "# Canteen\n\nThe kitchen serves hot lunch.\n"
    )
    return world


def ids(answer) -> list[str]:
    return [hit["id"] for hit in answer["results"]]


def test_a_server_answers_before_its_vectors_are_computed(vault):
    with Server(vault.root, "rpc") as server:
        first = server.result("search", query=QUESTION)
        asked = count(1)
        while not (vault.root / ".toolmem/index/vectors/kept").exists():
            assert next(asked) < 20_000
            server.result("search", query=QUESTION)
        assert "lunch" in ids(server.result("search", query=QUESTION))
        vault.write("system/memory/soup.md", "# Soup\n\nThe cook makes hot soup.\n")
        server.result("search", query=QUESTION)
        server.finish()
        _, _, errors = server.ended()
    assert errors.decode().count(PENDING) == 1
    assert "lunch" in ids(first)  # by the table, which needs no vectors
