"""Sure forms: the closed list of sentences that are stored as rules at once.

Each is an order in the user's own short message, in words that mean a standing rule and
nothing else. A sentence about a product, a quotation or a question is not sure, and
neither is any sentence of a message with a task in it.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from toolmem.core.capture.text.lists import word_list
from toolmem.core.capture.text.words import QUOTE, Token, word_set


class Form(NamedTuple):
    """A sure form: its pattern over words, the form as the manual prints it."""

    pattern: str
    shown: str
    example: str


_OPENS = r"(?:(?:ok|okay|also|and|so|please|pls|hey|hi|again|but) ,? ?)*"
_IDIOM = (
    r"(?!(?:mind|again|been|seen|had|heard|knew|thought|wanted|worked|works|a|an|the|on"
    r"|in|at|too|nice|good|happens|once|have|has|would|could|say|more|look|forget|it|is)"
    r"\b)"
)
"""Words after "never" or "always" that do not begin an order."""
_NOT_PRONOUN = r"(?!(?:it|we|i|the|they|there|this|that|he|she|our)\b)"
FORMS = (
    Form(
        rf"(?:do me a favor and )?never (?:ever )?{_IDIOM}.+",
        "never …",
        "Never push to main.",
    ),
    Form(rf"do not ever {_IDIOM}.+", "don't ever …", "Don't ever use sudo."),
    Form(rf"always {_IDIOM}.+", "always …", "Always run the linter."),
    Form(
        r"(?:before|after|when|whenever|if|in|on|for) .{3,80}? , (?:always|never) .+",
        "when …, always …",
        "Before you commit, always run the tests.",
    ),
    Form(
        r"(?:from now on|going forward|in (?:the )?future|from here on) ,? ?"
        rf"{_NOT_PRONOUN}.+",
        "from now on …",
        "From now on, answer in French.",
    ),
    Form(r".+ ,? ?from now on", "… from now on", "Use pnpm from now on."),
    Form(
        r"(?:(?:new|standing|house) )?rule : .+",
        "new rule: …",
        "New rule: one migration per commit.",
    ),
    Form(
        r"you (?:must (?:never|always|not)|are not allowed to|must ask) .+",
        "you must never …",
        "You must never edit applied migrations.",
    ),
    Form(r"only ever .+", "only ever …", "Only ever write to /tmp."),
    Form(
        r"under no circumstances .+",
        "under no circumstances …",
        "Under no circumstances drop a table.",
    ),
)
BACK_FORMS = (
    Form(
        r"(?:forget|drop|ignore|lift|remove|scrap) (?:the|that|my|your) "
        r"(?:rule|ban|restriction|instruction|policy) (?:about|on|against|for|that) .+",
        "forget the rule about …",
        "Forget the rule about tabs.",
    ),
    Form(
        r"you (?:may|can) .+ again(?: now)?",
        "you may … again",
        "You may push to main again.",
    ),
    Form(
        r".+ (?:is|are) (?:allowed|fine|okay) again",
        "… is allowed again",
        "Sudo is allowed again.",
    ),
)
"""Forms that take a rule back; sure only where exactly one rule is meant."""
_PRODUCT = word_list("forms product")
"""Words of a requirement of a product."""
_THIS_TASK = word_set("yet today tonight now currently")
_FEWEST_WORDS, _MOST_WORDS = 2, 40
_COMPILED: list[re.Pattern[str]] = []


def is_sure(tokens: Sequence[Token]) -> bool:
    """Return whether the tokens of a sentence have a sure form."""
    words = [token.word for token in tokens]
    while words and words[-1] in (".", "!", "…", ")", ":"):
        words.pop()
    present = set(words)
    if not _FEWEST_WORDS <= len(words) <= _MOST_WORDS or present & {"?", QUOTE}:
        return False
    text = " ".join(words)
    later = present & _THIS_TASK - ({"now"} if "from now on" in text else set())
    if present & _PRODUCT or (later and "again" not in present):
        return False
    if not _COMPILED:
        patterns = (form.pattern for form in (*FORMS, *BACK_FORMS))
        _COMPILED.extend(re.compile(_OPENS + pattern) for pattern in patterns)
    return any(pattern.fullmatch(text) for pattern in _COMPILED)
