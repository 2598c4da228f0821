"""Guards of a rule: those in its file, or those derived from its text."""

import re
from typing import Any

from toolmem.core.guard import derive
from toolmem.core.model import Rule

_MAY_FORBID = re.compile(
    r"(?i)never|n['’]?t\b|\bnot\b|no longer|no more|cannot|avoid|stop|refrain|forbid"
    r"|prohibit|banned|under no|instead of|limits|read[- ]only"
)


def stated_guards(rule: Rule) -> tuple[dict[str, Any], ...]:
    """Return the guard tables of a rule; derived if its file has no ``guard`` key.

    ``guard = []`` in the file disables derivation.
    """
    if rule.guards or "guard" in rule.stated or not _MAY_FORBID.search(rule.rule):
        return rule.guards
    return derive.derive_guards(rule.rule, rule.tool)


def guarded(rule: Rule) -> Rule:
    """Return the rule with its guards, derived ones included."""
    return rule._replace(guards=stated_guards(rule))
