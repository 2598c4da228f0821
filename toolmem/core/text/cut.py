"""Cut a text at a word, in any script."""

import unicodedata

from toolmem.core.text.terms import is_spaceless


def cut_at_word(text: str, most: int, sign: str = " ") -> str:
    """Return the beginning of a text: at most ``most`` characters, whole words.

    Words end at the ``sign``. A script without spaces between words is cut after any
    character and its marks; so is a text of one long word.
    """
    if len(text) <= most:
        return text
    if text.isascii():
        at = text.rfind(sign, 1, most + 1)
        return text[:at] if at > 0 else text[:most]
    for at in range(most, 0, -1):
        if text[at] == sign or _is_between(text[at - 1], text[at]):
            return text[:at]
    return text[:most]


def _is_between(before: str, after: str) -> bool:
    return is_spaceless(before) and not unicodedata.category(after).startswith("M")
