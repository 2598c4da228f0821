"""Normal forms of Unicode, in linear time for any text.

Python sorts the marks that follow a letter by insertion, in quadratic time: a megabyte
of them takes minutes. No language has more than a few on one letter.
"""

import re
import unicodedata
from typing import Literal

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]
_MOST_MARKS = 30
"""Marks of one letter that count, as in the Stream-Safe Text Format of Unicode (UAX 15,
section 13)."""
_BECOME_MARKS = "\u0f73\u0f75\u0f81\uff9e\uff9f"
_MARKS = rf"(?:[^\w\x00-\x7f]|[{_BECOME_MARKS}]){{{_MOST_MARKS + 1},}}"
"""Characters that may all be marks; signs and spaces are among them."""


def normal_form(form: "Form", text: str) -> str:
    """Return a text in a normal form, without marks beyond the 30th of a letter."""
    if text.isascii():
        return text
    if re.search(_MARKS, text):
        text = re.sub(_MARKS, lambda found: _shortened(found[0]), text)
    return unicodedata.normalize(form, text)


def _shortened(run: str) -> str:
    kept = []
    marks = 0
    for char in run:
        is_mark = unicodedata.combining(char) or char in _BECOME_MARKS
        marks = marks + 1 if is_mark else 0
        if marks <= _MOST_MARKS:
            kept.append(char)
    return "".join(kept)
