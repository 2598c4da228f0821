"""Word lists: data next to this module, read once."""

from functools import cache

from toolmem.core.package_data import read_data


@cache
def _lists() -> dict[str, str]:
    text = read_data("capture/text/lists.txt").decode("utf-8")
    parts = (part.partition("]\n") for part in text.split("\n\n[")[1:])
    return {name: " ".join(words.split()) for name, _, words in parts}


def word_list(name: str) -> frozenset[str]:
    """Return the words of a list."""
    return frozenset(_lists()[name].split())


def phrases(name: str) -> tuple[str, ...]:
    """Return the phrases of a list."""
    return tuple(_lists()[name].split(" | "))


def word_lists(prefix: str) -> dict[str, frozenset[str]]:
    """Return the lists with a prefix in their names, by the rest of the name."""
    names = [name for name in _lists() if name.startswith(prefix)]
    return {name.removeprefix(prefix): word_list(name) for name in names}


def phrase_lists(prefix: str) -> dict[str, tuple[str, ...]]:
    """Return the lists of phrases with a prefix in their names."""
    names = [name for name in _lists() if name.startswith(prefix)]
    return {name.removeprefix(prefix): phrases(name) for name in names}
