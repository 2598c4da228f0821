"""The answer to an event that was not judged: out of time, or too large to be read.

A call is asked about when a plain scan finds the name of anything guarded in it, or
when the guarded names cannot be read either.
"""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from toolmem.core import hook_limits
from toolmem.core.agents.event import BEFORE_TOOL, Answer, Event, Reply
from toolmem.core.agents.registry import Dialect, dialect_of
from toolmem.errors import NoVaultError, ToolmemError
from toolmem.hooks.payload import arguments, keep_message, payload_of
from toolmem.hooks.supervise import Given, Send
from toolmem.ops.rules import scan
from toolmem.store.journal.hook_log import note
from toolmem.store.journal.verdict_log import LARGE, LATE, count
from toolmem.store.vault import discover
from toolmem.store.vault import vault as vaults

_KEYS = (b'"hook_event_name"', b'"event"')
_CWD = b'"cwd"'
_VALUE = re.compile(rb'\s{0,100}:\s{0,100}("(?:[^"\\]|\\.){0,4096}")')
_MOST_PLACES = 8
_EDGE = 256 * 1024
"""Agents name the event before the arguments or behind them: of a long payload only
both ends are searched for it."""
UNKNOWN = "something that may be guarded"
"""Found where the guarded names cannot be read, or a rule may be about any call."""
_ALLOW = "run it, or try again: `toolmem doctor` has more"


def answer(given: Given, send: Send) -> None:
    """Reply to an event that got no verdict, and count it."""
    agent, name, folder = arguments(given.argv)
    dialect = dialect_of(agent)
    event = _raw_event(dialect, given.data, name)
    if event.kind == BEFORE_TOOL:  # until the scan has found nothing
        send(dialect.write(event, _ask(UNKNOWN, given)))
    if given.whole:
        event = _event(dialect, given.data, name)
    is_call = event.kind == BEFORE_TOOL
    if is_call:
        send(dialect.write(event, _ask(UNKNOWN, given)))
    kind = LARGE if len(given.data) > hook_limits.READ_BYTES else LATE
    count(kind, agent, event.name, event.cwd, hook_limits.SECONDS)
    note(agent, event.name, TimeoutError(_reason(given)))
    message = keep_message(event, folder)
    if message.stdout or message.stderr:
        send(message)
    if is_call:
        cwd = Path(event.cwd) if event.cwd else Path.cwd()
        try:
            vault = vaults.Vault.open(
                discover.find_in_force({"vault": folder}, cwd), vaults.utc_now()
            )
        except NoVaultError:
            send(Reply())
            return
        except ToolmemError as error:
            note(agent, event.name, error)
            return
        if given.ended:
            found = scan.guarded_name(vault, given.data, event.input)
            said = Answer() if found is None else _ask(found or UNKNOWN, given)
            send(dialect.write(event, said))
        scan.compile_guards(vault)


def _reason(given: Given) -> str:
    if len(given.data) > hook_limits.READ_BYTES:
        return f"the event is larger than {hook_limits.READ_BYTES} bytes"
    return f"no answer within {hook_limits.SECONDS} s"


def _ask(found: str, given: Given) -> Answer:
    reason = f"not judged in time ({_reason(given)}): the call names {found}"
    return Answer(verdict="ask", reason=reason, allow=_ALLOW)


def _event(dialect: Dialect, data: bytes, name: str) -> Event:
    try:
        return dialect.read(payload_of(data), name)
    except (ValueError, RecursionError):
        return dialect.read({}, name)


def _raw_event(dialect: Dialect, data: bytes, name: str) -> Event:
    """As much of an event as its text has without being parsed."""
    if len(data) > 2 * _EDGE:
        data = data[:_EDGE] + data[-_EDGE:]
    names = [value for key in _KEYS for value in _values(data, key)]
    folder = next(_values(data, _CWD), "")
    events = [
        dialect.read({"hook_event_name": one, "event": one, "cwd": folder}, name)
        for one in (*names, "")
    ]
    return next((event for event in events if event.kind == BEFORE_TOOL), events[0])


def _values(data: bytes, key: bytes) -> Iterator[str]:
    """The texts under a key; one inside an argument has its quotation marks escaped."""
    at = -1
    for _ in range(_MOST_PLACES):
        at = data.find(key, at + 1)
        if at < 0:
            return
        found = _VALUE.match(data, at + len(key))
        if found and data[at - 1 : at] != b"\\":
            with suppress(ValueError):
                yield str(json.loads(found[1]))
