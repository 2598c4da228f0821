"""Answer events without a verdict: out of time, or too large to be read.

A call needs the user's confirmation if a plain scan finds the name of anything guarded
in it, or if the guarded names cannot be read either. A ``toolmem rule keep`` alone
verifies what it keeps, so it is not held up.
"""

from pathlib import Path

from toolmem.core import hook_limits
from toolmem.core.agents.agent import Dialect
from toolmem.core.agents.event import BEFORE_TOOL, Answer, Event, Reply
from toolmem.core.agents.registry import dialect_of
from toolmem.core.visibility import Audience
from toolmem.errors import NoVaultError, ToolmemError
from toolmem.hooks.payload import arguments, keep_message, payload_of
from toolmem.hooks.supervise import HookInput, Send
from toolmem.hooks.unjudged import UNKNOWN, ask, late_reason, raw_event
from toolmem.ops.hooks.before_tool import late_name
from toolmem.ops.hooks.keep_hook import keep_command_of
from toolmem.ops.rules import scan
from toolmem.store.journal.hook_log import note
from toolmem.store.journal.verdict_log import LARGE, LATE, count
from toolmem.store.vault import discover
from toolmem.store.vault import vault as vaults


def answer(given: HookInput, send: Send) -> None:
    """Reply to an event that got no verdict, and count it."""
    agent, name, folder = arguments(given.argv)
    dialect = dialect_of(agent)
    given, event = _read(dialect, given, name)
    is_held = event.kind == BEFORE_TOOL and keep_command_of(event) is None
    if is_held:  # until the scan has found nothing
        send(dialect.write(event, ask(UNKNOWN, given)))
    kind = LARGE if len(given.data) > hook_limits.READ_BYTES else LATE
    count(kind, agent, event.name, event.cwd, hook_limits.CALL_SECONDS)
    note(agent, event.name, TimeoutError(late_reason(given)))
    if not is_held:
        send(keep_message(event, folder))
        return
    try:
        vault = _vault(event, folder)
    except NoVaultError:
        send(Reply())
        return
    except ToolmemError as error:
        note(agent, event.name, error)
        return
    if given.ended:
        guarded = late_name(vault, event, given.data)
        answered = Answer() if guarded is None else ask(guarded or UNKNOWN, given)
        send(dialect.write(event, answered))
    scan.compile_guards(vault)


def _vault(event: Event, folder: str) -> vaults.Vault:
    cwd = Path(event.cwd) if event.cwd else Path.cwd()
    location = discover.find_in_force({"vault": folder}, cwd)
    return vaults.Vault.open(location, vaults.utc_now(), Audience.AGENT)


def _read(dialect: Dialect, given: HookInput, name: str) -> tuple[HookInput, Event]:
    """Return the event, with fields from its raw text if it cannot be parsed."""
    if given.whole:
        try:
            return given, dialect.read(payload_of(given.data), name)
        except (ValueError, RecursionError):
            given = given._replace(whole=False)
    return given, raw_event(dialect, given.data, name)
