"""What of a sentence is the rule: the user's own words, whole.

Cut off are the list marker, greetings, thanks and answers at the beginning, and
at the end final ``. ! ?``, thanks, a plea (", ok?"), smileys. Whitespace is
collapsed and tags that only format are left out; nothing else is touched, so
conditions and exceptions stay.
"""

import re

_TAIL = re.compile(
    r"(?:\s|[.!?…,;]|[:;]-?[)d(p]|<3|[\U0001f300-\U0001faff\u2600-\u27bf\ufe0f]"
    r"|,\s*(?:ok|okay|alright|please and thank you|thanks|thank you|thx|cheers|got it"
    r"|understood|deal|yeah|capiche)(?=[\s.!?]*$))+$"
)
_ABBREVIATED = r"(?:\b[a-z]\.[a-z]|(?<![/\w])etc|\b(?:inc|ltd|co|approx))$"
_FORMATTING = r"</?(?:b|i|em|strong|u|mark|span|font|big|small)>"
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_LOWER = str.maketrans(_LETTERS.upper(), _LETTERS)
"""Lower case that keeps every place (``İ`` has two letters in lower case)."""
_TAIL_CHARS = 80


def trim_end(text: str) -> int:
    """The length of the text without what is cut off at its end."""
    if text.endswith(")") and "(" not in text and not text.endswith((":)", ";)", "-)")):
        return trim_end(text.rstrip(") "))
    tail = text[-_TAIL_CHARS:].translate(_LOWER)
    found = _TAIL.search(tail)
    if not found:
        return len(text)
    end = len(text) - len(tail) + found.start()
    if text[end : end + 1] == "." and re.search(
        _ABBREVIATED, text[max(0, end - 8) : end].lower()
    ):
        return end + 1
    return end


def collapse(text: str) -> str:
    """The text on one line: blanks collapsed, formatting tags left out."""
    if "<" in text:
        text = re.sub(_FORMATTING, "", text)
    return " ".join(text.split())
