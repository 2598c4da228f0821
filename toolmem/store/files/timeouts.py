"""How long this process waits for others: a person does, an agent's hook does not."""

from toolmem.core import limits
from toolmem.core.named_tuple import NamedTuple


class Timeouts(NamedTuple):
    """Seconds to wait for another writer of the vault, and of its local state."""

    lock: float = limits.LOCK_SECONDS
    state: float = limits.STATE_SECONDS


_HOOK = Timeouts(limits.HOOK_LOCK_SECONDS, limits.HOOK_STATE_SECONDS)
_SERVER = Timeouts(limits.SERVER_LOCK_SECONDS, limits.SERVER_LOCK_SECONDS)
_now = [Timeouts()]


def timeouts() -> Timeouts:
    """What this process has."""
    return _now[0]


def use_hook_timeouts() -> None:
    """From here on wait only as long as an agent lets its hooks wait."""
    _now[0] = _HOOK


def use_server_timeouts() -> None:
    """From here on wait as long as many others may write, one after the other."""
    _now[0] = _SERVER
