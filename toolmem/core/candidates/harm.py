"""Rank a rule by its words: critical is a ban of what could do harm."""

import re

from toolmem.core.guard.derivation.stated import derived_guards
from toolmem.core.model import Priority

_STRONG = re.compile(
    r"(?i)\b(?:never|ever|under no circumstances?|on no account|at no time|must not"
    r"|mustn['’]?t|forbidden|prohibited|banned|off[- ]limits|not allowed|no ?body)\b"
)
"""Words with which a user says that a ban has no exception."""
_HARM = re.compile(
    r"(?i)\b(?:delet|drop|wip|overwrit|purg|truncat|destroy|reset|publish|releas|deploy"
    r"|push|force|send|mail|email|post|pay|charg|buy|kill|shut|restart|prod|live|secret"
    r"|password|credential|token|key|customer|without (?:asking|approval|my))\w*"
)


def highest_priority(kind: str, text: str, tool: str) -> Priority:
    """Return the priority that the words of a decree give its rule at most.

    A guard on what is written into files is one of a taste.
    """
    if kind != "ban":
        return Priority.HIGH
    stops = any("adds" not in table for table in derived_guards(text, tool))
    strict = _STRONG.search(text) or _HARM.search(text) or stops
    return Priority.CRITICAL if strict else Priority.HIGH
