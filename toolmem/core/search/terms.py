"""Split text into words, in the same way for documents and queries.

Words are stemmed afterwards, in the language of the vault.
"""

import re
import unicodedata
from functools import cache, lru_cache

from toolmem.core.named_tuple import NamedTuple

_WORD = bytes(ord(c.lower()) if c.isalnum() else 32 for c in map(chr, range(128)))
_WORD += bytes(128)
"""ASCII letters and digits in lower case, and everything else as spaces."""
_CASE = b"".join(
    b"A" if c.isupper() else b"a" if c.isalnum() else b" " for c in map(chr, range(128))
)
_CASE += bytes(128)
SPACELESS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Myanmar, Khmer
    "\u1100-\u11ff\u3005-\u3007\u3040-\u30ff\u3100-\u312f\u31a0-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
"""Scripts without spaces between words, for a character class.

Korean has spaces, but particles follow its words without one.
"""
_INDIC = "\u0900-\u0963\u0966-\u0dff"
_TIBETAN = "\u0f71-\u0f84\u0f8d-\u0fbc"
_ANY = (
    rf"[{SPACELESS}]+"
    rf"|(?:[^\W_{SPACELESS}]|[{_INDIC}{_TIBETAN}])+"
)
# The breve of Cyrillic Й and Ў makes another letter and remains, unlike the dots of Ё.
_DROPPED = (
    r"(?:[\u0300-\u0305\u0307-\u036f\u0483-\u0487]|(?<![иу])\u0306"
    r"|[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]"  # Hebrew points
    r"|[\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]"  # Arabic vowels
    r"|[\u093c\u00ad\u200b-\u200d\ufe00-\ufe0f\ufeff])+"
)
_LETTERS = str.maketrans(
    {
        "æ": "ae", "œ": "oe", "ð": "d", "đ": "d", "þ": "th", "ø": "o", "ł": "l",
        "ħ": "h", "ŧ": "t", "ı": "i", "ŋ": "n",
        "ʻ": "'", "ʼ": "'",
        "ة": "ه", "ى": "ي", "ی": "ي", "ک": "ك",
        **{
            chr(zero + digit): str(digit)
            for zero in (0x660, 0x6F0, 0x966)  # Arabic, Persian, Devanagari
            for digit in range(10)
        },
    }
)  # fmt: skip
"""Letters that are typed as others and that Unicode does not decompose."""
_HUMPED = r"(?<![A-Za-z0-9])[A-Za-z0-9][a-z0-9]*+[A-Z][A-Za-z0-9]*+"
_HUMP = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+"
# Compiled at first use: a search in plain ASCII needs none of them.
_compiled = cache(re.compile)


class SpacedText(NamedTuple):
    """Words in one text, with a space before and after each, and their number."""

    text: str = " "
    many: int = 0


def fold(text: str) -> str:
    """Lower the case; remove accents, vowel points, width variants and hidden marks."""
    if text.isascii():
        return text.lower()
    # NFKD turns mathematical letters into plain capitals, which are folded below.
    plain = unicodedata.normalize("NFKD", text.casefold())
    apart = unicodedata.normalize("NFKD", plain.casefold())
    bare = _compiled(_DROPPED).sub("", apart).translate(_LETTERS)
    return unicodedata.normalize("NFC", bare)


def runs(text: str) -> list[str]:
    """Return the words of a text, and whole runs of scripts without spaces."""
    found: list[str] = _compiled(_ANY).findall(fold(text))
    return found


def words(text: str) -> list[str]:
    """Return the words of a document, in order.

    Identifiers and paths are split at every sign; camel case also yields its parts
    (``parseQuery``: ``parsequery``, ``parse``, ``query``). Scripts without spaces yield
    every character and every pair of adjacent ones.
    """
    if text.isascii():
        # Translating bytes is five times as fast as translating text.
        return text.encode().translate(_WORD).decode().split() + _humps(text)
    found: list[str] = []
    for word in runs(text):
        if is_spaceless(word):
            found += word
            found += pairs(word)
        else:
            found.append(word)
    return found + _humps(text)


def spaced(text: str) -> SpacedText:
    """Return the same words as one text, several times as fast as `words`."""
    if not text.isascii():
        found = words(text)
        return SpacedText(f" {' '.join(found)} ", len(found))
    data = text.encode()
    cases = b" " + data.translate(_CASE)
    plain = f" {data.translate(_WORD).decode()} "
    count = cases.lower().count(b" a")
    if b"aA" not in cases:
        return SpacedText(plain, count)
    parts = _humps(text)
    return SpacedText(f"{plain}{' '.join(parts)} ", count + len(parts))


def asked_words(text: str) -> list[str]:
    """Return the words of a query: as `words`, with pairs instead of characters."""
    if text.isascii():
        return words(text)
    found: list[str] = []
    for word in runs(text):
        if is_spaceless(word) and len(word) > 1:
            found += pairs(word)
        else:
            found.append(word)
    return found + _humps(text)


@lru_cache(maxsize=4096)
def normal_topic(text: str) -> str:
    """Return the stored form of a topic: lower case, words joined by hyphens."""
    return "-".join(words(text) if text.isascii() else runs(text) + _humps(text))


def is_spaceless(word: str) -> bool:
    """Return True if the word's script has no spaces between words."""
    return not word.isascii() and bool(_compiled(f"[{SPACELESS}]").match(word))


def pairs(run: str) -> list[str]:
    """Return every two adjacent characters."""
    return [run[at : at + 2] for at in range(len(run) - 1)]


def _humps(text: str) -> list[str]:
    if not _has_hump(text):
        return []
    parts: list[str] = []
    for word in _compiled(_HUMPED).findall(text):
        if _has_hump(word):
            parts += _compiled(_HUMP).findall(word)
    return [part.lower() for part in parts]


def _has_hump(text: str) -> bool:
    return b"aA" in text.encode("utf-8", "surrogatepass").translate(_CASE)
