"""Name the source of each text of a file so that the next import finds it again.

The source of a text is its file and its headings. Several texts under the same headings
are numbered; which of them is which at the next import follows from what they say, not
from their order, so that none replaces another that was removed from the file, or that
came from another folder of the same name.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

_NUMBER = re.compile(r"(?: \(\d{1,6}\)){1,4}$")
_SAME = 0.5
"""Share of common words from which a text is taken for an edit of another."""
_MOST_PAIRS = 10_000


class TextPlace(NamedTuple):
    """A text with the digest of what is, or would be, written for it."""

    source: str
    digest: str
    text: str


def assign_sources(found: Sequence[TextPlace], known: Sequence[TextPlace]) -> list[str]:
    """Return the source of each text of one file, given the texts imported before.

    ``source`` of a text in the file is its place, without a number.
    """
    groups: dict[str, list[int]] = {}
    for at, text in enumerate(found):
        groups.setdefault(_base(text.source), []).append(at)
    before: dict[str, list[TextPlace]] = {}
    for text in known:
        before.setdefault(_base(text.source), []).append(text)
    chosen = [""] * len(found)
    for base, group in groups.items():
        texts = [found[at] for at in group]
        for at, source in zip(
            group, _of_group(texts, before.get(base, [])), strict=True
        ):
            chosen[at] = source
    return chosen


def _of_group(texts: Sequence[TextPlace], known: Sequence[TextPlace]) -> list[str]:
    chosen: dict[int, str] = {}
    left = {place.source: place for place in known}
    for at, text in enumerate(texts):
        same = next(
            (s for s, place in left.items() if place.digest == text.digest), None
        )
        if same is not None:
            chosen[at] = same
            del left[same]
    for at, source in _edits(texts, chosen, left):
        chosen[at] = source
    used = {place.source for place in known}
    for at, text in enumerate(texts):
        if at not in chosen:
            chosen[at] = _free(text.source, used)
            used.add(chosen[at])
    return [chosen[at] for at in range(len(texts))]


def _edits(
    texts: Sequence[TextPlace], done: dict[int, str], left: dict[str, TextPlace]
) -> list[tuple[int, str]]:
    """Pair changed texts with those that they have most words in common with."""
    new = [at for at in range(len(texts)) if at not in done]
    if len(new) * len(left) > _MOST_PAIRS:
        return []
    words = {source: Counter(place.text.split()) for source, place in left.items()}
    pairs = []
    for at in new:
        own = Counter(texts[at].text.split())
        pairs += [(_common(own, words[source]), at, source) for source in left]
    edits: dict[int, str] = {}
    for share, at, source in sorted(pairs, key=lambda pair: -pair[0]):
        if share > _SAME and at not in edits and source not in edits.values():
            edits[at] = source
    return list(edits.items())


def _common(one: Counter[str], other: Counter[str]) -> float:
    return 2 * (one & other).total() / max(1, one.total() + other.total())


def _free(source: str, used: set[str]) -> str:
    free, number = source, 1
    while free in used:
        number += 1
        free = f"{source} ({number})"
    return free


def _base(source: str) -> str:
    return _NUMBER.sub("", source)
