"""Answer calls of which only the raw text is known.

The answer is made before the work begins, from a search without parsing, so that a call
has an answer even if everything else stalls.
"""

import json
import re
from collections.abc import Iterator
from contextlib import suppress

from toolmem.core import hook_limits
from toolmem.core.agents.agent import Dialect
from toolmem.core.agents.event import BEFORE_TOOL, Answer, Event, Reply
from toolmem.core.agents.registry import dialect_of
from toolmem.errors import UsageError
from toolmem.hooks.payload import arguments
from toolmem.hooks.supervise import HookInput

_KEYS = (b'"hook_event_name"', b'"event"')
_CWD = b'"cwd"'
_SESSIONS = (b'"session_id"', b'"sessionId"', b'"session"', b'"conversation_id"')
_VALUE = re.compile(rb'\s{0,100}:\s{0,100}("(?:[^"\\]|\\.){0,4096}")')
_MOST_PLACES = 8
_EDGE = 256 * 1024
"""Agents name the event before or after the arguments: only both ends of a long payload
are searched for it."""
UNKNOWN = "something that may have a guard"
"""Used if the guarded names cannot be read, or a rule may be about any call."""
_ALLOW = "run it or try again; `toolmem doctor` shows more"


def unjudged(given: HookInput) -> Reply | None:
    """Return the reply to a call without a verdict; None for any other event."""
    try:
        agent, name, _ = arguments(given.argv)
        dialect = dialect_of(agent)
    except UsageError:
        return None
    event = raw_event(dialect, given.data, name)
    if event.kind != BEFORE_TOOL:
        return None
    return dialect.write(event, ask(UNKNOWN, given))


def ask(found: str, given: HookInput) -> Answer:
    """Let the user decide about a call that names something guarded."""
    reason = f"not checked in time ({late_reason(given)}): the call names {found}"
    return Answer(verdict="ask", reason=reason, allow=_ALLOW)


def late_reason(given: HookInput) -> str:
    """Return the reason for a missing verdict."""
    if len(given.data) > hook_limits.READ_BYTES:
        return f"the event is larger than {hook_limits.READ_BYTES} bytes"
    if not given.whole:
        return "the event could not be read"
    return f"no answer within {hook_limits.CALL_SECONDS} s"


def raw_event(dialect: Dialect, data: bytes, name: str) -> Event:
    """Read as much of an event as its text contains without being parsed."""
    if len(data) > 2 * _EDGE:
        data = data[:_EDGE] + data[-_EDGE:]
    names = [value for key in _KEYS for value in _values(data, key)]
    known = {"cwd": next(_values(data, _CWD), "")}
    for key in _SESSIONS:
        for value in _values(data, key):
            known.setdefault(key.decode().strip('"'), value)
    events = [
        dialect.read({**known, "hook_event_name": one, "event": one}, name)
        for one in (*names, "")
    ]
    return next((event for event in events if event.kind == BEFORE_TOOL), events[0])


def _values(data: bytes, key: bytes) -> Iterator[str]:
    """Yield the texts under a key; quotation marks are escaped inside an argument."""
    at = -1
    for _ in range(_MOST_PLACES):
        at = data.find(key, at + 1)
        if at < 0:
            return
        match = _VALUE.match(data, at + len(key))
        if match and data[at - 1 : at] != b"\\":
            with suppress(ValueError):
                yield str(json.loads(match[1]))
