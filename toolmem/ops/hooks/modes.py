"""Modes of hooks in this project: ``guard.mode`` and ``inject.mode``."""

from collections.abc import Callable

from toolmem.ops.rules import guard
from toolmem.store.vault.vault import Vault

_ENFORCE, _ON, _OBSERVE, _OFF = "enforce", "on", "observe", "off"


def judge(
    vault: Vault,
    check: "Callable[[Vault], guard.GuardAnswer]",
    observed: "Callable[[guard.GuardAnswer], None]",
) -> "guard.GuardAnswer":
    """The verdict of a call, as far as the vaults in force are to enforce one.

    ``observed`` is called with the answer of a vault that only observes.
    """
    modes = {place.setting("guard.mode") for place in vault.in_force}
    if modes == {_ENFORCE}:
        return check(vault)
    answers = []
    for place in vault.in_force:
        mode = place.setting("guard.mode")
        off = mode == _OFF
        answer = guard.GuardAnswer("allow") if off else check(place._replace(own=None))
        if mode == _OBSERVE:
            observed(answer)
            answer = guard.GuardAnswer("allow", shown=answer.shown)
        answers.append(answer)
    return guard.strictest(answers)


def enforcing(vault: Vault) -> tuple[Vault, ...]:
    """The vaults in force whose rules decide about calls."""
    return tuple(v for v in vault.in_force if v.setting("guard.mode") == _ENFORCE)


def injected(vault: Vault) -> Vault | None:
    """Return the vaults whose text the agent is given, or None."""
    return _with_inject_mode(vault, _ON)


def observed_injection(vault: Vault) -> Vault | None:
    """Return the vaults whose text is only counted, or None."""
    return _with_inject_mode(vault, _OBSERVE)


def _with_inject_mode(vault: Vault, mode: str) -> Vault | None:
    places = [place for place in vault.in_force if place.setting("inject.mode") == mode]
    if len(places) == len(vault.in_force):
        return vault
    return places[0]._replace(own=None) if places else None


def turned_off(vault: Vault) -> str:
    """List what is turned off here, for the line of a session's start."""
    off = [
        f"{name} {mode}"
        for name in ("guard", "inject", "capture")
        if (mode := vault.setting(f"{name}.mode")) in (_OBSERVE, _OFF)
    ]
    return ", ".join(off)
