"""Verify that a quotation is the user's own words and that omissions do not change it.

An agent may shorten what the user typed to a verbatim part. The part must be the user's
prose (no quotation, code or pasted text) and include a negation before it and a
condition after it; without either it would be another rule.
"""

import re
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.text.safetext import one_line

QUOTED = "\ue001"
"""Character that replaces quotations in a masked message."""
_NEGATIONS = re.compile(
    r"\b(?:never|not|no|nor|don'?t|doesn'?t|didn'?t|won'?t|can'?t|cannot|shouldn'?t"
    r"|mustn'?t|without|avoid|stop|refrain|forbid|forbidden|ban|prohibit\w*|isn'?t"
    r"|aren'?t|wasn'?t|unless|except|if|instead)\b",
    re.IGNORECASE,
)
_CONDITIONS = re.compile(
    r"\s*,?\s*\(?\s*(?:unless|except|until|till|if|when|while|without|outside|inside"
    r"|before|after|only|but|other than|apart from|as long as|in case|during|for now"
    r"|today|this time|on (?:production|staging)|in (?:production|staging))\b",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?。！？](?=\s|$)|\n\s*\n|\n\s*(?=[-*+•]|\d+[.)])")
_TYPOGRAPHIC = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"'})


class QuoteCheck(NamedTuple):
    """Result of a check: the span in the message, or the reason of a refusal.

    ``missing``: the words are not in the message at all.
    """

    span: tuple[int, int] | None
    reason: str = ""
    missing: bool = False


def check_quote(quote: str, message: str, masked: str) -> QuoteCheck:
    """Find a quotation in a message; only blanks may differ.

    ``masked`` is the message, of the same length, with blanks in place of text that is
    not the user's prose and ``QUOTED`` in place of quotations.
    """
    words = one_line(quote.translate(_TYPOGRAPHIC)).split()
    if not words or len(quote) > limits.CAPTURED_CHARS:
        return QuoteCheck(None, "is empty or too long", missing=True)
    plain = message.translate(_TYPOGRAPHIC)
    pattern = re.compile(
        r"(?<!\w)" + r"\s+".join(map(re.escape, words)) + r"(?!\w)", re.IGNORECASE
    )
    refused = QuoteCheck(None, "is not in the user's messages", missing=True)
    for found in pattern.finditer(plain):
        start, end = found.span()
        refused = _checked(plain, masked, start, end)
        if refused.span is not None:
            return refused
    return refused


def _checked(message: str, masked: str, start: int, end: int) -> QuoteCheck:
    if not _is_prose(message[start:end], masked[start:end]):
        reason = "is quoted, code or pasted text in the user's message"
        return QuoteCheck(None, reason, missing=True)
    before = message[_sentence_start(masked, start) : start]
    lost = _NEGATIONS.search(before)
    if lost:
        return QuoteCheck(
            None, f"leaves out “{lost[0]}” before it: include that in the quotation"
        )
    if _CONDITIONS.match(message[end : _sentence_end(masked, end)]):
        return QuoteCheck(
            None, "leaves out a condition after it: include that in the quotation"
        )
    return QuoteCheck((start, end))


def _is_prose(text: str, masked: str) -> bool:
    """Return True if no character of a text was masked."""
    return QUOTED not in masked and not any(
        there.isspace() and not typed.isspace()
        for typed, there in zip(text, masked, strict=True)
    )


def _sentence_start(masked: str, place: int) -> int:
    last = 0
    for found in _SENTENCE_END.finditer(masked, 0, place):
        last = found.end()
    return last


def _sentence_end(masked: str, place: int) -> int:
    found = _SENTENCE_END.search(masked, place)
    return found.start() if found else len(masked)
