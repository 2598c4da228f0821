"""The work of a hook: read one event, and answer it in the agent's own format.

A hook runs on every tool call of an agent and must never stop one by its own fault: any
error results in no context, exit 0, and a line in the log. A call without a verdict is
not allowed silently: ``late`` decides.
"""

import time
from pathlib import Path

from toolmem.core import hook_limits
from toolmem.core.agents.event import (
    BEFORE_TOOL,
    COMPACTED,
    PROMPT,
    SESSION_END,
    SESSION_START,
    SUBAGENT_START,
    TURN_END,
    Answer,
    Event,
    Reply,
)
from toolmem.core.agents.registry import dialect_of
from toolmem.errors import InvalidFileError, LostVaultError, NoVaultError, ToolmemError
from toolmem.hooks import calls, unjudged
from toolmem.hooks.payload import arguments, keep_message, payload_of, warm_word
from toolmem.hooks.supervise import HookInput, Send
from toolmem.ops.hooks import (
    compacted,
    once,
    prompt_submitted,
    session_start,
    subagent_start,
    turn_end,
    vaults_line,
)
from toolmem.store.files.timeouts import use_hook_timeouts
from toolmem.store.journal import attempt, hook_log, verdict_log
from toolmem.store.warm import helpers


def work(given: HookInput, send: Send) -> None:
    """Answer an event in this process; no answer for a call that cannot be parsed."""
    begun, warm = time.monotonic(), warm_word(given.argv)
    agent, name, vault, event = "", "", "", None
    try:
        use_hook_timeouts()
        if warm:
            attempt.begin(warm, 1)
        agent, name, vault = arguments(given.argv)
        dialect = dialect_of(agent)
        event = dialect.read(payload_of(given.data), name)
        reply = dialect.write(event, respond(event, vault))
    except (Exception, KeyboardInterrupt) as error:
        reply = _failed(agent, event.name if event else name, event, vault, error)
        if _lacks_verdict(given, event, error):
            return
    send(reply)
    if event and warm is not None:
        helpers.follow(event, given.argv)
    took = time.monotonic() - begun
    if took > hook_limits.SLOW_SECONDS and event and event.kind == BEFORE_TOOL:
        verdict_log.count(verdict_log.SLOW, agent, event.name, event.cwd, took)


def _lacks_verdict(given: HookInput, event: Event | None, error: BaseException) -> bool:
    """Return whether a call is still to be scanned: it broke the work that judges it.

    A call without an event is nested too deep, or cut off. A vault that cannot be used
    has no guards; the start of the session says so.
    """
    if event is None:
        return unjudged.unjudged(given) is not None
    return event.kind == BEFORE_TOOL and not isinstance(error, ToolmemError)


def _failed(
    agent: str, name: str, event: Event | None, vault: str, error: BaseException
) -> Reply:
    """Log an error and store the user's message for later."""
    hook_log.note(agent, name, error)
    if type(error) is NoVaultError or event is None:
        return Reply()
    stored = keep_message(event, vault)
    if stored != Reply():
        return stored
    return dialect_of(event.agent).write(event, fault_answer(event, error))


_OPS: dict[str, calls.EventOp] = {
    **calls.OPS,
    SESSION_START: session_start,
    SUBAGENT_START: subagent_start,
    COMPACTED: compacted,
    PROMPT: prompt_submitted,
    TURN_END: turn_end,
    SESSION_END: turn_end,
}


def respond(event: Event, vault: str) -> Answer:
    """Answer one event; the answer may be empty.

    ``vault`` is a folder that was named, or empty. Raises ``ToolmemError`` for a
    missing or a broken vault; see ``fault_answer``.
    """
    op = _OPS.get(event.kind)
    opened = calls.open_vaults(event, vault) if op else None
    if op is None or opened is None:
        return Answer()
    return op.answer(opened, event)


def fault_answer(event: Event, error: BaseException) -> Answer:
    """Return the answer without a usable vault: it says so, once a session.

    The user reads it at the session's start or with the next message, the model with
    the event that would give it the block.
    """
    told = event.kind in (SESSION_START, PROMPT)
    if not told or not isinstance(error, LostVaultError | InvalidFileError):
        return Answer()
    line = vaults_line.fault_line(error)
    folder = Path(event.cwd or ".").absolute()
    is_new = once.is_new(folder, event, line) or event.kind == SESSION_START
    if not event.delivers:
        return Answer(line, message=line) if is_new else Answer()
    shown = once.is_new(folder, event, f"to the model: {line}")
    return Answer(line if shown else "", message=line if is_new else "")
