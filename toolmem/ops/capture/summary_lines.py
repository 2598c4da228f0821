"""Lines that report a capture: one for each decree or failure.

A user may paste such lines back to an agent: capture knows how they begin and
finds nothing in them.
"""

from collections.abc import Iterable

from toolmem.core import limits
from toolmem.core.candidates.captured import CapturedDecree
from toolmem.core.candidates.place import place_note
from toolmem.core.guard.derivation import describe
from toolmem.core.guard.derivation.duties import derive_duties
from toolmem.core.guard.derivation.stated import derived_guards
from toolmem.core.model import ANY_TOOL
from toolmem.core.text.safetext import visible
from toolmem.ops.capture import failures

ABOUT = {"amend": "amends", "contest": "contradicts", "retire": "retires"}
"""Noun for the rules of a proposal, by its kind."""

_WAITING = ("proposed", "amended", "contested")
"""Actions that change nothing until a person accepts the proposal."""


def decree_line(decree: CapturedDecree) -> str:
    """Return a sentence and what was done with it; a new rule with its undo."""
    about = ", ".join(rule_id[: limits.ID_SHOWN] for rule_id in decree.about)
    if decree.change in ABOUT and about:
        about = f"{ABOUT[decree.change]} {about}"
    clamped = "an agent's rule is at most high" if decree.clamped else ""
    effect = _effect(decree) if decree.action in ("created", "seen") else ""
    notes = "; ".join(filter(None, (about, decree.reason, clamped, effect)))
    what = _action(decree.action, decree.id, decree.priority.value)
    if decree.action in _WAITING:
        what = f"only proposed, not in effect: [{decree.priority.value}]"
        accept = f"toolmem review --accept {_short(decree.id)}"
        notes = "; ".join(filter(None, (accept, notes)))
    return _line(what, decree.tools, decree.text, notes)


def _effect(decree: CapturedDecree) -> str:
    """Return what a rule now does, where, and how to undo it."""
    checks = describe.guard_line(
        derived_guards(decree.text, decree.tools[0]), derive_duties(decree.text)
    )
    where = undo = ""
    if decree.scope is not None:
        where = place_note(decree.scope, decree.id or "", decree.here)
        undo = _undo(decree.id) if decree.action == "created" else ""
    return "; ".join(filter(None, (undo, checks, where)))


def failure_line(note: "failures.FailureNote") -> str:
    """A tool that failed repeatedly, and what was done about it."""
    notes = note.reason
    if note.action == "observed":
        notes = "local until it happens in another session"
    elif note.action == "created":
        notes = _undo(note.id)
    what = _action(note.action, note.id, "normal")
    return _line(what, (note.tool,), note.text, notes)


def _action(action: str, rule_id: str | None, priority: str) -> str:
    if action == "created":
        return f"new {priority} rule for"
    return f"{action} {_short(rule_id)} [{priority}]"


def _undo(rule: str | None) -> str:
    return f"undo: toolmem rule delete {_short(rule)}"


def _short(rule_id: str | None) -> str:
    return (rule_id or "-")[: limits.ID_SHOWN]


def _line(what: str, tools: Iterable[str], text: str, notes: str) -> str:
    named = ", ".join("every tool" if tool == ANY_TOOL else tool for tool in tools)
    about = f" ({notes})" if notes else ""
    return visible(f"captured: {what} {named}: {text}{about}")
