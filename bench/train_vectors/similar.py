"""Find the words that are similar to each word of the table.

Runs in the training environment only, which has numpy. Products of signed bytes are
exact in single precision, and their order does not matter.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from toolmem.core.language.language import ENGLISH

SIMILAR = 4
_LEAST = 0.35
"""Cosine of a word that is similar: below it, most are not."""
_LETTERS = 3
_COMPARED = 64
"""Words that are looked at for those with another stem."""
_AT_ONCE = 512


def similar_places(names: Sequence[str], rows: Any) -> list[list[int]]:
    """Return `SIMILAR` rows for each, best first; its own row in place of others.

    Only words of letters are similar, with a stem that no better one has.
    """
    stems = ENGLISH.stems(names)
    found = [[place] * SIMILAR for place in range(len(names))]
    words = [
        place
        for place, name in enumerate(names)
        if name.isalpha() and len(name) >= _LETTERS and rows[place].any()
    ]
    chosen = rows[words].astype(np.float32)
    lengths = np.sqrt((chosen.astype(np.float64) ** 2).sum(axis=1))
    for start in range(0, len(words), _AT_ONCE):
        products = chosen[start : start + _AT_ONCE] @ chosen.T
        cosines = products / lengths / lengths[start : start + _AT_ONCE, None]
        for place, each in zip(words[start:], cosines, strict=False):
            best = np.argsort(-each, kind="stable")[:_COMPARED]
            others = {stems[place]: place}
            for at in best[each[best] >= _LEAST].tolist():
                others.setdefault(stems[words[at]], words[at])
            places = list(others.values())[1 : SIMILAR + 1]
            found[place][: len(places)] = places
    return found
