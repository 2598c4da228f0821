"""Stem words in the language of a vault.

The stemmers are those of Snowball (https://snowballstem.org). Words come without
accents, in documents and queries alike. The language of a vault is that of its words in
Latin letters. Words in Cyrillic letters are stemmed as Russian; those of other scripts
pass almost unchanged.
"""

from collections.abc import Iterable, Iterator
from functools import cache, cached_property

from Stemmer import Stemmer

from toolmem.core.language import empty_words

_REMEMBERED = 50_000
"""Stems cached at a time, so that a server's memory does not grow with its queries."""
_LONGEST = 200
"""Characters of a word that is stemmed: the German stemmer takes quadratic time."""
_REPLACED = 3
"""Letters at the end of a stem that may differ in the word (``frequent``)."""


class Language:
    """A language that a vault may be written in."""

    def __init__(self, code: str, latin: str, *asked: str) -> None:
        """Take the stemmer of words in Latin letters (empty: no word is stemmed), and
        the languages in which questions are asked.
        """
        self.code = code
        self.stem_of = _Stems(latin).__getitem__
        self._latin = latin
        self._asked = asked

    def __repr__(self) -> str:
        """Return the code."""
        return f"Language({self.code!r})"

    def stems(self, words: Iterable[str]) -> list[str]:
        """Return the stems of many words, in order."""
        return list(map(self.stem_of, words))

    def stems_once(self, words: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Yield each word with its stem, which is not remembered.

        Hundreds of words that are in no text would displace those that are.
        """
        every = list(words)
        if self._latin == "english" and "".join(every).isascii():
            return zip(every, _stemmer("english").stemWords(every), strict=True)
        return zip(every, self.stems(every), strict=True)

    @cached_property
    def empty(self) -> frozenset[str]:
        """Words that do not indicate the subject of a question."""
        return empty_words.empty_words(*self._asked)

    def beginning(self, term: str) -> str:
        """Return a prefix that all words with this stem share."""
        if not self._latin:
            return term
        if self._latin == "english" or not term.isascii():
            # Only the last letter can differ in the word (``happi``, ``hope``), but
            # "vie" is the stem of "vying".
            is_short = len(term) == 3 and term.endswith("ie")
            return term[:1] if is_short else term[:-1] or term
        shared = max(1, len(term) - _REPLACED)
        if self._latin == "german":
            # "pruefung" has the stem of "prüfung".
            vowel = next((at for at, one in enumerate(term) if one in "aou"), shared)
            shared = min(shared, vowel + 1)
        return term[:shared]


class _Stems(dict[str, str]):
    """Word → stem, computed at first use."""

    def __init__(self, latin: str) -> None:
        self._latin = latin

    def __missing__(self, word: str) -> str:
        if len(self) >= _REMEMBERED:
            self.clear()
        stem = self[word] = self._stem(word)
        return stem

    def _stem(self, word: str) -> str:
        if not self._latin:
            return word
        if self._latin != "english" and len(word) > _LONGEST:
            return word
        if "\u0400" <= word[:1] < "\u0530":
            return str(_stemmer("russian").stemWord(word))
        found = str(_stemmer(self._latin).stemWord(word))
        if self._latin == "french":
            # Without its accent, the ending of "déployée" looks like that of a noun.
            found = str(_stemmer("french").stemWord(found))
            found = found[:-1] + "i" if found[1:].endswith("y") else found
        return found


@cache
def _stemmer(name: str) -> Stemmer:
    """Return a stemmer without a cache of its own."""
    return Stemmer(name, 0)


ENGLISH = Language("en", "english", "en", "ru")
LANGUAGES = {
    one.code: one
    for one in (
        ENGLISH,
        Language("de", "german", "en", "ru", "de"),
        Language("fr", "french", "en", "ru", "fr"),
        Language("es", "spanish", "en", "ru", "es"),
        Language("ru", "english", "en", "ru"),
        Language("none", ""),
    )
}
"""Languages by the value of the setting ``language``."""
