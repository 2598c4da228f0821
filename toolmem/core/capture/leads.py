"""What the line above a list, or above a paragraph, announces: rules, or what not.

A lead is in lower case, without its colon.
"""

from itertools import pairwise

from toolmem.core.capture.lexicon import RULE_LEADS, SPEC_LEADS
from toolmem.core.capture.smallwords import word_set

_OURS = word_set("i we")
_BEFOREHAND = (["before", "we", "start"], ["before", "we", "begin"])
_REMARKS = word_set(
    "review reviews feedback comments comment remarks notes findings suggestions"
)


def announces_rules(lead: str) -> bool:
    """ "House rules:", "how I work with agents:", "a few things before we start:"."""
    words = _words(lead)
    if RULE_LEADS & set(words) or words[-3:] in _BEFOREHAND:
        return True
    return any(
        how == "how" and who in _OURS and "work" in words[at + 2 :]
        for at, (how, who) in enumerate(pairwise(words))
    )


def announces_others(lead: str) -> bool:
    """What a product shall do ("Requirements:"), and what somebody else remarks."""
    words = _words(lead)
    if SPEC_LEADS & set(words):
        return True
    return any(one in _REMARKS and by in ("from", "by") for one, by in pairwise(words))


def _words(lead: str) -> list[str]:
    return lead.replace(",", " ").split()
