"""Cues of twelve languages other than English.

A language is recognised by its script or its function words. Cues are whole words, or
parts of words in languages with their own script.
"""

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from toolmem.core.capture.kind import Kind
from toolmem.core.capture.text.lists import word_list
from toolmem.core.capture.text.words import word_set
from toolmem.core.package_data import read_data


class Language(NamedTuple):
    """Function words, and the cues with their kinds: first those that take back."""

    common: frozenset[str]
    cues: tuple[tuple[Kind, str], ...]


_KINDS: tuple[Kind, ...] = ("back", "ban", "demand")
_PUNCTUATION = re.compile(r"[^\w]+")
_ENGLISH = word_list("languages english")
_SHARED = word_set("no use usa solo nur hep raak note demande regel standaard yok uy")
"""Cues that are words of other languages as well: they do not prove a language."""


def read_foreign(text: str) -> tuple[Kind, tuple[str, ...]] | None:
    """Return the kind and features of a sentence with a cue of another language."""
    padded = f" {_PUNCTUATION.sub(' ', text.lower())} "
    script = None if text.isascii() else _script_of(text)
    if script:
        hits = [cue for cue in load_languages()[script].cues if cue[1] in padded]
        return _foreign(text, script, hits, padded) if hits else None
    present = set(padded.split())
    best, most = None, max(1, len(present & _ENGLISH))
    for name, language in load_languages().items():
        hits = [cue for cue in language.cues if f" {cue[1]} " in padded]
        proven = sum(phrase not in _SHARED for _, phrase in hits)
        count = len(present & language.common) + 2 * proven
        if hits and count > most:
            best, most = _foreign(text, name, hits, padded), count
    return best


def _foreign(
    text: str, name: str, hits: Sequence[tuple[Kind, str]], padded: str
) -> tuple[Kind, tuple[str, ...]]:
    words = padded.split()
    if name in ("ja", "zh"):
        signs = "".join(words)
        words = [signs[at : at + 2] for at in range(len(signs) - 1)][:_MOST_PIECES]
        words += [signs[-3:], signs[-4:], signs[:2] + "^"]
    pieces = [*words[:_MOST_PIECES], *map(" ".join, pairwise(words[:_MOST_PIECES]))]
    asks = text.rstrip('」』" *').endswith(("?", "？", "か。"))
    marks = ["foreign", *(f"cue {kind}" for kind, _ in hits)]
    marks += ["question"] if asks else []
    marks += ["quotes"] if re.search('["“”«»「]', text) else []
    plain = [f"{name} {one}" for one in (*pieces, *(f"^{w}" for w in words[:2]))]
    return hits[0][0], (*plain, *(f"foreign {one}" for one in marks))


_MOST_PIECES = 120


def is_english(text: str) -> bool:
    """Return whether the words of a whole message are English."""
    words = _PUNCTUATION.sub(" ", text[:_READ].lower()).split()
    return text.isascii() and len(_ENGLISH.intersection(words)) >= _ENOUGH


_READ, _ENOUGH = 4_000, 4


def _script_of(text: str) -> str | None:
    for name, first, last in _RANGES:
        if any(first <= char <= last for char in text):
            return name
    return None


_RANGES = (
    ("ja", "\u3040", "\u30ff"),
    ("ko", "\uac00", "\ud7a3"),
    ("ru", "\u0400", "\u04ff"),
    ("zh", "\u4e00", "\u9fff"),
)


@cache
def load_languages() -> dict[str, Language]:
    """Return the languages of the data file, by their codes."""
    text = read_data("capture/detect/languages.txt").decode("utf-8")
    sections = (part.partition("]\n") for part in text.split("[")[1:])
    return {name: _language(lines) for name, _, lines in sections}


def _language(lines: str) -> Language:
    lists = dict(line.split(": ", 1) for line in lines.split("\n") if ": " in line)
    cues = [(kind, phrase) for kind in _KINDS for phrase in lists[kind].split(" | ")]
    return Language(word_set(lists.get("common", "")), tuple(cues))
