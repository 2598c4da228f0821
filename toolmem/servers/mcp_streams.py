"""Connect the MCP server to the process's streams, and end it on signals."""

import asyncio
import json
import signal
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from typing import Any, NamedTuple, cast

import mcp_types as types
from anyio import AsyncFile, to_thread
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from toolmem.core import limits
from toolmem.servers.jsonrpc import (
    INVALID_REQUEST,
    RpcError,
    failure,
    parse,
    too_long,
)
from toolmem.servers.lines import Lines, TooLong
from toolmem.store.files.timeouts import use_server_timeouts

_AHEAD = 64
"""Lines read in advance while one is being processed."""
_INTERRUPTED = 130
_FORMS = {"method", "result", "error"}
"""Keys of which a message has one."""


class Conversation(NamedTuple):
    """Messages of a client, and the target of the answers.

    ``answered`` is the id (its ``repr``) of a message among them that was answered
    before: its answer is not sent again.
    """

    incoming: Iterator[bytes | TooLong]
    lines: Lines
    answered: str = ""


def converse(server: "Server[Any]", talk: Conversation) -> int:
    """Run a server until the input ends, the client disconnects or a signal comes;
    return the exit code."""
    use_server_timeouts()
    return asyncio.run(_converse(server, talk))


async def _converse(server: "Server[Any]", conversation: Conversation) -> int:
    talk = _Talk(conversation)
    work = asyncio.ensure_future(_run(server, talk))
    ended = [0]
    loop = asyncio.get_running_loop()

    def end(number: int, code: int) -> None:
        ended[0] = code
        work.cancel()
        # A write in progress is finished or left: it is not waited for long.
        loop.call_later(limits.SERVER_END_SECONDS, _end_by, number)

    if sys.platform != "win32":  # on Windows the system ends the process
        loop.add_signal_handler(signal.SIGTERM, end, signal.SIGTERM, 0)
        loop.add_signal_handler(signal.SIGINT, end, signal.SIGINT, _INTERRUPTED)
    with suppress(asyncio.CancelledError, BrokenPipeError):
        await work
    return ended[0]


def _end_by(number: int) -> None:
    """Let a signal end the process, as it does by default."""
    signal.signal(number, signal.SIG_DFL)
    signal.raise_signal(number)


async def _run(server: "Server[Any]", talk: "_Talk") -> None:
    source = cast("AsyncFile[str]", talk)
    options = server.create_initialization_options()
    async with stdio_server(source, source) as (incoming, outgoing):
        await server.run(incoming, outgoing, options)


def _text(line: "bytes | TooLong") -> str | RpcError:
    """Return a message as text, or its error, which the SDK would not answer."""
    if isinstance(line, TooLong):
        return too_long(line.bytes)
    try:
        message = parse(line)
    except RpcError as error:
        return error
    if not isinstance(message, dict) or not _FORMS & message.keys():
        reason = "not a JSON-RPC message: neither a request nor a response"
        return RpcError(INVALID_REQUEST, reason, {"reason": reason})
    return line.decode()


class _Talk:
    """Both streams in the SDK's form; the input ends when all is answered."""

    def __init__(self, conversation: Conversation) -> None:
        self._incoming, self._lines, self._answered = conversation
        self._loop = asyncio.get_running_loop()
        self._queue: asyncio.Queue[str | None] = asyncio.Queue()
        self._slots = threading.Semaphore(_AHEAD)
        self._open: set[str] = set()
        self._done = asyncio.Event()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        """Read lines in a thread that is not joined."""
        with suppress(OSError, RuntimeError):  # the loop may be closed
            for line in self._incoming:
                text = _text(line)
                if isinstance(text, RpcError):
                    self._lines.write(json.dumps(failure(None, text)))
                    continue
                self._slots.acquire()
                self._loop.call_soon_threadsafe(self._queue.put_nowait, text)
            self._loop.call_soon_threadsafe(self._queue.put_nowait, None)

    async def __aiter__(self) -> AsyncIterator[str]:
        while (line := await self._queue.get()) is not None:
            self._slots.release()
            self._note(line)
            yield line
        with suppress(TimeoutError):
            async with asyncio.timeout(limits.SERVER_DRAIN_SECONDS):
                while self._open:
                    self._done.clear()
                    await self._done.wait()

    async def write(self, text: str) -> None:
        """Send one message, its end included."""
        message = json.loads(text)
        number = repr(message.get("id"))
        is_answer = "method" not in message
        if is_answer and number == self._answered:
            self._answered = ""
        else:
            await to_thread.run_sync(self._lines.write, text.removesuffix("\n"))
        if is_answer:
            self._open.discard(number)
            self._done.set()

    async def flush(self) -> None:
        """Do nothing: there is no buffer."""

    def _note(self, line: str) -> None:
        """Remember a request until it is answered or cancelled."""
        try:
            message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
        except ValueError:
            return  # the SDK does not answer invalid messages
        if isinstance(message, types.JSONRPCRequest):
            self._open.add(repr(message.id))
        elif getattr(message, "method", "") == "notifications/cancelled":
            taken_back = (getattr(message, "params", None) or {}).get("requestId")
            self._open.discard(repr(taken_back))
