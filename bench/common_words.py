"""Write the list of common English words from the dictionary of pyspellchecker."""

import textwrap
from pathlib import Path

from spellchecker import SpellChecker

import toolmem.core
from toolmem.core.search.spelling import COMMON_WORDS

COUNT = 5_000
LENGTHS = range(3, 8)
"""Longer words are rarely one mistake away from another word."""


def main() -> None:
    """Write the most frequent words in alphabetical order."""
    counts = SpellChecker(language="en").word_frequency.dictionary
    words = [
        word
        for word in counts
        if word.isascii() and word.isalpha() and len(word) in LENGTHS
    ]
    words.sort(key=lambda word: (-counts[word], word))
    text = textwrap.fill(" ".join(sorted(words[:COUNT])), 88)
    Path(toolmem.core.__path__[0], COMMON_WORDS).write_text(f"{text}\n", "ascii")


if __name__ == "__main__":
    main()
