"""Doctor: check the search index and local state; both can be created again."""

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
    "state-folder": ("delete it: toolmem creates the folder again", False),
    "state-open": (f"{_FIXES} makes it private", True),
    "state-not-ignored": (f"{_FIXES} writes it again", True),
    "state-no-file": ("delete it: toolmem creates it again", False),
    "state-access": ("check whose it is: chmod u+rw", False),
    "state-locked": ("wait for the other process, or end it", False),
    "state-damaged": (f"{_FIXES} moves it aside and creates a new one", True),
    "state-newer": ("upgrade toolmem, or delete the file", False),
    "state-aside": ("inspect it if counts or turns are missing, then delete it", False),
    "message-failed": (
        "repeat the message in other words, report the bug, then delete the file",
        False,
    ),
    "journal-full": ("end the session: its next turns will not be stored", False),
    "journal-old": (f"{_FIXES} moves it away: its session did not end properly", True),
}


def index(vault: Vault) -> Iterator[Finding]:
    """Check every byte of the search index."""
    search_index = index_of(vault)
    cure = f"{_FIXES} rebuilds it (`toolmem index rebuild`)"
    try:
        damage = search_index.verify()
        status = search_index.status()
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
        cure = f"the next search rebuilds it, or {_FIXES}"
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
        wait = "is waiting" if number == 1 else "are waiting"
        message = f"{counted(number, 'message')} {wait} for a vault that can be written"
        cure = "the next hook or `toolmem capture` stores them"
        yield Finding("state", "spool-waits", message, cure, "warning")
    for problem in load_pending(vault).problems:
        cure = "edit or delete the file: `toolmem review` cannot read this proposal"
        yield Finding(
            "state", "pending-broken", problem.message, cure, "warning", problem.path
        )
    yield from _lock(vault)


def _lock(vault: Vault) -> Iterator[Finding]:
    try:
        holder = lock.holder(vault.root)
    except ToolmemError as error:
        cure = "delete it: toolmem creates its lock again"
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
