"""Outcomes of a turn's calls that only the agent's transcript has.

Codex hands a hook the output of a command without its exit code; when the turn ends,
the transcript has both.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from toolmem.core.agents.event import Event
from toolmem.core.agents.registry import agent_of
from toolmem.core.transcript.events import CallStatus
from toolmem.core.transcript.fields import mapping, text
from toolmem.core.transcript.outcome import read_output
from toolmem.core.turns.errors import stored_error
from toolmem.ops.hooks.journal_event import append_event
from toolmem.store.journal import journal, transcript_tail
from toolmem.store.vault.vault import Vault

_OUTPUT = b'_call_output"'


def leave_outcomes(vault: Vault, event: Event) -> None:
    """Append to the session's journal how its unfinished calls ended."""
    if not event.transcript or not agent_of(event.agent).late_outcomes:
        return
    lines = journal.read(vault.root, journal.name_of(event.session))
    calls = [line["call"] for line in lines if isinstance(line.get("call"), dict)]
    unknown = {
        str(call["id"]) for call in calls if "id" in call and "output" not in call
    }
    if not unknown:
        return
    for line in transcript_tail.read_after(event.transcript, 0).split(b"\n"):
        if _OUTPUT in line:
            for outcome in _outcomes(line, unknown):
                append_event(vault, event, {"outcome": outcome})


def _outcomes(line: bytes, unknown: set[str]) -> Iterator[Mapping[str, Any]]:
    try:
        payload = mapping(mapping(json.loads(line)).get("payload"))
    except (ValueError, RecursionError):
        return
    call = text(payload.get("call_id"))
    result = read_output(payload.get("output"), CallStatus.OK)
    if call not in unknown or result.status not in (CallStatus.OK, CallStatus.FAILED):
        return
    failed = result.status is CallStatus.FAILED
    output = stored_error(result.output) if failed else ""
    outcome: dict[str, Any] = {"id": call, "output": output}
    if failed:
        outcome["is_error"] = True
    if result.exit_code is not None:
        outcome["exit_code"] = result.exit_code
    yield outcome
