"""Sentences of a message that may be decrees."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from toolmem.core.capture.detect.cues import (
    cues,
    is_question,
    keeps_rule,
    kind_of,
    permits,
    takes_back,
)
from toolmem.core.capture.detect.features import (
    Surroundings,
    features,
    load_model,
    probability,
)
from toolmem.core.capture.detect.languages import (
    is_english,
    may_be_english,
    read_foreign,
)
from toolmem.core.capture.kind import BACK, Kind
from toolmem.core.capture.sure.forms import is_sure
from toolmem.core.capture.text.lists import word_list
from toolmem.core.capture.text.masking import MaskedMessage, mask_message
from toolmem.core.capture.text.sentences import Sentence, split_sentences
from toolmem.core.capture.text.words import Token, collapse, tokenize, trim_end
from toolmem.core.guard.derivation import stated

_MOST_SENTENCES = 500
"""Sentences of a message that are read; people type fewer."""
_MOST_TOKENS = 400
"""Words of a sentence that are read."""
_SHORT, _FEW, _TITLE = 600, 6, 4
_GREETINGS = word_list("detect greetings")
_CODE_BELOW = re.compile(r":[ \t]*\n+[ \t]*```[^\n`]*\n([^\n`]{1,200})\n[ \t]*```")
_ADDRESS_BAN = re.compile(
    r"[,;–—] (?:but|and|also)? ?(?P<ban>never [^,;:?\"]{3,80}?\S+@\S+\.\w+[.!]?)$"
)
"""A ban about a person's address next to a task: it is as sure as one alone."""
_BAN_LEADS = ("never", "do not", "don't", "dont", "avoid", "must not", "don'ts")
_LEADS: dict[str, Kind] = {
    **dict.fromkeys(_BAN_LEADS, "ban"),
    **dict.fromkeys(("always", "do", "must", "do's"), "demand"),
}
_LEAD = re.compile(rf"\b(?:{'|'.join(_LEADS)})\b")
_LEAD_IN = re.compile(r"\W*(?:\w[\w'’]*\W+){0,5}?\w[\w'’]*: (?=\w)")
"""A few words before a colon: "while you are at it: never …"."""
_CONDITION = re.compile(
    r"(?i)\W*(?:if|when|whenever|once|before|after|while|unless)\b[^,;:]{1,100},\s+"
    r"(?:then\s+)?(?=(?:never|don['’]?t|do\s+not)\b)"
)
"""A condition before a ban: "if it is red, then never …"."""
_FOREIGN = -0.5
"""Score of a candidate in another language, chosen on sentences not trained on."""
UNCUED = 5.0
"""How much more a sentence without a cue must score: "please book a flight"."""
_CHECKED = 2.0
"""How much less a ban may score that can be checked: it may be for now, and asks."""
_SHELL = "shell"
_LASTS = frozenset("again now without whenever always rule rules back".split())
"""Words of a permission that is one for later sessions."""


class Candidate(NamedTuple):
    """A sentence that may be a decree, with the rule cut from it.

    ``sure``: it has a sure form, and the message contains only such and greetings.
    ``permits``: it counts only where a known rule forbids what it permits.
    """

    kind: Kind
    sentence: Sentence
    text: str
    start: int
    end: int
    score: float
    sure: bool
    permits: bool = False


def find_candidates(text: str) -> tuple[Candidate, ...]:
    """Return the candidates of one typed message, in order; never raises."""
    message = mask_message(text)
    sentences = split_sentences(message)[:_MOST_SENTENCES]
    return tuple(_candidates(message, sentences))


def _candidates(
    message: MaskedMessage, sentences: tuple[Sentence, ...]
) -> Iterator[Candidate]:
    alone = _is_order(message, sentences)
    english, earlier = is_english(message.text), False
    for cued in readable_sentences(message, sentences):
        sentence, tokens, _ = cued
        foreign = None if english else read_foreign(sentence.text)
        if foreign:
            score = load_model().score(foreign[1])
            if score >= _FOREIGN:
                yield _cut(message, cued, foreign[0], score)
            continue
        words = [token.word for token in tokens]
        readings = tuple(_readings(message, cued))
        if keeps_rule(words) or not (english or any(map(_may_be_english, readings))):
            continue
        if ban := _ADDRESS_BAN.search(sentence.text):
            start = sentence.start + ban.start("ban")
            own = sentence._replace(text=ban["ban"], start=start)
            yield _cut(message, cued._replace(sentence=own), "ban", 0.0, sure=True)
            continue
        model = load_model()
        score = max(model.score(features(*reading)) for reading in readings)
        sure = alone and is_sure(tokens)
        weak = permits(words) and not _LASTS & set(words)
        withdraws = earlier and takes_back(words)
        is_cued = any(cues(reading.tokens) for reading in readings)
        least, kind = model.threshold + UNCUED * (not is_cued), kind_of(tokens)
        if kind == "ban" and is_cued and least > score >= least - _CHECKED:
            least = score if _is_checked(sentence) else least
        if sure or withdraws or (score >= least and not weak):
            earlier = True
            yield _cut(message, cued, kind, score, sure=sure)
        elif permits(words):
            yield _cut(message, cued, BACK, 0.0)._replace(permits=True)


def _is_checked(sentence: Sentence) -> bool:
    """Return True for a ban of calls that a program can recognise."""
    return bool(stated.derived_guards(collapse(sentence.text), _SHELL))


class CueHit(NamedTuple):
    """A sentence with its tokens and surroundings."""

    sentence: Sentence
    tokens: tuple[Token, ...]
    around: Surroundings


def _readings(message: MaskedMessage, hit: CueHit) -> Iterator[CueHit]:
    """Yield a sentence, what follows its lead-in, and an item with its list's lead."""
    yield hit
    start, end = hit.sentence.start, hit.sentence.end
    for pattern in (_LEAD_IN, _CONDITION):
        if lead := pattern.match(message.masked, start, end):
            tokens = tokenize(message.masked, lead.end(), end)[:_MOST_TOKENS]
            yield hit._replace(tokens=tokens)
    if hit.sentence.kind == "item" and (lead := _LEAD.search(hit.sentence.lead)):
        whole = f"{lead[0]} {message.masked[start:end]}"
        yield hit._replace(tokens=tokenize(whole, 0, len(whole))[:_MOST_TOKENS])


def _may_be_english(reading: CueHit) -> bool:
    words = [token.word for token in reading.tokens]
    return may_be_english(words, cues(reading.tokens))


def readable_sentences(
    message: MaskedMessage, sentences: tuple[Sentence, ...]
) -> Iterator[CueHit]:
    """Yield the sentences with words, except questions, titles and announcements."""
    count, chars = len(sentences), len(message.text)
    spans = [(sentence.start, sentence.end) for sentence in sentences]
    tokenized = [tokenize(message.masked, *span)[:_MOST_TOKENS] for span in spans]
    for index, (sentence, tokens) in enumerate(zip(sentences, tokenized, strict=True)):
        opens = sentence.kind == "heading" or sentence.text.endswith((":", "："))
        title = opens and len(sentence.text.split()) <= _TITLE
        if tokens and not title and not is_question(tokens, sentence.text):
            before = _words(tokenized[index - 1]) if index else ()
            after = _words(tokenized[index + 1]) if index + 1 < count else ()
            yield CueHit(
                sentence, tokens, Surroundings(index, count, chars, before, after)
            )


def _words(tokens: Sequence[Token]) -> tuple[str, ...]:
    return tuple(token.word for token in tokens if token.word[0].isalnum())


def _is_order(message: MaskedMessage, sentences: tuple[Sentence, ...]) -> bool:
    """Return whether a short message has only sure forms and greetings."""
    if len(message.text) > _SHORT or len(sentences) > _FEW or message.has_paste():
        return False
    return all(
        is_sure(tokenize(message.masked, sentence.start, sentence.end))
        or _is_greeting(sentence)
        for sentence in sentences
    )


def _is_greeting(sentence: Sentence) -> bool:
    words = sentence.text.lower().split()
    bare = (word.strip(".,!()") for word in words)
    return all(word in _GREETINGS or not word.isascii() for word in bare if word)


def _cut(
    message: MaskedMessage, hit: CueHit, kind: Kind, score: float, *, sure: bool = False
) -> Candidate:
    sentence = hit.sentence
    end = sentence.start + trim_end(sentence.text)
    text = collapse(message.text[sentence.start : end])
    below = message.text[max(end - 1, 0) :][:300]
    code = _CODE_BELOW.match(below) if text.endswith(":") else None
    if code:
        text, end = f"{text} `{code[1].strip()}`", end - 1 + code.end()
    lead = _LEADS.get(sentence.lead) if sentence.kind == "item" else None
    if lead and kind not in ("ban", "back"):
        kind, text = lead, f"{sentence.lead.capitalize()}: {text}"
    return Candidate(
        kind, sentence, text, sentence.start, end, probability(score), sure
    )
