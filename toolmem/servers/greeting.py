"""Start ``toolmem mcp``: answer the first messages without the SDK.

A client waits for these before its first request to the model, and loading the
protocol's SDK takes more than a second. Most of the answers never change: they are in
``greeting.json``, which ``make generate`` takes from the SDK's own answers. The first
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
from toolmem.servers.jsonrpc import failure, too_long
from toolmem.servers.lines import Lines, TooLong
from toolmem.servers.notices import print_notices
from toolmem.servers.process import patiently

_PROTOCOLS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
_ANSWERS = Path(__file__).with_name("greeting.json")
_HELLO, _READY = "initialize", "notifications/initialized"
_PACKAGES = ("mcp", "mcp_types")


def serve(launch: Launch) -> int:
    """Answer a client until it disconnects; return the exit code.

    Raises ``NoVaultError`` and ``InvalidFileError`` before the first message, and
    ``MissingExtraError`` if the SDK is not installed.
    """
    for package in _PACKAGES:
        if find_spec(package) is None:
            message = f"{package} is not installed: pip install 'toolmem[mcp]'"
            raise MissingExtraError(message)
    vault = launched(launch, by_agent=True)
    print_notices(repaired(launch))
    lines = Lines.take()
    greeting = _Greeting(vault, lines, read_only=launch.read_only)
    code = patiently(greeting.talk)
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
        for line in self._incoming:
            if isinstance(line, TooLong):
                self._lines.write(json.dumps(failure(None, too_long(line.bytes))))
            elif not self._is_answered(line):
                self.left = line
                return

    def rest(self) -> Iterator[bytes | TooLong]:
        """Yield the SDK server's input: the handshake, the message, and the rest."""
        yield from self._hello
        yield self.left
        yield from self._incoming

    def _is_answered(self, line: bytes) -> bool:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
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
        self._lines.write(json.dumps(answer, ensure_ascii=False))
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
            if self._hello or version not in _PROTOCOLS:
                return None
            self._answers = json.loads(_ANSWERS.read_text(encoding="utf-8"))
            info = {"name": "toolmem", "version": __version__}
            begun = {"protocolVersion": version, "serverInfo": info}
            return {**begun, **self._answers[_HELLO]}
        if not self._hello or "cursor" in given:
            return None
        if method == "ping":
            return {}
        if method == "resources/list":
            return self._resources()
        found: Mapping[str, Any] | None = self._answers.get(method)
        if method == "tools/list" and found and self._read_only:
            tools = [one for one in found["tools"] if _reads(one)]
            return {**found, "tools": tools}
        return found

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
