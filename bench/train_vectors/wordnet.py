"""Short English texts of WordNet: definitions and examples."""

import re
from collections.abc import Iterator
from pathlib import Path

_PARTS = ("noun", "verb", "adj", "adv")
_SPECIES = frozenset({"05", "20"})
"""Lexicographer files of animals and plants: a third of the nouns, mostly Latin."""
_EXAMPLE = re.compile(r'"([^"]+)"')
_MARKER = re.compile(r"\([^)]*\)")


def texts_of_wordnet(folder: Path) -> Iterator[str]:
    """Yield each synset's words with their definition, and each of its examples.

    ``folder`` has WordNet's ``data.*`` files (format: wndb(5WN)). Names of persons,
    places and species are left out.
    """
    for part in _PARTS:
        for line in (folder / f"data.{part}").read_text("latin-1").splitlines():
            if not line.startswith("  "):  # not the licence at the top
                yield from _texts_of_synset(line)


def _texts_of_synset(line: str) -> Iterator[str]:
    fields, _, gloss = line.partition(" | ")
    values = fields.split()
    count = int(values[3], 16)
    words = [_MARKER.sub("", word).replace("_", " ") for word in values[4::2][:count]]
    if values[1] in _SPECIES or words[0] != words[0].lower():
        return
    definition = " ".join(_EXAMPLE.sub("", gloss).split()).strip(" ;:")
    yield f"{', '.join(words)}: {definition}"
    for example in _EXAMPLE.findall(gloss):
        yield " ".join(example.split())
