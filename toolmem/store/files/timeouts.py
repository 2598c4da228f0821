"""Timeouts of this process: a person can wait, an agent's hook cannot."""

from typing import NamedTuple

from toolmem.core import limits


class Timeouts(NamedTuple):
    """Seconds to wait for another writer of the vault, and of its local state."""

    lock: float = limits.LOCK_SECONDS
    state: float = limits.STATE_SECONDS


_SERVER = Timeouts(limits.SERVER_LOCK_SECONDS, limits.SERVER_LOCK_SECONDS)
_now = [Timeouts()]


def timeouts() -> Timeouts:
    """Return the timeouts of this process."""
    return _now[0]


def is_server() -> bool:
    """Return True in a process that answers requests until it is ended."""
    return _now[0] is _SERVER


def use_hook_timeouts() -> None:
    """Use the short timeouts of hooks from now on."""
    _now[0] = Timeouts(limits.HOOK_LOCK_SECONDS, limits.HOOK_STATE_SECONDS)


def use_server_timeouts() -> None:
    """Use the long timeouts of servers, with many writers, from now on."""
    _now[0] = _SERVER
