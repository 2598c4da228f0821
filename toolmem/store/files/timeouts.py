"""How long this process waits for others: a person does, an agent's hook does not."""

from typing import NamedTuple

from toolmem.core import limits


class Patience(NamedTuple):
    """Seconds to wait for another writer of the vault, and of its local state."""

    lock: float = limits.LOCK_SECONDS
    state: float = limits.STATE_SECONDS


_HOOK = Patience(limits.HOOK_LOCK_SECONDS, limits.HOOK_STATE_SECONDS)
_SERVER = Patience(limits.SERVER_LOCK_SECONDS, limits.SERVER_LOCK_SECONDS)
_now = [Patience()]


def patience() -> Patience:
    """What this process has."""
    return _now[0]


def hurry() -> None:
    """From here on wait only as long as an agent lets its hooks wait."""
    _now[0] = _HOOK


def wait_for_many() -> None:
    """From here on wait as long as many others may write, one after the other."""
    _now[0] = _SERVER
