"""Split text into words, in the same way for documents and queries.

Words are stemmed afterwards, in the language of the vault.
"""

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from operator import add
from typing import NamedTuple
from zlib import crc32

from toolmem.core.text.normal_form import normal_form

_WORD = bytes(ord(c.lower()) if c.isalnum() else 32 for c in map(chr, range(128)))
_WORD += bytes(128)
"""ASCII letters and digits in lower case, and everything else as spaces."""
_CASE = b"".join(
    b"A" if c.isupper() else b"a" if c.isalnum() else b" " for c in map(chr, range(128))
)
_CASE += b" " * 128
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
_ANY = rf"[\w{_INDIC}{_TIBETAN}{SPACELESS}]+"
_RUN = rf"([{SPACELESS}]+)"
_DROPPED = (
    "[\u0300-\u0305\u0307-\u036f\u0483-\u0487"
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"  # Hebrew points
    "\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed"  # Arabic vowels
    "\u093c\u00ad\u200b-\u200d\ufe00-\ufe0f\ufeff]+"
)
_BREVE = "\u0306"
_ACCENT = rf"(?<![иу]){_BREVE}"
"""A breve, unless it makes another letter: Cyrillic й or ў."""
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
_OTHER = f"[{''.join(map(chr, _LETTERS))}]+"
_SIGNS = (
    "[\u00a0-\u00a7\u00a9\u00ab\u00ac\u00ae\u00b0\u00b1\u00b6\u00b7\u00bb\u00bf\u00d7\u00f7"
    "\u2010-\u2029\u202f-\u205e\u2190-\u23ff\u2500-\u2775\u2794-\u27bf\U0001f300-\U0001f5ff]+"
)
"""Typographic signs and symbols, which are in no word."""
_LABEL = rf"{_ANY}(?:[+#]+(?:{_ANY})?)*"
_LABEL_WORDS = 24
"""Words of a label, at most, that may have parts of others at their end."""
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
    plain = normal_form("NFKD", text.casefold())
    apart = normal_form("NFKD", plain.casefold())
    bare = _compiled(_DROPPED).sub("", apart)
    if _BREVE in bare:
        bare = _compiled(_ACCENT).sub("", bare)
    if _compiled(_OTHER).search(bare):
        bare = bare.translate(_LETTERS)
    return normal_form("NFC", bare)


def runs(text: str) -> list[str]:
    """Return the words of a text, and whole runs of scripts without spaces."""
    folded = fold(text).replace("_", " ")
    words: list[str] = _compiled(_ANY).findall(folded)
    if not _compiled(_RUN).search(folded):
        return words
    split = _compiled(_RUN).split
    return [run for word in words for run in split(word) if run]


def words(text: str) -> list[str]:
    """Return the words of a document, in order.

    Identifiers and paths are split at every sign; camel case also yields its parts
    (``parseQuery``: ``parsequery``, ``parse``, ``query``). Scripts without spaces yield
    every character and every pair of adjacent ones.
    """
    text = _without_signs(text)
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


def words_in(text: str, spans: Iterable[tuple[int, int]]) -> list[list[str]]:
    """Return the words of several parts of a text, each from a start to an end."""
    if not text.isascii():
        return [words(text[start:end]) for start, end in spans]
    data = text.encode()
    plain = plain_words(data)
    if has_humps(data):
        return [
            plain[start:end].split() + _humps(text[start:end]) for start, end in spans
        ]
    return [plain[start:end].split() for start, end in spans]


def spaced(text: str) -> SpacedText:
    """Return the same words as one text, several times as fast as `words`."""
    text = _without_signs(text)
    if not text.isascii():
        found = words(text)
        return SpacedText(f" {' '.join(found)} ", len(found))
    data = text.encode()
    cases = data.translate(_CASE)
    plain = f" {data.translate(_WORD).decode()} "
    count = (b" " + cases.lower()).count(b" a")
    if b"aA" not in cases:
        return SpacedText(plain, count)
    parts = _humps_in(data, cases)
    return SpacedText(f"{plain}{' '.join(parts)} ", count + len(parts))


def plain_words(data: bytes) -> str:
    """Return ASCII text in lower case, each of its signs replaced by a space."""
    return data.translate(_WORD).decode("ascii")


def mark_of(term: str) -> str:
    """Return a character for a term; different ones may have the same.

    It is below the surrogates. To look for some in a text of them is faster than among
    numbers.
    """
    return chr(crc32(term.encode("utf-8", "surrogatepass")) & 0x7FFF)


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


def stored_label(text: str) -> str:
    """Return the form in which a topic or tag is stored: lower case, words joined by
    hyphens, in NFC. Plus and number signs after a word stay: ``c++``, ``c#``.
    """
    low = normal_form("NFC", normal_form("NFC", text.lower()).lower())
    found: list[str] = _compiled(_LABEL).findall(low.replace("_", " "))
    if not text.isascii() and _compiled(_RUN).search(low):
        split = _compiled(_RUN).split
        found = [run for word in found for run in split(word) if run]
    return "-".join(_without_parts(found))


@lru_cache(maxsize=4096)
def normal_topic(text: str) -> str:
    """Return the form in which topics and tags are compared: as stored, without
    accents.
    """
    return stored_label(fold(text))


def normal_tags(tags: Iterable[str]) -> frozenset[str]:
    """Return tags in the form in which they are compared."""
    return frozenset(normal_topic(tag) or tag for tag in tags)


def has_tag(tags: Iterable[str], wanted: Iterable[str]) -> bool:
    """Return True if one of the tags is wanted."""
    return not normal_tags(tags).isdisjoint(normal_tags(wanted))


def _without_parts(found: list[str]) -> list[str]:
    """Return the words of a label without the parts of words in camel case, which
    older versions added at its end: ``github-git-hub``.
    """
    if len(found) > _LABEL_WORDS:
        return found
    for many in range(1, len(found) - 1):
        if _are_parts(found[many:], found[:many]):
            return _without_parts(found[:many])
    return found


def _are_parts(parts: list[str], whole: list[str]) -> bool:
    """Return True if parts make up some of the words, two and more each."""
    joined = ""
    pieces = 0
    for part in parts:
        joined, pieces = joined + part, pieces + 1
        if pieces > 1 and joined in whole:
            joined, pieces = "", 0
    return not joined


def _without_signs(text: str) -> str:
    """Return a text that is as often as possible in ASCII and has the same words."""
    return text if text.isascii() else _compiled(_SIGNS).sub(" ", text)


def count_words(text: str) -> int:
    """Count the words of a text; without spaces, three terms are one word."""
    found = words(text)
    if text.isascii():
        return len(found)
    dense = sum(is_spaceless(word) for word in found)
    return len(found) - dense + dense // 3


def is_spaceless(word: str) -> bool:
    """Return True if the word's script has no spaces between words."""
    return not word.isascii() and bool(_compiled(_RUN).match(word))


def pairs(run: str) -> list[str]:
    """Return every two adjacent characters."""
    return list(map(add, run, run[1:]))


def _humps(text: str) -> list[str]:
    data = text.encode("utf-8", "surrogatepass")
    cases = data.translate(_CASE)
    return _humps_in(data, cases) if b"aA" in cases else []


def _humps_in(data: bytes, cases: bytes) -> list[str]:
    """Return the parts of words in camel case, given the case of each byte."""
    parts: list[str] = []
    end = -1
    while (at := cases.find(b"aA", end + 1)) >= 0:
        start = cases.rfind(b" ", 0, at) + 1
        end = cases.find(b" ", at)
        end = len(cases) if end < 0 else end
        parts += _compiled(_HUMP).findall(data[start:end].decode())
    return [part.lower() for part in parts]


def has_humps(data: bytes) -> bool:
    """Return True if a word of a text in ASCII is in camel case."""
    return b"aA" in data.translate(_CASE)
