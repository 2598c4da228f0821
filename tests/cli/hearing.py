"""Messages said to a toolmem in a test, as a harness would hand them over."""

import json
from typing import Any

from tests.world import World

TOOLS = ["send_email", "bash", "edit"]


def spoken(*messages: str, **keys: Any) -> str:
    """A transcript in the minimal form: messages that a person typed."""
    typed = [{"role": "user", "content": text} for text in messages]
    return json.dumps({"messages": typed, "tools": TOOLS, **keys})


def tell(
    world: World, *messages: str, session: str = "", args: Any = (), new: str = ""
) -> Any:
    """Return the result of capture for messages; ``new`` is a project it reports."""
    given = spoken(*messages, **({"session_id": session} if session else {}))
    done = world.call("capture", "-", "--json", *args, stdin=given)
    remark = f"toolmem: project {new!r} is new in this vault\n" if new else ""
    assert (done.code, done.stderr) == (0, remark), done
    return json.loads(done.stdout)


def outcome(found: Any, *keys: str) -> list[tuple[Any, ...]]:
    """Some keys of each decree."""
    return [tuple(entry.get(key) for key in keys) for entry in found["decrees"]]


def rules(world: World, *args: str) -> Any:
    """The rules of the vault."""
    return json.loads(world.call("rule", "list", "--json", *args).stdout)


def proposals(world: World) -> Any:
    """Return the proposals that wait for review."""
    return json.loads(world.call("review", "--json").stdout)
