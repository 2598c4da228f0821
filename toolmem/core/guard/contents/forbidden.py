"""Find what a ban forbids to write, and where, by the roles of its words.

The object of writing ("never add X", "no X", "strip X") or the subject of being
somewhere ("X has no place in Y", "X is banned") is forbidden, whatever the other words.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from toolmem.core.guard.contents.literals import Mention, mentions_in
from toolmem.core.guard.derivation.qualifiers import exception_in
from toolmem.core.guard.derivation.reading.sentence import SPAN, Ban
from toolmem.core.guard.derivation.reading.vocabulary import (
    MANNER,
    NOUNS,
    RUNTIME,
    WRITING,
)
from toolmem.core.guard.derivation.reading.words import (
    ReadWord,
    roles_of,
    verb_of,
    words_of,
)

_IN = frozenset(
    """in into to from on onto under inside within across at over throughout off of
    anywhere""".split()
)
_WITH = ("with", "by", "via", "through", "using")
_OF = frozenset("calls call use uses usage usages imports references kind".split())
_IDLE = frozenset("to try even the you be using".split())
_NAMED = frozenset("word words text string literal phrase name".split())
_TAIL = frozenset(
    """please pls anymore everywhere around now again ever anywhere period directly
    whatsoever either there here behind back more longer any it them still""".split()
)
_LABEL = re.compile(
    r"(?:^|[.;!?]\s+|,\s+)(?:in |for |when writing )?([^.;:!?,]{2,40}?):\s*$", re.I
)
_SENTENCE_END = re.compile(r"[.;!?](?=\s|$)(?!\s+(?:in|statements?|calls?|lines?)\b)")
_PRONOUN = re.compile(r"(?i)\b(?:it|this|that|them|these|those|any)\b")
_PATH = re.compile(r"[/.*]")
_MOST_WORDS = 7


class Forbidden(NamedTuple):
    """Literals that a ban forbids, and the words around them.

    ``place`` has the words for where, empty for anywhere; ``verb`` what is forbidden to
    be done with them; ``noun`` what they are called. ``is_named``: a text that is meant
    literally: "the word X".
    """

    mention: Mention
    place: str = ""
    verb: str = ""
    noun: str = ""
    aside: str = ""
    is_named: bool = False


def forbidden_in(ban: Ban) -> Iterator[Forbidden]:
    """Yield what a ban may forbid to write, the likeliest reading first."""
    cut = _SENTENCE_END.search(ban.text)
    ban = ban._replace(text=ban.text[: cut.start()] if cut else ban.text)
    if exception_in(ban.text + ("" if cut else ban.after)):
        return
    ban = _resolved(ban)
    for mention in mentions_in(ban, ban.text):
        words = words_of(ban.text[: mention.start])
        verb = _verb_before(ban, words)
        tail = _tail(ban.text[mention.end :])
        closed = ban.text[mention.end :].lstrip()[:1] in (")", ",")
        if verb is None or tail is None or (verb == "apposed" and not closed):
            continue
        place, noun, aside = tail
        before = [word.text for word in words]
        outer = "" if place else _place_before(ban)
        messages = [
            one for one in before if one in ("commits", "commit", "prs", "messages")
        ]
        if outer is None:
            continue
        named = bool(_NAMED & set(before[-1:]))
        place = place or outer or " ".join(messages)
        yield Forbidden(mention, place, verb, noun, aside, named)
        labelled = place == outer and ban.about.rstrip().endswith(":")
        if labelled and not _PATH.search(place):
            yield Forbidden(mention, "", verb, noun, aside, named)


def _resolved(ban: Ban) -> Ban:
    """Return "do not use it" with the code that the sentence before is about."""
    if re.search(SPAN, ban.text) or not ban.about:
        return ban
    before = re.findall(SPAN, ban.about)
    pronoun = _PRONOUN.search(ban.text)
    if len(before) != 1 or not pronoun:
        return ban
    text = ban.text[: pronoun.start()] + before[0] + ban.text[pronoun.end() :]
    kind = re.search(rf"{SPAN}\s+(in [\w ]{{2,20}}?)\s+is\b", ban.about)
    return ban._replace(text=text + (f" {kind[1]}" if kind else ""), about="")


def _verb_before(ban: Ban, words: Sequence[ReadWord]) -> str | None:
    """Return the verb whose object comes after some words; None if they say anything
    else of it."""
    words = [word for word in words if word.role not in "AS" and word.text not in _TAIL]
    while words and words[0].text in _IDLE:
        words = words[1:]
    if len(words) > _MOST_WORDS:
        return None
    texts = [word.text for word in words]
    if texts and texts[-1] == "(" and ban.form == "after" and len(texts) <= 4:
        return "apposed"
    if len(texts) > 1 and texts[-1] in _WITH:
        manner = verb_of(texts[0]) in MANNER or ban.form == "after" or ban.is_noun
        return (verb_of(texts[0]) or texts[0]) if manner else None
    verb = verb_of(texts[0]) if texts else ""
    neutral = ban.form == "after" and verb in ("touch", "run", "use", "add")
    if texts and verb not in WRITING and not neutral and ban.form == "verb":
        return None
    if texts and verb and verb not in WRITING and not neutral and not ban.is_noun:
        return None
    rest = words[1:] if verb else words
    for at, word in enumerate(rest):
        linked = at > 0 and rest[at - 1].text in _OF and word.text in ("to", "of")
        writes = word.text in ("in", "on", "for", "with", "up") and at == 0 and verb
        if (
            word.role in "iTcuB;:.(o"
            and not linked
            and not writes
            and word.text != "that"
        ):
            return None
    if not verb and len(rest) > 4:
        return None
    return verb or ("no" if ban.is_noun else "")


def _tail(text: str) -> tuple[str, str, str] | None:
    """Return place, noun and aside after a literal; None for words not understood."""
    words = words_of(text)
    at, noun, aside = 0, "", ""
    while at < len(words) and _singular(words[at].text) in NOUNS:
        noun, at = f"{noun} {words[at].text}".strip(), at + 1
    while at < len(words):
        word = words[at]
        if word.role == "(":
            end = next(
                (n for n in range(at, len(words)) if words[n].role == ")"),
                len(words) - 1,
            )
            aside = text[word.end : words[end].start].strip() or aside
            at = end + 1
        elif word.text in _IN and word.text != "anywhere" and at + 1 < len(words):
            ends = (n for n in range(at, len(words)) if words[n].role in ",;:().!?u-")
            end = next(ends, len(words))
            inner = re.match(r"\s*\(([^()\s]+)\)", text[words[end - 1].end :])
            place = text[words[at + 1].start : words[end - 1].end]
            while words[end - 1].role in "A" or words[end - 1].text in _TAIL:
                end -= 1
                place = text[words[at + 1].start : words[end - 1].end]
                if end <= at + 1:
                    return "", noun, aside
            if "c" in roles_of(words[at:end]):
                return None
            listed = bool(inner and re.search(r"/|\*", inner[1]))
            return (inner[1] if inner and listed else place), noun, aside
        elif word.role in "A)" or word.text in _TAIL | _IN or word.text == "out":
            at += 1
        elif word.role in ",;:.!?-ub":
            return "", noun, aside
        else:
            return None
    return "", noun, aside


def _singular(word: str) -> str:
    for ending, other in (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("s", "")):
        if word.endswith(ending):
            return word.removesuffix(ending) + other
    return word


def _place_before(ban: Ban) -> str | None:
    """Return the place that comes before a ban; None for another condition."""
    if ban.before:
        words = words_of(ban.before)
        first = words[0].text
        if first in ("when", "while") and len(words) > 1 and (
            verb_of(words[1].text) in ("write", "edit", "work")):  # fmt: skip
            return ban.before[words[1].end :].strip()
        if first in ("in", "inside", "for", "within", "on") and len(words) < 7:
            return ban.before[words[0].end :].strip()
        return None
    label = _LABEL.search(ban.about)
    if label:
        return label[1].strip() if len(label[1].split()) <= 3 else ""
    if ban.form == "after":
        return ""
    clause = re.split(r"[.;:!?,]\s|\s[-–—]\s|\b(?:so|and|but)\b", ban.about)[-1].strip()
    words = [word for word in words_of(clause) if word.role not in "AbSM"]
    subject = [
        word.text for word in words if word.text not in ("the", "our", "any", "all")
    ]
    if not subject or len(subject) > 4:
        return ""
    if subject[-1] in RUNTIME or words[0].role in "RP" or "T" in roles_of(words):
        return None if subject[-1] in RUNTIME else ""
    return " ".join(subject)
