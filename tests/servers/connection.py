"""A toolmem that serves: started as a process, spoken to over its pipes."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.client import toolmem

TOOLMEM = (sys.executable, "-m", "toolmem")


class Server:
    """``toolmem rpc`` or ``mcp`` on a vault; what it prints besides is kept.

    It is forked from a process that has loaded the SDK; a ``fresh`` one is an
    interpreter, and has the signals that it is sent.
    """

    def __init__(self, vault: Path, *words: str, **env: str) -> None:
        self.process = _start([*toolmem(), "--vault", str(vault), *words], vault, env)
        self._ids = 0

    @classmethod
    def fresh(cls, vault: Path, *words: str) -> "Server":
        """A server that is an interpreter."""
        return cls.of(_start([*TOOLMEM, "--vault", str(vault), *words], vault, {}))

    @classmethod
    def by_code(cls, vault: Path, code: str) -> "Server":
        """A server that Python code starts."""
        return cls.of(_start([sys.executable, "-c", code], vault, {}))

    @classmethod
    def of(cls, process: "subprocess.Popen[bytes]") -> "Server":
        """A server that was started in another way."""
        server = cls.__new__(cls)
        server.process, server._ids = process, 0
        return server

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def send(self, *messages: Any) -> None:
        """Send messages, each a line; what is no bytes is written as JSON."""
        pipe = self.process.stdin
        assert pipe is not None
        for message in messages:
            raw = message if isinstance(message, bytes) else json.dumps(message)
            pipe.write((raw if isinstance(raw, bytes) else raw.encode()) + b"\n")
        pipe.flush()

    def receive(self) -> Any:
        """The next message."""
        pipe = self.process.stdout
        assert pipe is not None
        line = pipe.readline()
        assert line.endswith(b"\n"), self.ended()
        return json.loads(line)

    def ask(self, method: str, **params: Any) -> Any:
        """The response to one request."""
        self._ids += 1
        request = {"jsonrpc": "2.0", "id": self._ids, "method": method}
        self.send({**request, "params": params})
        response = self.receive()
        assert (response["jsonrpc"], response["id"]) == ("2.0", self._ids)
        return response

    def result(self, method: str, **params: Any) -> Any:
        """The result of one request, which succeeds."""
        response = self.ask(method, **params)
        assert "result" in response, response
        return response["result"]

    def error(self, method: str, **params: Any) -> Any:
        """The error of one request, which fails."""
        return self.ask(method, **params)["error"]

    def finish(self) -> None:
        """Say that there is no more to ask."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.stdin = None

    def ended(self) -> tuple[int, bytes, bytes]:
        """Outcome when its input ends: code, unread output, remarks."""
        out, err = self.process.communicate(timeout=30)
        return self.process.returncode, out, err


def _start(
    words: Sequence[str], vault: Path, env: Mapping[str, str]
) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        words,
        cwd=vault,
        env={**os.environ, **env},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def request(number: int | str, method: str, **params: Any) -> dict[str, Any]:
    """A JSON-RPC request."""
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
