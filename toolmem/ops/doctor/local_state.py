"""Doctor: the search index and local state, which may both be begun anew."""

from collections.abc import Iterator
from pathlib import Path

from toolmem.core.finding import Finding
from toolmem.core.shown import counted
from toolmem.errors import ToolmemError
from toolmem.ops.capture.pending_messages import number_waiting
from toolmem.store.files import lock
from toolmem.store.state.state_check import Damage, state_damage, waiting
from toolmem.store.vault.library import index_of
from toolmem.store.vault.pending import load_pending
from toolmem.store.vault.vault import Vault

_CHECKSUM = "the checksum is wrong"
_FIXES = "toolmem doctor --fix"
_CURES = {
    "state-folder": ("delete it: toolmem makes a folder of its own", False),
    "state-open": (f"{_FIXES} closes it to others", True),
    "state-not-ignored": (f"{_FIXES} writes it anew", True),
    "state-no-file": ("delete it: it is begun anew", False),
    "state-access": ("check whose it is: chmod u+rw", False),
    "state-locked": ("wait for the other process, or end it", False),
    "state-damaged": (f"{_FIXES} moves it aside and begins it anew", True),
    "state-newer": ("upgrade toolmem, or delete the file", False),
    "state-aside": ("look at it if you miss counts or turns, then delete it", False),
    "message-failed": (
        "say it again in other words, report the bug, then delete the file",
        False,
    ),
    "journal-full": ("end the session: its next turns are not remembered", False),
    "journal-old": (f"{_FIXES} moves it away: its session never ended", True),
}


def index(vault: Vault) -> Iterator[Finding]:
    """Whether the search index can be used: every byte of it is checked."""
    found = index_of(vault)
    cure = f"{_FIXES} builds it anew (`toolmem index rebuild`)"
    try:
        damage = found.verify()
        status = found.status()
    except (OSError, ToolmemError) as error:
        yield Finding("index", "index-unreadable", str(error), cure)
        return
    wrong = [line for line in damage if _CHECKSUM in line]
    if status.folder and Path(status.folder).is_file():
        cure = "delete the file, then run `toolmem index rebuild`"
        yield Finding("index", "index-blocked", status.reason, cure)
    elif wrong:
        message = "; ".join(wrong)
        yield Finding("index", "index-damaged", message, cure, fixable=True)
    elif damage or status.state == "broken":
        message = "; ".join(damage) or status.reason
        cure = f"the next search builds it anew, or {_FIXES}"
        yield Finding("index", "index-interrupted", message, cure, "warning", "", True)
    for path, reason in status.problems if not damage else ():
        message = f"is not searched: {reason}"
        yield Finding(
            "index", "not-searched", message, "edit the file", "warning", path
        )


def state(vault: Vault, *, deep: bool) -> Iterator[Finding]:
    """The folder of local state, its database, and what waits in it."""
    for damage in state_damage(vault.root, vault.now.timestamp(), deep=deep):
        yield _finding(damage)
    number = waiting(vault.root) + number_waiting(vault)
    if number:
        wait = "that was heard waits" if number == 1 else "that were heard wait"
        message = f"{counted(number, 'message')} {wait} for a vault that can be written"
        cure = "the next hook or `toolmem capture` takes them up"
        yield Finding("state", "spool-waits", message, cure, "warning")
    for problem in load_pending(vault).problems:
        cure = "edit or delete the file: it is a proposal that `review` cannot read"
        yield Finding(
            "state", "pending-broken", problem.message, cure, "warning", problem.path
        )
    yield from _lock(vault)


def _lock(vault: Vault) -> Iterator[Finding]:
    try:
        holder = lock.holder(vault.root)
    except ToolmemError as error:
        cure = "delete it: toolmem makes a lock of its own"
        yield Finding("state", "lock-broken", str(error), cure)
        return
    if holder:
        message = f"{holder} is writing to this vault"
        yield Finding("state", "locked", message, "wait for it, or end it", "note")


def _finding(damage: Damage) -> Finding:
    cure, fixable = _CURES[damage.code]
    quiet = (
        "state-aside",
        "message-failed",
        "journal-old",
        "journal-full",
        "state-open",
    )
    severity = "warning" if damage.code in quiet else "error"
    return Finding(
        "state", damage.code, damage.message, cure, severity, damage.path, fixable
    )
