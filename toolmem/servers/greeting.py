"""Start ``toolmem mcp``: answer the usual messages without the SDK.

A client waits for these before its first request to the model, and loading the
protocol's SDK takes more than a second; a tool call takes 2 ms more with it. Most of
the answers never change: they are in ``greeting.json``, which ``make generate`` takes
from the SDK's own answers. Tool calls are executed one after the other. The first
message of another kind goes to the SDK's server, with the handshake before it.
"""

import json
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from toolmem import __version__
from toolmem.api.launch import Launch, launched, repaired
from toolmem.api.vault import Vault
from toolmem.errors import MissingExtraError, ToolmemError
from toolmem.servers import mcp, mcp_streams, resources
from toolmem.servers.jsonrpc import RpcError, failure, parse, too_long
from toolmem.servers.lines import Lines, TooLong
from toolmem.servers.notices import print_notices
from toolmem.servers.process import patiently, set_apart
from toolmem.servers.tool_calls import call_tool
from toolmem.servers.tool_table import BY_NAME
from toolmem.store.origin import install_command

PROTOCOLS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
_ANSWERS = Path(__file__).with_name("greeting.json")
_HELLO, _READY = "initialize", "notifications/initialized"
_COMPACT = ",", ":"
_OF_CALLS = frozenset({"name", "arguments", "_meta"})
_PACKAGES = ("mcp", "mcp_types")


def serve(launch: Launch) -> int:
    """Answer a client until it disconnects; return the exit code.

    Raises ``NoVaultError`` and ``InvalidFileError`` before the first message, and
    ``MissingExtraError`` if the SDK is not installed.
    """
    for package in _PACKAGES:
        if find_spec(package) is None:
            step = install_command("mcp")
            raise MissingExtraError(f"{package} is not installed: {step}")
    vault = launched(launch, by_agent=True)
    print_notices(repaired(launch))
    lines = Lines.take()
    greeting = _Greeting(vault, lines, read_only=launch.read_only)
    code = patiently(greeting.talk, lines)
    if code or not greeting.left:
        return code
    talk = mcp_streams.Conversation(greeting.rest(), lines, greeting.answered)
    return mcp.serve(vault, talk, read_only=launch.read_only)


class _Greeting:
    """A conversation up to the first request that needs the SDK's server.

    ``left`` is the message that it ends with, empty at the end of the input;
    ``answered`` is the id of the handshake.
    """

    def __init__(self, vault: Vault, lines: Lines, *, read_only: bool) -> None:
        self._vault, self._lines, self._read_only = vault, lines, read_only
        self._incoming = lines.read()
        self._hello: list[bytes] = []
        self._answers: Mapping[str, Any] = {}
        self.left, self.answered = b"", ""

    def talk(self) -> None:
        """Answer messages as long as the file has the answers."""
        for count, line in enumerate(self._incoming, 1):
            if isinstance(line, TooLong):
                self._lines.write(json.dumps(failure(None, too_long(line.bytes))))
            elif not self._is_answered(line):
                self.left = line
                return
            set_apart(count)

    def rest(self) -> Iterator[bytes | TooLong]:
        """Yield the SDK server's input: the handshake, the message, and the rest."""
        yield from self._hello
        yield self.left
        yield from self._incoming

    def _is_answered(self, line: bytes) -> bool:
        try:
            message = parse(line)
        except RpcError:
            return False
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            return False
        method, given = message.get("method"), message.get("params", {})
        if not isinstance(method, str) or not isinstance(given, dict):
            return False
        if "id" not in message:
            return self._is_noted(method, line)
        result = self._result(method, given)
        number = message["id"]
        if result is None or not isinstance(number, str | int):
            return False
        if method == _HELLO:
            self._hello, self.answered = [line], repr(number)
        answer = {"jsonrpc": "2.0", "id": number, "result": result}
        self._lines.write(json.dumps(answer, ensure_ascii=False, separators=_COMPACT))
        return True

    def _is_noted(self, method: str, line: bytes) -> bool:
        if method == _READY and self._hello:
            self._hello[1:] = [line]
        return bool(self._hello)

    def _result(
        self, method: str, given: Mapping[str, Any]
    ) -> Mapping[str, Any] | None:
        if method == _HELLO:
            version = given.get("protocolVersion")
            if self._hello or version not in PROTOCOLS:
                return None
            self._answers = json.loads(_ANSWERS.read_text(encoding="utf-8"))
            info = {"name": "toolmem", "version": __version__}
            begun = {"protocolVersion": version, "serverInfo": info}
            return {**begun, **self._answers[_HELLO]}
        if not self._hello or "cursor" in given:
            return None
        if method == "ping":
            return {}
        if method == "tools/call":
            return self._called(given)
        if method == "resources/list":
            return self._resources()
        answer: Mapping[str, Any] | None = self._answers.get(method)
        if method == "tools/list" and answer and self._read_only:
            tools = [tool for tool in answer["tools"] if _reads(tool)]
            return {**answer, "tools": tools}
        return answer

    def _called(self, given: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Return the result of a tool call; None if it is not one as clients send."""
        name, arguments = given.get("name"), given.get("arguments", {})
        tool = BY_NAME.get(name) if isinstance(name, str) else None
        is_usual = given.keys() <= _OF_CALLS and isinstance(arguments, dict)
        is_usual = is_usual and isinstance(given.get("_meta", {}), dict)
        if tool is None or not is_usual or len(self._hello) < len((_HELLO, _READY)):
            return None
        return call_tool(self._vault, tool, arguments)

    def _resources(self) -> Mapping[str, Any] | None:
        """Return the vault's resources; None lets the SDK's server report the error.

        Claude Code requests it before it counts a server as connected.
        """
        try:
            return resources.resources_answer(self._vault)
        except ToolmemError:
            return None


def _reads(tool: Mapping[str, Any]) -> bool:
    return tool["annotations"]["readOnlyHint"] is True
