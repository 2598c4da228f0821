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
_NAMES = re.compile(r"`[^`\n]*`|(?<![\w-])\w[\w-]*(?:[./]\w[\w-]*)+")
"""Code and names of files: "de.json" is no word of a language."""
_PUNCTUATION = re.compile(r"[^\w]+")
_ENGLISH = word_list("languages english")
_SHARED = word_set("no use usa solo nur hep raak note demande regel standaard yok uy")
"""Cues that are words of other languages as well: they do not prove a language."""


def read_foreign(text: str) -> tuple[Kind, tuple[str, ...]] | None:
    """Return the kind and features of a sentence in another language.

    Its words must prove the language, or a cue and fewer words.
    """
    padded = f" {_PUNCTUATION.sub(' ', text.lower())} "
    spoken = f" {_PUNCTUATION.sub(' ', _NAMES.sub(' ', text.lower()))} "
    script = None if text.isascii() else _script_of(text)
    if script:
        hits = [cue for cue in load_languages()[script].cues if cue[1] in padded]
        return _foreign(text, script, hits, padded)
    present = set(spoken.split())
    best, most = None, max(1, len(present & _ENGLISH))
    for name, language in load_languages().items():
        hits = [cue for cue in language.cues if f" {cue[1]} " in spoken]
        proven = sum(phrase not in _SHARED for _, phrase in hits)
        count = len(present & language.common) + 2 * proven
        if count > most:
            best, most = _foreign(text, name, hits, padded), count
    return best


def _foreign(
    text: str, name: str, hits: Sequence[tuple[Kind, str]], padded: str
) -> tuple[Kind, tuple[str, ...]]:
    words = padded.split()[:_MOST_PIECES]
    length = len(words).bit_length()
    if name in ("ja", "zh"):
        signs = "".join(words)
        length = len(signs).bit_length()
        words = [signs[at : at + 2] for at in range(len(signs) - 1)][:_MOST_PIECES]
        words += [signs[-3:], signs[-4:], signs[:2] + "^", signs[:3] + "^"]
    pieces = [*words, *map(" ".join, pairwise(words))]
    pieces += [f"{word[:_STEM]}*" for word in words if len(word) > _STEM]
    pieces += [f"^{word}" for word in words[:2]]
    asks = text.rstrip('」』" *').endswith(("?", "？", "か。"))
    marks = [f"cue {kind}" for kind, _ in hits] or ["no cue"]
    marks += ["question"] if asks else []
    marks += ["quotes"] if re.search('["“”«»「]', text) else []
    marks += ["code"] if "`" in text else []
    marks.append(f"length {length}")
    plain = [
        f"{name} {piece}" for piece in (*pieces, *(cue for _, cue in hits), *marks)
    ]
    kind: Kind = hits[0][0] if hits else "demand"
    return kind, (*plain, *(f"foreign {mark}" for mark in marks))


_STEM = 5
"""Letters of a word that its forms share."""
_MOST_PIECES = 120


def is_english(text: str) -> bool:
    """Return whether the words of a whole message are English."""
    words = _PUNCTUATION.sub(" ", text[:_READ].lower()).split()
    return text.isascii() and len(_ENGLISH.intersection(words)) >= _ENOUGH


def may_be_english(words: Sequence[str], cues: Sequence[str]) -> bool:
    """Return whether a sentence of a short message has an English word or cue."""
    return bool(cues) or not _ENGLISH.isdisjoint(words)


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
