"""English words, from the dictionary of pyspellchecker, loaded at its first use."""

from functools import cache, lru_cache
from typing import Any

from toolmem.core.search.terms import fold


@lru_cache(maxsize=10_000)
def is_word(text: str) -> bool:
    """Return whether a word is in the dictionary."""
    return fold(text) in _words()


@cache
def _words() -> Any:
    from spellchecker import SpellChecker  # half a second, and few saves need it

    return SpellChecker(language="en", distance=1)
