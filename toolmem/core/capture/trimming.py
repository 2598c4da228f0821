"""What of a sentence is the rule: the user's own words, whole.

Cut off are the list marker, greetings, thanks and answers at the beginning, and
at the end final ``. ! ?``, thanks, a plea (", ok?"), smileys. Whitespace is
collapsed; nothing else is touched, so conditions and exceptions stay.
"""

import re

_TAIL = re.compile(
    r"(?:\s|[.!?…,;]|[:;]-?[)d(p]|<3|[\U0001f300-\U0001faff\u2600-\u27bf\ufe0f]"
    r"|,\s*(?:ok|okay|alright|please and thank you|thanks|thank you|thx|cheers|got it"
    r"|understood|deal|yeah|capiche)(?=[\s.!?]*$))+$"
)
_ABBREVIATED = re.compile(r"(?:\b[a-z]\.[a-z]|(?<![/\w])etc|\b(?:inc|ltd|co|approx))$")
_TAIL_CHARS = 80


def trim_end(text: str) -> int:
    """The length of the text without what is cut off at its end."""
    tail = text[-_TAIL_CHARS:].lower()
    found = _TAIL.search(tail)
    if not found:
        return len(text)
    end = len(text) - len(tail) + found.start()
    if text[end : end + 1] == "." and _ABBREVIATED.search(
        text[max(0, end - 8) : end].lower()
    ):
        return end + 1
    return end


def collapse(text: str) -> str:
    """The text on one line, blanks collapsed."""
    return " ".join(text.split())
