"""Measure the MCP server's tokens, and the writes that it stores.

    python -m bench.servers

Writes go to one server at once and to eight servers of one vault, and to the
reference memory server (``npm install --prefix .venv/node
@modelcontextprotocol/server-memory``), which is left out if it or node is missing.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from importlib.util import find_spec
from itertools import repeat
from pathlib import Path
from typing import Any, NamedTuple

from bench.measure import Line, Program, report, times
from toolmem.core.text.tokens import estimate_tokens
from toolmem.servers.tool_table import TOOLS

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = "@modelcontextprotocol/server-memory/dist/index.js"
IN_FLIGHT = 50
BEGUN, BEGUN_PAIRS = 15, 9
PROCESSES = 8
EACH = 10


class Kept(NamedTuple):
    """Writes that were acknowledged, and those of them that can be read again."""

    acknowledged: int
    kept: int


class Server(NamedTuple):
    """A memory server: its start, a write, and its content afterwards."""

    name: str
    command: Sequence[str]
    environment: dict[str, str]
    write: Callable[[str], tuple[str, dict[str, Any]]]
    held: Callable[[], str]


def toolmem(folder: Path) -> Server:
    vault = folder / "vault"
    vault.mkdir()
    (vault / "toolmem.toml").write_text("schema = 1\n")
    return Server(
        "toolmem mcp",
        (sys.executable, "-m", "toolmem", "--vault", str(vault), "mcp"),
        {**os.environ, "PYTHONPATH": str(ROOT)},
        lambda key: ("memory_fact_store", {"key": key, "value": "kept"}),
        lambda: (vault / "system/facts.md").read_text(),
    )


def reference(folder: Path, script: Path) -> Server:
    file = folder / "memory.jsonl"

    def write(key: str) -> tuple[str, dict[str, Any]]:
        entity = {"name": key, "entityType": "fact", "observations": ["kept"]}
        return "create_entities", {"entities": [entity]}

    return Server(
        "server-memory (npm)",
        ("node", str(script)),
        {**os.environ, "MEMORY_FILE_PATH": str(file)},
        write,
        lambda: file.read_text() if file.exists() else "",
    )


class Talk:
    """One process of a server, after the handshake."""

    def __init__(self, server: Server) -> None:
        self._process = subprocess.Popen(
            server.command,
            env=server.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        hello = {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "bench", "version": "1"},
        }
        self.send([request(0, "initialize", hello)])
        self.receive()
        self.send([{"jsonrpc": "2.0", "method": "notifications/initialized"}])

    @property
    def pid(self) -> int:
        """Id of the server's process."""
        return self._process.pid

    def send(self, messages: Iterable[dict[str, Any]]) -> None:
        assert self._process.stdin is not None
        text = "".join(json.dumps(message) + "\n" for message in messages)
        self._process.stdin.write(text.encode())
        self._process.stdin.flush()

    def receive(self) -> Any:
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())

    def close(self) -> float:
        """End its input; the seconds until it has ended."""
        assert self._process.stdin is not None
        began = time.perf_counter()
        self._process.stdin.close()
        self._process.wait()
        return time.perf_counter() - began


def request(number: int, method: str, params: dict[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def call(server: Server, number: int, key: str) -> dict[str, Any]:
    name, arguments = server.write(key)
    return request(number, "tools/call", {"name": name, "arguments": arguments})


def in_flight(server: Server) -> tuple[Kept, float]:
    """So many writes to one process before any is answered; and how it ends."""
    talk = Talk(server)
    keys = [f"key_{number}_" for number in range(1, IN_FLIGHT + 1)]
    talk.send(call(server, number, key) for number, key in enumerate(keys, 1))
    good = [fine(talk.receive()) for _ in keys]
    ended = talk.close()
    held = server.held()
    return Kept(sum(good), sum(f"{key}" in held for key in keys)), ended


def together(server: Server) -> Kept:
    """So many processes at once, each with its own writes in flight."""
    talks = [Talk(server) for _ in range(PROCESSES)]
    keys = [[f"p{one}_{n}_" for n in range(EACH)] for one in range(PROCESSES)]
    for talk, own in zip(talks, keys, strict=True):
        talk.send(call(server, number, key) for number, key in enumerate(own, 1))
    good = sum(fine(talk.receive()) for talk in talks for _ in range(EACH))
    for talk in talks:
        talk.close()
    held = server.held()
    return Kept(good, sum(key in held for own in keys for key in own))


def fine(response: Any) -> bool:
    return "result" in response and not response["result"].get("isError")


def measure(make: Callable[[Path], Server], ours: bool) -> list[Line]:
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        server = make(Path(folder))
        kept, ended = in_flight(server)
        lines.append(row(f"{server.name}: {IN_FLIGHT} in flight", kept, ours))
        if ours:
            limit = "<= 1 s"
            measured = f"{ended:.2f} s"
            lines.append(Line("ends after its input", measured, limit, ended <= 1))
    with tempfile.TemporaryDirectory() as folder:
        server = make(Path(folder))
        name = f"{server.name}: {PROCESSES} processes, {EACH} each"
        lines.append(row(name, together(server), ours))
    return lines


def row(name: str, kept: Kept, ours: bool) -> Line:
    measured = f"{kept.kept} of {kept.acknowledged} acknowledged"
    ok = kept.kept == kept.acknowledged and kept.acknowledged in (
        IN_FLIGHT,
        PROCESSES * EACH,
    )
    return Line(name, measured, "all" if ours else "-", ok or not ours)


def tokens() -> list[Line]:
    """Tokens in each session of an agent: names, descriptions, arguments."""
    costs = {}
    for tool in TOOLS:
        shown = {
            "name": tool.name,
            "description": tool.description,
            "inputSchema": tool.input_schema(),
        }
        text = json.dumps(shown, separators=(",", ":"))
        costs[tool.name] = estimate_tokens(text)
    lines = [Line(f"tokens of {n}", str(cost), "-", True) for n, cost in costs.items()]
    total = sum(costs.values())
    return [*lines, Line("tokens of all tools", str(total), "<= 2800", total <= 2800)]


def begun() -> list[Line]:
    """Cost until an agent knows the tools, as whole processes."""
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "bench", "version": "1"},
    }
    messages = (
        {"id": 1, "method": "initialize", "params": hello},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
    )
    given = "".join(json.dumps({"jsonrpc": "2.0", **m}) + "\n" for m in messages)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        vault = toolmem(folder).command[-2]
        program = Program(folder / "program")
        command = program.command("--vault", vault, "mcp")
        measured, _ = program.ratio(
            repeat(command), pairs=BEGUN_PAIRS, given=given.encode()
        )
    return [times("initialize and tools/list", measured, BEGUN)]


def reference_script() -> Path | None:
    places = [ROOT / ".venv/node/node_modules"]
    places += map(Path, filter(None, os.environ.get("NODE_PATH", "").split(":")))
    found = (place / REFERENCE for place in places)
    return next((one for one in found if one.exists()), None)


def main() -> int:
    lines = tokens()
    if find_spec("mcp") is None:
        print("the extra toolmem[mcp] is not installed: the server is left out")
    else:
        lines += begun()
        lines += measure(toolmem, ours=True)
    script = reference_script()
    if script is None or shutil.which("node") is None:
        print("no node with the reference memory server: it is left out")
    else:
        lines += measure(lambda folder: reference(folder, script), ours=False)
    return report(lines)


if __name__ == "__main__":
    sys.exit(main())
