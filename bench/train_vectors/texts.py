"""Short texts to train on, the same at each run."""

import subprocess
import tempfile
from collections.abc import Iterable
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from bench.train_vectors.docstrings import sentences_of_library, summaries_of_sources
from bench.train_vectors.inputs import PYTHON, SALT, WORDNET, Input
from bench.train_vectors.wordnet import texts_of_wordnet

_WORDS = range(3, 21)
_CHARS = 130
_LETTERS = 0.8
"""Share of letters and spaces in a text that is not mostly code."""
_OF_WORDNET = 65_000


class Source(NamedTuple):
    """Texts of one input."""

    input: Input
    texts: list[str]


def read_texts(folder: Path) -> list[Source]:
    """Return the texts of the inputs in a folder, in alphabetical order."""
    with tempfile.TemporaryDirectory() as place:
        deb = str(folder / WORDNET.file)
        subprocess.run(["dpkg-deb", "--extract", deb, place], check=True)
        wordnet = list(texts_of_wordnet(Path(place, "usr/share/wordnet")))
    library = sentences_of_library(folder / PYTHON.file)
    salt = summaries_of_sources(folder / SALT.file, f"salt-{SALT.version}/salt/")
    return [
        Source(WORDNET, _sample(_usable(wordnet), _OF_WORDNET)),
        Source(PYTHON, sorted(_usable(library))),
        Source(SALT, sorted(_usable(salt))),
    ]


def all_texts(sources: Iterable[Source]) -> list[str]:
    """Return each text once."""
    return sorted(set(chain.from_iterable(source.texts for source in sources)))


def _usable(texts: Iterable[str]) -> set[str]:
    return {text for text in texts if _is_usable(text)}


def _is_usable(text: str) -> bool:
    letters = sum(char.isalpha() or char == " " for char in text)
    return (
        text.isascii()
        and len(text.split()) in _WORDS
        and len(text) < _CHARS
        and letters > _LETTERS * len(text)
    )


def _sample(texts: set[str], count: int) -> list[str]:
    """Return as many texts, those with the smallest digests."""
    return sorted(sorted(texts, key=_digest)[:count])


def _digest(text: str) -> bytes:
    return blake2b(text.encode()).digest()
