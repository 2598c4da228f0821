"""The surfaces that the demands go through; servers are shared by a module."""

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.hooks.players import Claude
from tests.program import ROOT
from tests.servers.connection import Server
from tests.world import TEMPLATE, VAULTS, World


class Served:
    """A server, and the vault that it serves."""

    def __init__(self, server: Server, vault: Path) -> None:
        self.server = server
        self.vault = vault

    def put(self, tool: str, rule: str, **more: Any) -> Any:
        """Put a rule of a tool."""
        return self.ask("memory.tool_rule_put", tool_name=tool, rule=rule, **more)

    def ask(self, method: str, **params: Any) -> Any:
        """The result of a method of JSON-RPC."""
        return self.server.result(method, **params)

    def refused(self, method: str, **params: Any) -> str:
        """The message of a method that fails."""
        return str(self.server.error(method, **params)["message"])

    def tool(self, name: str, **arguments: Any) -> Any:
        """The data of a tool's answer in MCP."""
        result = self.server.result("tools/call", name=name, arguments=arguments)
        assert not result.get("isError"), result
        return result["structuredContent"]

    def wrong(self, name: str, **arguments: Any) -> str:
        """The text of a tool's refusal in MCP."""
        result = self.server.result("tools/call", name=name, arguments=arguments)
        assert result["isError"]
        return str(result["content"][0]["text"])


def _served(request: Any, factory: Any, kind: str) -> Iterator[Served]:
    home = factory.mktemp("home")
    place = home / "vault"
    name = request.module.VAULT
    shutil.copytree(TEMPLATE if name == "template" else VAULTS / name, place)
    environment = {
        key: ""
        for key in os.environ
        if key.startswith(("TOOLMEM", "_TOOLMEM", "XDG_", "GIT_"))
    }
    environment |= {"HOME": str(home), "PYTHONPATH": str(ROOT)}
    with Server(place, kind, **environment) as server:
        yield Served(server, place)


@pytest.fixture(scope="module")
def rpc(request, tmp_path_factory):
    """``toolmem rpc`` on a copy of the module's vault."""
    yield from _served(request, tmp_path_factory, "rpc")


@pytest.fixture(scope="module")
def mcp(request, tmp_path_factory):
    """``toolmem mcp`` on a copy of the module's vault, after the handshake."""
    pytest.importorskip("mcp", reason="the extra toolmem[mcp] is not installed")
    for served in _served(request, tmp_path_factory, "mcp"):
        served.server.result(
            "initialize",
            protocolVersion="2025-06-18",
            capabilities={},
            clientInfo={"name": "a client", "version": "1"},
        )
        served.server.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        yield served


class Typed:
    """A vault that transcripts are captured into."""

    def __init__(self, world: World) -> None:
        self.world = world

    def capture(self, *messages: str, calls: Any = (), session: str = "s-1") -> Any:
        """Capture messages that a person typed, and the calls that followed."""
        typed: list[Any] = [{"role": "user", "content": text} for text in messages]
        if calls:
            typed.append({"role": "assistant", "tool_calls": list(calls)})
        tools = ["send_email", "bash", "browser"]
        given: Any = {"messages": typed, "tools": tools, "session_id": session}
        return self.json("capture", "-", stdin=json.dumps({**given, "cwd": "/w/app"}))

    def turn(self, *calls: Any) -> str:
        """Add a turn with calls; the block of the session."""
        messages: list[Any] = [{"role": "user", "content": "Go on."}]
        messages.append({"role": "assistant", "tool_calls": list(calls)})
        given = json.dumps({"messages": messages, "cwd": "/w/app"})
        self.call("turn", "add", "--session", "s-1", stdin=given)
        return self.call("turn", "render", "--session", "s-1")

    def call(self, *words: str, stdin: str = "") -> str:
        """Return the output of a command."""
        done = self.world.call(*words, stdin=stdin)
        assert done.code == 0, done
        return done.stdout

    def json(self, *words: str, stdin: str = "") -> Any:
        """Return the JSON output of a command."""
        return json.loads(self.world.call(*words, "--json", stdin=stdin).stdout)

    def rules(self) -> list[Any]:
        """The rules of the vault."""
        return list(self.json("rule", "list"))


@pytest.fixture
def command(world):
    """The command line, in a vault with nothing in it."""
    return Command(world.vault("empty"))


class Command(Typed):
    """A vault that commands are run in."""

    def write(self, path: str, text: str) -> None:
        """Write a file of the vault."""
        self.world.write(path, text)

    def read(self, path: str) -> str:
        """The text of a file."""
        return self.world.read(path)


@pytest.fixture
def transcript(world):
    """Transcripts, captured into a vault with nothing in it."""
    return Typed(world.vault("empty"))


@pytest.fixture
def hook(tmp_path):
    """An agent's hooks on a copy of the template."""
    World(tmp_path).vault("template")
    return Claude(tmp_path)
