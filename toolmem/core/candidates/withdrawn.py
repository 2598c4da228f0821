"""Relate what takes rules back to decrees of its message, and to a rule."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace

from toolmem.core.capture.decree import BACK, Decree
from toolmem.core.capture.relate.content import (
    content_of,
    content_words,
    parts_of_things,
)
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


def _joined(text: str, decrees: Sequence[Decree]) -> list[Decree]:
    """Join a sentence that names nothing to the one before it: "don't, just do it"."""
    joined: list[Decree] = []
    for decree in decrees:
        last = joined[-1] if joined else None
        if (
            last is None
            or (last.kind == BACK) != (decree.kind == BACK)
            or text[last.span[1] : decree.span[0]].strip(" .!,;–—-\n")
            or not names_nothing(decree.text)
        ):
            joined.append(decree)
            continue
        span = last.span[0], decree.span[1]
        said = " ".join(text[span[0] : span[1]].split())
        whole = replace(last, kind=decree.kind, text=said, sentence=said, span=span)
        joined[-1] = replace(whole, after=decree.after, exception=False)
    return joined


def without_withdrawn(text: str, decrees: Sequence[Decree]) -> tuple[Decree, ...]:
    """Leave out what a sentence soon after it takes back.

    One that names nothing, such as "scratch that", is about the decree before it, and
    is left out with it; one that took a decree back stays if it concerns a known rule.
    """
    decrees = _joined(text, decrees)
    if all(decree.kind == BACK for decree in decrees):
        return tuple(decrees)
    permitted = _permitted(text, decrees)
    kept: list[Decree] = []
    for decree in decrees:
        said_again = decree.span[0] in permitted
        if decree.kind != BACK:
            kept += [] if said_again else [decree]
        elif not names_nothing(decree.text):
            gone = [other for other in kept[-_WINDOW:] if _revokes(decree.text, other)]
            kept[-_WINDOW:] = [other for other in kept[-_WINDOW:] if other not in gone]
            kept += [decree] if decree.rules or not (gone or said_again) else []
        elif kept and kept[-1].kind != BACK:
            kept.pop()
        elif decree is decrees[0]:
            kept.append(decree)
    return tuple(kept)


def names_nothing(text: str) -> bool:
    """Return whether words that take back only refer to what was said before them."""
    said = _HESITATION.sub("", text, count=1)
    return content_words(said, ruling=False).among(0, _MOST_WORDS) <= _DISMISSES


def _permitted(text: str, decrees: Sequence[Decree]) -> set[int]:
    """Return the starts of the bans that are permitted again, and of what permits."""
    sentences = split_sentences(mask_message(text))
    places = [sentence.start for sentence in sentences]
    starts: set[int] = set()
    for decree in decrees:
        after = bisect_left(places, decree.span[1])
        for later in sentences[after : after + _WINDOW] if decree.kind == "ban" else ():
            if _permits(later.text, decree):
                starts |= {decree.span[0], later.start}
    return starts


def _permits(text: str, ban: Decree) -> bool:
    """Return whether a sentence only says that what a ban forbids is fine."""
    said = _HESITATION.sub("", text, count=1)
    if not _ALLOWS.search(said) or _DENIES.search(said):
        return False
    return _revokes(said, ban)


def _revokes(text: str, decree: Decree) -> bool:
    about = relate_back(text, (KnownRule("", "", decree.text),))
    return decree.kind != BACK and about.kind == "revokes" and about.sure


_ANY_WORK = content_of(
    "add change code command commit create delete edit file fix folder make project"
    " read remove repository run test update write"
)
"""Words that are in rules about different things."""


def takes_back(text: str, tool: str, rule: str) -> bool:
    """Return whether a taking-back names what a rule is about.

    That is all that the text names, or a program, object or place of the rule: a word
    that names any work, such as "edit" or "file", is not enough.
    """
    words = content_words(text, ruling=False)
    topic = words.among(0, len(words.tokens))
    subject = content_of(rule) | parts_of_things(rule) | content_of(tool)
    shared = topic & subject
    return bool(shared) and (shared == topic or bool(shared - _ANY_WORK))
