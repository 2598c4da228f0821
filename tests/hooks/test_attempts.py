"""A message is answered as ever when the helper that captured it dies."""

import os
import re
import time

import pytest

from tests.hooks.test_warm import typed
from tests.world import World
from toolmem.core.agents.registry import dialect_of
from toolmem.hooks.payload import payload_of
from toolmem.hooks.respond import respond
from toolmem.store.journal import attempt
from toolmem.store.journal.message_queue import Claim

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs fork")
MESSAGES = (
    "never use rsync.",
    "never use rsync. always use tabs.",
    "we usually prefer tabs in this repository, and no rsync",
    "forget the rule about scp, you may use scp from now on.",
    "run the tests",
)
"""Sure decrees, a candidate, a revocation, and none of these."""
_ID = re.compile(r"\b[0-9a-f]{8}\b")
"""An id of a rule, which follows from its message."""


@pytest.fixture
def worlds(tmp_path):
    found = []
    for name in ("whole", "died"):
        world = World(tmp_path / name)
        world.write("toolmem.toml", "")
        world.call("rule", "add", "shell", "never use scp", "--id", "aaaaaaaa")
        found.append(world)
    return found


def answer(world, text, number=""):
    os.environ[attempt.VARIABLE] = number
    event = dialect_of("claude").read(payload_of(typed(world, text)), "")
    found = respond(event, "")
    return tuple(_ID.sub("·", one) for one in (found.context, found.message))


def die(*_):
    os.kill(os.getpid(), 9)


def handled_by_one_that_dies(world, text, number, *, captured):
    """Handle an event in a process that is killed, then or before it answers."""
    process = os.fork()
    if not process:
        try:
            if captured:
                Claim.finish = die  # type: ignore[method-assign]
            answer(world, text, number)
        finally:
            die()
    os.waitpid(process, 0)


def rules(world):
    return len([*world.root.rglob("rules/*/*.toml")])


@pytest.mark.parametrize("captured", [True, False])
@pytest.mark.parametrize("text", MESSAGES)
def test_what_was_captured_is_shown(worlds, monkeypatch, text, captured):
    monkeypatch.setenv(attempt.VARIABLE, "")
    whole, died = worlds
    event = f"1f-{time.time_ns():x}"
    handled_by_one_that_dies(died, text, f"{event} 0", captured=captured)
    shown = answer(died, text, f"{event} 1")
    assert shown == answer(whole, text, f"{event} 1")
    assert (shown != ("", "")) is (text != MESSAGES[-1])
    assert rules(died) == rules(whole)
    assert answer(died, "run the tests") == answer(whole, "run the tests") == ("", "")
    assert answer(died, text) == answer(whole, text)
