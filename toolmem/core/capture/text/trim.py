"""Cut a sentence down to its rule, in the user's own words.

The list marker, greetings, thanks and answers are cut at the beginning; final ``. !
?``, thanks, a plea (", ok?") and smileys at the end. Whitespace is collapsed and
formatting tags are removed. Conditions and exceptions stay.
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
"""Lower case for ASCII only, which preserves offsets (``İ`` becomes two letters)."""
_TAIL_CHARS = 80


def trim_end(text: str) -> int:
    """Return the length of the text without its cut end."""
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
    """Return the text on one line, without formatting tags."""
    if "<" in text:
        text = re.sub(_FORMATTING, "", text)
    return " ".join(text.split())
