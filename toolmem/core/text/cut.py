"""Cut a text at a word, in any script, and make short names of files of it."""

import unicodedata

from toolmem.core.secrets import detect
from toolmem.core.text.terms import is_spaceless, runs


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


def slug(text: str, most: int, otherwise: str) -> str:
    """Return lower-case words joined by hyphens, of at most ``most`` characters.

    Accents are dropped and other scripts stay as they are: at most twice as many bytes,
    so that the name fits a file system. ``otherwise`` is for a text without words.
    Credentials are removed, because names are in listings, logs and messages.
    """
    name = "-".join(runs(detect.redact(text)))
    fitting = len(name.encode()[: 2 * most].decode(errors="ignore"))
    return cut_at_word(name, min(most, fitting), "-") or otherwise
