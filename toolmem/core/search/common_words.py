"""Common English words, which spelling repair leaves alone.

The data file has the 5,000 most frequent words of three to seven letters of the
English dictionary of pyspellchecker 0.8 (MIT licence), which counts words of film
subtitles. ``python -m bench.common_words`` writes it.
"""

from functools import cache

from toolmem.core.package_data import read_data

FILE = "search/common_words.txt"


@cache
def common_words() -> frozenset[str]:
    """Return the words, in lower case."""
    return frozenset(read_data(FILE).decode("ascii").split())
