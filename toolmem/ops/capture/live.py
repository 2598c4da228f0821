"""Capturing what a person typed while an agent works: now, or as soon as it can be."""

import json
from pathlib import Path
from typing import Any
from uuid import uuid4

from toolmem.core.agents.event import Event
from toolmem.core.rules.captured import REFUSED, CapturedDecree
from toolmem.core.scope import write_scope
from toolmem.errors import ToolmemError
from toolmem.ops.capture.capture import capture
from toolmem.ops.capture.pending_messages import WAITING, keep_for_later, message_of
from toolmem.ops.capture.process_journal import settle
from toolmem.ops.capture.summary_lines import decree_line
from toolmem.ops.capture.transcript import CaptureRequest
from toolmem.store.state import journal
from toolmem.store.state.counters import tools_called
from toolmem.store.state.database import has_state, open_state
from toolmem.store.state.hook_log import note
from toolmem.store.vault.vault import Vault

_TOLD = ("created", "retired", "proposed", "amended", "contested")


def hear(vault: Vault, event: Event) -> list[str]:
    """Capture the message of an event; a line for each rule that came of it.

    What cannot be written waits, and is captured when the next event comes.
    """
    message = message_of(event)
    try:
        return _captured(vault, event, message)
    except ToolmemError as error:
        note(event.agent, event.name, error)
        keep_for_later(vault.root, message, outside=False)
        return []


def hear_waiting(vault: Vault, event: Event) -> list[str]:
    """Capture what waits for this vault, or for the folder that the event is in."""
    lines: list[str] = []
    for root in dict.fromkeys((vault.root, Path(event.cwd or vault.root))):
        taken = journal.take(root, WAITING)
        left = list(taken.lines)
        try:
            while left:
                # One that cannot be captured at all must not hold up the others.
                message = left.pop(0)
                try:
                    lines += _captured(vault, event, message)
                except ToolmemError as error:
                    left.insert(0, message)
                    note(event.agent, event.name, error)
                    break
        finally:
            journal.forget(taken)
            for message in left:
                keep_for_later(vault.root, message, outside=False)
    return lines


def _captured(vault: Vault, event: Event, message: dict[str, Any]) -> list[str]:
    session = str(message.get("session", ""))
    if session:
        settle(vault, session)
    called: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    if session and has_state(vault.root):
        with open_state(vault.root) as state:
            called, used = tools_called(state, session)
    said = {"role": "user", "content": message.get("text"), "id": message.get("id")}
    request = CaptureRequest(
        write_scope(vault.chain),
        lambda: uuid4().hex,
        lines=json.dumps({"messages": [said]}).encode(),
        format="toolmem",
        session=session,
        cwd=str(message.get("cwd", "")),
        since_last=True,
        agent=str(message.get("agent", "")),
        called=called,
        used=used,
    )
    found = capture(vault, request)
    for remark in found.remarks:
        note(event.agent, event.name, ToolmemError(remark))
    return [decree_line(one) for one in found.decrees if _is_told(one)]


def _is_told(decree: CapturedDecree) -> bool:
    """What changed, and what somebody will miss: the rest is as it was."""
    return decree.action in _TOLD or decree.change == REFUSED
