"""A model on a loopback port that answers from a script and keeps every request."""

import gzip
import json
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from typing import Any

from tests.agents.dialects import Dialect, Piece, Wire, dialect_of
from tests.agents.steps import (
    SHELLS,
    Answer,
    Call,
    FromRequest,
    Offered,
    Say,
    call_for,
    find_tool,
)

_SUMMARY = re.compile(
    r"detailed summary|CONTEXT CHECKPOINT|state_snapshot|anchored summary|"
    r"summary of (?:the|our|this) conversation|compact(?:ed|ion)?\b.{0,40}conversation|"
    r"Provide a detailed (?:prompt|summary)",
    re.IGNORECASE,
)
_MODELS = {"object": "list", "data": [{"id": "scripted", "object": "model"}]}


@dataclass(frozen=True)
class Request:
    """A request of the agent's main loop, with the pieces of text it carries."""

    dialect: Dialect
    body: Mapping[str, Any]

    @property
    def pieces(self) -> list[Piece]:
        """Return every text that reached the model."""
        return [piece for piece in self.dialect.pieces(self.body) if piece.text]

    def count(self, text: str) -> int:
        """Count how often a text reached the model, in any piece."""
        return sum(piece.text.count(text) for piece in self.pieces)

    def results(self) -> list[str]:
        """Return the results of tools, in order."""
        return [piece.text for piece in self.pieces if piece.role == "tool"]

    @property
    def offered(self) -> dict[str, Offered]:
        """Return the tools on offer, by name."""
        return {tool.name: tool for tool in self.dialect.offered(self.body)}


class Model:
    """A scripted model. Use as a context: the server ends with it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._script: Sequence[Answer] = ()
        self._next = 0
        self._requests: list[Request] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def __enter__(self) -> "Model":
        return self

    def __exit__(self, *_error: object) -> None:
        self.stop()

    @property
    def url(self) -> str:
        """Return the address of the server."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def play(self, script: Sequence[Answer]) -> None:
        """Start over with a script; the requests so far are forgotten."""
        with self._lock:
            self._script, self._next, self._requests = script, 0, []

    def requests(self) -> list[Request]:
        """Return the requests of the main loop since the script began."""
        with self._lock:
            return list(self._requests)

    def stop(self) -> None:
        """End the server: its port refuses connections from now on."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def reply(self, path: str, body: Mapping[str, Any]) -> Wire:
        """Answer a request of an agent."""
        if path.endswith(("/count_tokens", ":countTokens")):
            counted = {"input_tokens": 100, "totalTokens": 100}
            return Wire("application/json", json.dumps(counted).encode())
        dialect = dialect_of(path)
        if dialect is None:
            return Wire("application/json", b"{}")
        request = Request(dialect, body)
        texts: Sequence[str]
        calls: Sequence[Call] = ()
        if find_tool(request.offered, *SHELLS) is None:
            texts = [_side_text(body)]
        elif _SUMMARY.search(_last_typed(request)):
            texts = ["<summary>They worked on a small project.</summary>"]
        else:
            steps = self._take(request)
            texts = [step.text for step in steps if isinstance(step, Say)]
            rest = [step for step in steps if not isinstance(step, Say)]
            calls = [call_for(step, request.offered) for step in rest]
        return dialect.answer(body, path, texts, calls)

    def _take(self, request: Request) -> tuple[Any, ...]:
        with self._lock:
            self._requests.append(request)
            place, self._next = self._next, self._next + 1
            if place >= len(self._script):
                return (Say("All done."),)
            answer = self._script[place]
        steps = answer if isinstance(answer, tuple) else (answer,)
        texts = [piece.text for piece in request.pieces]
        return tuple(
            one.make(texts) if isinstance(one, FromRequest) else one for one in steps
        )


def _side_text(body: Mapping[str, Any]) -> str:
    """Return an answer for titles and routing, which offer no shell."""
    if "isNewTopic" in json.dumps(body)[:20_000]:
        return '{"isNewTopic": false, "title": "small project"}'
    return "small project"


def _last_typed(request: Request) -> str:
    texts = [piece.text for piece in request.pieces if piece.role == "user"]
    return texts[-1][-6000:] if texts else ""


def _handler(model: Model) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_words: Any) -> None:
            pass

        def _send(self, code: int, wire: Wire) -> None:
            self.send_response(code)
            self.send_header("Content-Type", wire.kind)
            self.send_header("Content-Length", str(len(wire.data)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(wire.data)

        def do_GET(self) -> None:
            known = "models" in self.path
            document = _MODELS if known else {}
            data = json.dumps(document).encode()
            self._send(200 if known else 404, Wire("application/json", data))

        do_HEAD = do_GET  # noqa: N815

        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            if self.headers.get("Content-Encoding") == "gzip":
                data = gzip.decompress(data)
            try:
                body = json.loads(data or b"{}")
            except ValueError:
                self._send(400, Wire("application/json", b"{}"))
                return
            self._send(200, model.reply(self.path.partition("?")[0], body))

    return Handler


def prefix_broken(requests: Sequence[Request]) -> str:
    """Say where a request changes what an earlier one sent; empty if none does."""
    for place, (one, other) in enumerate(pairwise(requests)):
        if one.dialect.head(one.body) != other.dialect.head(other.body):
            return f"request {place + 2} has another system prompt"
        earlier = one.dialect.messages(one.body)
        later = other.dialect.messages(other.body)
        for number, (old, new) in enumerate(zip(earlier, later, strict=False)):
            if old != new:
                return f"request {place + 2} changes message {number}"
        if len(later) < len(earlier):
            return f"request {place + 2} has fewer messages"
    return ""


def dump(requests: Sequence[Request], folder: Path) -> Iterator[Path]:
    """Write the bodies of requests into a folder, for reading after a failure."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, request in enumerate(requests, 1):
        path = folder / f"{number:02d}.json"
        text = json.dumps(request.body, indent=1, ensure_ascii=False)
        path.write_text(text, encoding="utf-8")
        yield path
