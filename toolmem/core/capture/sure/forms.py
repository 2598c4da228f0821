"""Sure forms: the closed list of sentences that are written as rules at once.

Each is an order in the user's own short message, in words that mean a standing rule
and nothing else. A message that sets a task, asks something, quotes or pastes text
has no sure sentence in it.
"""

import re

_BODY = r"\S.{3,200}"
FORMS: tuple[tuple[str, str], ...] = (
    (r"never (?!mind|again$|been|seen|had|heard|knew|thought)" + _BODY, "never …"),
    (r"(?:please )?always (?!been|seen|had|wanted|thought)" + _BODY, "always …"),
    (r"(?:from now on|going forward|in (?:the )?future),? " + _BODY, "from now on, …"),
    (_BODY + r",? from now on", "…, from now on"),
    (r"(?:new |standing |house )?rule: " + _BODY, "new rule: …"),
)
"""Pattern of each form, and the form as the manual prints it."""
BACK_FORMS: tuple[tuple[str, str], ...] = (
    (
        r"(?:forget|drop|ignore|lift|remove|scrap) (?:the|that|my|your) "
        r"(?:rule|ban|restriction|instruction|policy) (?:about|on|against|for|that) "
        + _BODY,
        "forget the rule about …",
    ),
    (r"you (?:may|can) " + _BODY + " again(?: now)?", "you may … again"),
    (r"\S.{1,200} (?:is|are) (?:allowed|fine|ok|okay) again", "… is allowed again"),
)
"""Forms that take a rule back; sure only where exactly one rule is meant."""
_COMPILED: list[re.Pattern[str]] = []


def is_sure(text: str) -> bool:
    """Return whether the text of a sentence has a sure form."""
    if not _COMPILED:
        _COMPILED.extend(
            re.compile(one, re.IGNORECASE) for one, _ in (*FORMS, *BACK_FORMS)
        )
    return any(one.fullmatch(text) for one in _COMPILED)
