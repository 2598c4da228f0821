"""Guards of a rule: those that its file states, or those derived from its text."""

import re
from typing import Any

from toolmem.core.guard import derive
from toolmem.core.guard.derivation import describe
from toolmem.core.model import Rule
from toolmem.core.times import last_day

_MAY_FORBID = re.compile(
    r"(?i)never|n['’]?t\b|\bnot\b|no longer|no more|cannot|avoid|stop|refrain|forbid"
    r"|prohibit|banned|under no|instead of|limits|read[- ]only"
)


def guards_in_force(rule: Rule) -> tuple[dict[str, Any], ...]:
    """Return the guard tables of a rule; derived if its file states none.

    A file with ``guards = false`` states that there are none.
    """
    if rule.guards or "guard" in rule.stated:
        return rule.guards
    return derived_guards(rule.rule, rule.tool)


def derived_guards(text: str, tool: str) -> tuple[dict[str, Any], ...]:
    """Return the guard tables that follow from a text about a tool."""
    return derive.derive_guards(text, tool) if _MAY_FORBID.search(text) else ()


def effect_of(rule: Rule) -> str:
    """Return what a rule does in a few words, and until when."""
    until = f", until {last_day(rule.expires_at)}" if rule.expires_at else ""
    return describe.effect(guards_in_force(rule)) + until


def guard_line(rule: Rule) -> str:
    """Describe the guards of a rule in one line, derived ones included."""
    refused = rule.stated.get("guard") == []
    return describe.guard_line(guards_in_force(rule), refused=refused)
