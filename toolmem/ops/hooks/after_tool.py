"""After a tool: what happened is left for the end of the turn, and after a failure
the model is shown what worked the last time, if no rule states it yet."""

from toolmem.core.agents.event import TOOL_FAILED, Answer, Event
from toolmem.core.agents.record import call_record
from toolmem.core.agents.registry import same_tools
from toolmem.core.names import is_tool_name
from toolmem.core.rules.observation import observed_text
from toolmem.core.text.safetext import visible
from toolmem.core.tools.manifest import ToolNames
from toolmem.ops.capture import transcript
from toolmem.ops.hooks.journal_event import PENDING_SUFFIX, append_event, reader_journal
from toolmem.store.journal import journal
from toolmem.store.state import observed_failures
from toolmem.store.vault.rule_files import (
    load_manifests,
)
from toolmem.store.vault.vault import Vault

_MOST = 3
_COMMANDS = ("command", "cmd", "script")


def answer(vault: Vault, event: Event) -> Answer:
    """Return what worked the last time after this failure of the tool."""
    if not event.tool:
        return Answer()
    call = call_record(event)
    line = {"session": event.session, "cwd": event.cwd, "call": call}
    line["project"] = vault.session_vault.setting("project") or ""
    append_event(vault, event, line)
    if not event.takes_context:
        return Answer()
    return Answer(
        "\n".join((*_pending_notices(vault, event), *_seen_before(vault, event)))
    )


def _pending_notices(vault: Vault, event: Event) -> list[str]:
    """Return captures that could not be reported to the model earlier."""
    name = reader_journal(event, PENDING_SUFFIX)
    root = vault.session_vault.root
    if not event.session or not journal.is_there(root, name):
        return []
    taken = journal.take(root, name)
    journal.forget(taken)
    return [str(line["said"]) for line in taken.lines if "said" in line]


def _seen_before(vault: Vault, event: Event) -> list[str]:
    """Return what worked after failures that no rule states yet."""
    failed = event.kind == TOOL_FAILED and not event.interrupted
    if not failed or not is_tool_name(event.tool):
        return []
    texts = _of_one_session(vault, event)
    lines = [f"- {visible(text)}" for text in list(dict.fromkeys(texts))[:_MOST]]
    return ["Seen before:", *lines] if lines else []


def _of_one_session(vault: Vault, event: Event) -> list[str]:
    """The observations of this tool or command that are in local state only."""
    session = vault.session_vault
    names = ToolNames(load_manifests(session)[0])
    keys = {names.key(name) for name in same_tools(names.key(event.tool))}
    scopes = [str(scope) for scope in session.chain]
    with transcript.Bookmarks(session) as notebook:
        found = notebook.read(
            lambda state: observed_failures.failures_of_one_session(
                state, scopes, session.now
            )
        )
    return [
        one.text
        for one in found or ()
        if names.key(one.tool) in keys and _answers(event, one.text, keys)
    ]


def _answers(event: Event, text: str, keys: set[str]) -> bool:
    """Return whether an observation names what worked after such a failure."""
    observed = observed_text(text)
    if observed is None or not observed.has_way_out:
        return False
    given = next((event.input[k] for k in _COMMANDS if k in event.input), "")
    command = " ".join(map(str, given)) if isinstance(given, list) else str(given)
    return observed.subject.casefold() in keys or observed.concerns(command)
