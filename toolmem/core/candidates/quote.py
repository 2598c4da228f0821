"""Find a quotation in a user's message, and extend it to all that the user said there.

A part of a sentence may mean the opposite of the whole, so nothing less than a sentence
is a rule: with the list that it introduces, the answer to it, and the exception after
it. The words must be the user's prose: no quotation, code or pasted text.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.capture.text.masking import MaskedMessage
from toolmem.core.capture.text.sentences import Sentence, split_sentences
from toolmem.core.capture.text.words import QUOTE_MARK
from toolmem.core.text.safetext import one_line

_TYPOGRAPHIC = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"'})
_EXCEPTS = re.compile(
    r"(?i)\W*(?:unless|except|exceptions?|excluding|other than|apart from|not even"
    r"|(?:and )?nothing (?:else|more)|(?:no|without) exceptions?"
    r"|only (?:when|if|for|in|on|after|with)|but (?:only|not)"
    r"|(?:you|we)(?: may| can|['’]re (?:allowed|free)| are (?:allowed|free))"
    r"|(?:it|that|this)(?:['’]s| is) (?:ok(?:ay)?|fine|allowed) (?:if|when|to|for|in)"
    r")\b"
)
_ANSWERS = re.compile(
    r"(?i)\W*(?:(?:no|nope|please)\b[\s,.!]*)?(?:never|no|don['’]?t)\b"
)


class QuoteCheck(NamedTuple):
    """Result of a check: the span in the message, or the reason of a refusal.

    ``missing``: the words are not in the message at all.
    """

    span: tuple[int, int] | None
    reason: str = ""
    missing: bool = False


def check_quote(quote: str, message: MaskedMessage) -> QuoteCheck:
    """Find a quotation in a message; only blanks may differ."""
    words = one_line(quote.translate(_TYPOGRAPHIC)).split()
    if not words or len(quote) > limits.CAPTURED_CHARS:
        return QuoteCheck(None, "is empty or too long", missing=True)
    pattern = re.compile(
        r"(?<!\w)" + r"\s+".join(map(re.escape, words)) + r"(?!\w)", re.IGNORECASE
    )
    plain = message.text.translate(_TYPOGRAPHIC)
    refused = QuoteCheck(None, "is not in the user's messages", missing=True)
    for match in pattern.finditer(plain):
        start, end = match.span()
        if _is_prose(message.text[start:end], message.masked[start:end]):
            return QuoteCheck(whole_span(message, start, end))
        reason = "is quoted, code or pasted text in the user's message"
        refused = QuoteCheck(None, reason, missing=True)
    return refused


def whole_span(message: MaskedMessage, start: int, end: int) -> tuple[int, int]:
    """Return the span of all sentences that a span is in, with what belongs to them."""
    sentences = split_sentences(message)
    inside = [
        at
        for at, sentence in enumerate(sentences)
        if sentence.start < end > start < sentence.end
    ]
    if not inside:
        return start, end
    first, last = inside[0], inside[-1]
    if sentences[first].kind == "item":
        first, last = _list_around(message, sentences, first, last)
    while last + 1 < len(sentences) and _completes(
        sentences[last], sentences[last + 1]
    ):
        last += 1
    return min(start, sentences[first].start), max(end, sentences[last].end)


def flat_text(text: str) -> str:
    """Return quoted sentences on one line; items of a list are separated by ";"."""
    lead, *items = re.split(r"\n\s*(?:[-*+•–—]|\(?\d{1,3}[.)])\s+", text)
    return one_line(f"{lead} {'; '.join(item.strip() for item in items)}")


def exception_after(text: str) -> str:
    """Return the sentence with which a text begins, if it is an exception."""
    return text[: _first_end(text)].strip() if _EXCEPTS.match(text) else ""


def _first_end(text: str) -> int:
    stop = re.search(r"[.!?](?=\s|$)|\n", text)
    return stop.end() if stop else len(text)


def _completes(last: Sentence, after: Sentence) -> bool:
    if last.kind == "item" and after.kind != "item":
        return False
    if last.text.rstrip().endswith("?"):
        return bool(_ANSWERS.match(after.text))
    return bool(_EXCEPTS.match(after.text))


def _list_around(
    message: MaskedMessage, sentences: Sequence[Sentence], first: int, last: int
) -> tuple[int, int]:
    """Return the first and last sentence of a list and the line that introduces it."""
    start = first
    while start and _is_listed(message, sentences[start - 1], sentences[start]):
        start -= 1
    if not start or not sentences[start - 1].text.rstrip(" *_").endswith((":", "：")):
        return first, last
    while last + 1 < len(sentences) and _is_listed(
        message, sentences[last], sentences[last + 1]
    ):
        last += 1
    return start - 1, last


def _is_listed(message: MaskedMessage, sentence: Sentence, after: Sentence) -> bool:
    """Return whether two sentences are items without an empty line between them."""
    between = message.masked[sentence.end : after.start]
    apart = re.search(r"\n\s*\n", between)
    return sentence.kind == after.kind == "item" and not apart


def _is_prose(text: str, masked: str) -> bool:
    """Return True if no character of a text was masked."""
    return QUOTE_MARK not in masked and not any(
        there.isspace() and not typed.isspace()
        for typed, there in zip(text, masked, strict=True)
    )
