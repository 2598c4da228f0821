"""Leave out the decrees of a message that the same message takes back."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace

from toolmem.core.capture.decree import BACK, Decree
from toolmem.core.capture.relate.content import content_words
from toolmem.core.capture.relate.rules import KnownRule, relate_back
from toolmem.core.capture.text.lists import word_list
from toolmem.core.capture.text.masking import mask_message
from toolmem.core.capture.text.sentences import split_sentences

_HESITATION = re.compile(
    r"^(?:(?:actually|hmm|no|ok|oh|okay|sorry|wait|well)\b[\s,.;:!…-]*)+", re.IGNORECASE
)
_ALLOWS = re.compile(
    r"\b(?:allowed|alright|fine|ok|okay)(?: (?:again|now))?\W*$", re.IGNORECASE
)
_DENIES = re.compile(r"\b(?:no|not|never)\b|n['’]t\b", re.IGNORECASE)
_DISMISSES = word_list("kinds drops") | {"what"}
_MOST_WORDS = 400
_WINDOW = 6
"""Sentences after a decree, and decrees before a sentence, that are compared."""


def _joined(text: str, found: Sequence[Decree]) -> list[Decree]:
    """Join a sentence that names nothing to the one before it: "don't, just do it"."""
    joined: list[Decree] = []
    for one in found:
        last = joined[-1] if joined else None
        if (
            last is None
            or (last.kind == BACK) != (one.kind == BACK)
            or text[last.span[1] : one.span[0]].strip(" .!,;–—-\n")
            or not names_nothing(one.text)
        ):
            joined.append(one)
            continue
        span = last.span[0], one.span[1]
        said = " ".join(text[span[0] : span[1]].split())
        whole = replace(last, kind=one.kind, text=said, sentence=said, span=span)
        joined[-1] = replace(whole, after=one.after, exception=False)
    return joined


def without_withdrawn(text: str, found: Sequence[Decree]) -> tuple[Decree, ...]:
    """Leave out what a sentence soon after it takes back.

    One that names nothing, such as "scratch that", is about the decree before it, and
    is left out with it; one that took a decree back stays if it concerns a known rule.
    """
    found = _joined(text, found)
    if all(one.kind == BACK for one in found):
        return tuple(found)
    permitted = _permitted(text, found)
    kept: list[Decree] = []
    for one in found:
        said_again = one.span[0] in permitted
        if one.kind != BACK:
            kept += [] if said_again else [one]
        elif not names_nothing(one.text):
            gone = [other for other in kept[-_WINDOW:] if _revokes(one.text, other)]
            kept[-_WINDOW:] = [other for other in kept[-_WINDOW:] if other not in gone]
            kept += [one] if one.rules or not (gone or said_again) else []
        elif kept and kept[-1].kind != BACK:
            kept.pop()
        elif one is found[0]:
            kept.append(one)
    return tuple(kept)


def names_nothing(text: str) -> bool:
    """Return whether words that take back only refer to what was said before them."""
    said = _HESITATION.sub("", text, count=1)
    return content_words(said, ruling=False).among(0, _MOST_WORDS) <= _DISMISSES


def _permitted(text: str, found: Sequence[Decree]) -> set[int]:
    """Return the starts of the bans that are permitted again, and of what permits."""
    sentences = split_sentences(mask_message(text))
    places = [one.start for one in sentences]
    starts: set[int] = set()
    for one in found:
        after = bisect_left(places, one.span[1])
        for later in sentences[after : after + _WINDOW] if one.kind == "ban" else ():
            if _permits(later.text, one):
                starts |= {one.span[0], later.start}
    return starts


def _permits(text: str, ban: Decree) -> bool:
    """Return whether a sentence only says that what a ban forbids is fine."""
    said = _HESITATION.sub("", text, count=1)
    if not _ALLOWS.search(said) or _DENIES.search(said):
        return False
    return _revokes(said, ban)


def _revokes(text: str, one: Decree) -> bool:
    about = relate_back(text, (KnownRule("", "", one.text),))
    return one.kind != BACK and about.kind == "revokes" and about.sure
