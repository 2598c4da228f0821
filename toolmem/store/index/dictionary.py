"""Words of a language, from the dictionaries of pyspellchecker, read at first use."""

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from toolmem.core.text.terms import fold

_AVAILABLE = frozenset({"en", "de", "fr", "es", "ru"})


@cache
def dictionary(code: str) -> Callable[[str], bool]:
    """Return a test for words of a language and of English.

    Without a dictionary every word counts as one, so that none is a misspelling.
    """
    if code not in _AVAILABLE:
        return lambda _: True

    @lru_cache(maxsize=10_000)
    def is_word(text: str) -> bool:
        folded = fold(text)
        return any(folded in _words(language) for language in sorted({"en", code}))

    return is_word


@cache
def _words(code: str) -> Any:
    from spellchecker import SpellChecker  # half a second, and few saves need it

    known = SpellChecker(language=code, distance=1)
    return known if code == "en" else frozenset(map(fold, known.word_frequency.words()))
