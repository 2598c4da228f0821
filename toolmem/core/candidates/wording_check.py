"""Verify that a wording says what a sentence says, no more and no less.

Both are read as parts: an operator (a negation, preposition or conjunction) and the
content words that it governs. A wording fits if its parts are those of the sentence,
with at most one run of them moved, without idle words and without clauses that only
give a reason. Anything else adds, drops or exchanges something.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from toolmem.core.candidates.plain_wording import (
    resolved_by_subject,
    said_plainly,
    versions_of,
    with_pronouns_exchanged,
)
from toolmem.core.candidates.wording import trimmed, without_courtesy
from toolmem.core.capture.relate.content import stem
from toolmem.core.capture.text.lists import word_list, word_lists
from toolmem.core.capture.text.masking import mask_message
from toolmem.core.capture.text.sentences import split_sentences
from toolmem.core.capture.text.words import ENTITY, QUOTE, tokenize, word_set
from toolmem.core.guard.derivation.stated import derived_guards

_MOST = 80
"""Words of a sentence that are compared."""
_OPERATORS = {
    word: name if name in ("never", "weak", "when", "until", "except") else word
    for name, words in word_lists("wording operator ").items()
    for word in words
}
_IDLE = {stem(word) for word in word_list("wording idle")}
_EVERY = word_set("every each all any always")
_PRONOUNS = word_set("me us you him her them it")
_SUBJECTS = word_set("i you we")
_POINTERS = word_set("that this it so them these those")
_REPEATS = {stem(word) for word in word_list("wording repeats")}
_LIGHT = word_set("keep write put run add give have")
_NEVER, _WEAK = "never", "weak"
_GOES_ON = "+"
"""Operator of words that go on with the part before."""
_EVERY_THING = word_set("every each all")


class _Part(NamedTuple):
    """An operator and the stems of the words that it governs, or raw names."""

    operator: str
    words: frozenset[str]


_Parts = tuple[_Part, ...]


def check_wording(wording: str, sentence: str, before: str, tool: str) -> str:
    """Return why a wording cannot be the text of a rule; empty if it can.

    ``before`` is the text before the sentence, whose last sentence may explain what
    "that" refers to.
    """
    cut = trimmed(sentence, tool)
    said = tuple(
        dict.fromkeys(
            text for whole in (cut.text, sentence) for text in versions_of(whole)
        )
    )
    if max(len(text.split()) for text in (wording, *said)) > _MOST:
        return "is too long to be compared with the user's sentence"
    asked = _parts(wording)
    supplied = _without_light_verb(asked, _words(sentence))
    earlier = _last_sentence(before)
    versions = [_parts(text) for text in said]
    if _EVERY_THING & _words(wording) and not _EVERY & _words(f"{sentence} {earlier}"):
        return "speaks of every case, which the user did not"
    is_empty = not any(part.words for part in versions[0])
    pointed = is_empty or _POINTERS & _words(sentence)
    if any(
        _is_moved(wanted, one) for one in versions for wanted in (asked, supplied)
    ) or _is_exchanged(wording, said):
        plain = (cut.text, said_plainly(cut.text))
        if _guards(wording, tool) not in [_guards(text, tool) for text in plain]:
            return "would be enforced differently from the user's sentence"
        return ""
    if pointed and any(_is_resolved(asked, one, earlier) for one in versions):
        return ""
    resolved = (text for one in said for text in resolved_by_subject(one, earlier))
    if any(_is_moved(asked, _parts(text)) for text in resolved):
        return ""
    return _difference(asked, versions[0], _parts(earlier))


def _without_light_verb(asked: _Parts, said: set[str]) -> _Parts:
    """Return a wording without the verb that makes an order of a sentence without."""
    if not asked or said & _LIGHT:
        return asked
    first = asked[0]._replace(words=asked[0].words - _LIGHT)
    return (*((first,) if first.words else ()), *asked[1:])


def _guards(text: str, tool: str) -> list[dict[str, object]]:
    """Return the guards of a text without the conditions that they only show."""
    tables = derived_guards(text, tool)
    return [{k: v for k, v in one.items() if k != "note"} for one in tables]


def _difference(asked: _Parts, said: _Parts, earlier: _Parts) -> str:
    """Return what a wording adds or drops, for the agent that offered it."""
    in_wording, in_sentence = _terms(asked), _terms(said)
    for term in in_wording:
        if term not in in_sentence and term not in _terms(earlier):
            return f"adds “{term.lstrip('=')}”, which the user did not say"
    for term in in_sentence:
        if term not in in_wording:
            return f"drops “{term.lstrip('=')}” of the user's sentence"
    return "puts the user's words in another order"


def _terms(parts: _Parts) -> list[str]:
    return [
        term
        for operator, words in parts
        for term in (operator, *sorted(words))
        if term not in ("", _WEAK)
    ]


def _words(text: str) -> set[str]:
    return {token.word for token in tokenize(mask_message(text).masked)}


def _last_sentence(text: str) -> str:
    sentences = split_sentences(mask_message(text))
    last = without_courtesy(sentences[-1].text) if sentences else ""
    return re.sub(r"(?i)\bthis time\b", "", last)


def _parts(text: str) -> _Parts:
    """Return the operators of a text, each with the content words that it governs.

    Neither an operator without words nor a part that only repeats counts.
    """
    parts: list[_Part] = []
    for part in _read(said_plainly(text)):
        repeats = any(part.words <= one.words for one in parts)
        if part.operator == _GOES_ON and parts:
            parts[-1] = parts[-1]._replace(words=parts[-1].words | part.words)
        elif part.operator == _NEVER or not (part.operator == "" and repeats):
            parts += [part] if part.words or part.operator == _NEVER else []
    forbids = any(one.operator == _NEVER and one.words for one in parts)
    return tuple(one for one in parts if one.words or not forbids)


def _read(text: str) -> Iterator[_Part]:
    """Yield the parts of a text; some govern nothing.

    "Only" counts wherever it is: "only deploy from main", "deploy only from main".
    """
    tokens = tokenize(mask_message(text).masked)
    operator, words, is_first = "", set[str](), True
    for at, (word, start, end) in enumerate(tokens):
        name = _OPERATORS.get(word, "")
        if word in (ENTITY, QUOTE):
            words.add("=" + text[start:end])
        elif name == _WEAK and not words and operator not in ("", _NEVER):
            continue  # "outside of"
        elif name or not word[0].isalnum():
            is_first = is_first and not words
            yield _Part(operator, frozenset(words))
            operator, words = name, set()
        elif word in _SUBJECTS and is_first and operator == _WEAK and words:
            yield _Part(operator, frozenset(words))  # "in this repo we use …"
            operator, words, is_first = "", set(), False
        elif word in _PRONOUNS and operator == _WEAK and not words:
            operator = _GOES_ON  # "any script you write for us starts with …"
        else:
            after = tokens[at + 1].word if at + 1 < len(tokens) else ""
            words |= _content(word, after, operator)
    yield _Part(operator, frozenset(words))
    only = _Part("only", frozenset(("only",)))
    yield from (only for one in tokens if one.word == "only")


def _content(word: str, after: str, operator: str) -> set[str]:
    """Return a word as content; nothing for one that a wording may leave out."""
    if word in ("this", "these"):
        return {"this"} if after.isalpha() and stem(after) not in _IDLE else set()
    if word in _EVERY:
        return {word} if operator == _NEVER and word != "any" else set()
    return set() if stem(word) in _IDLE or word == "only" else {stem(word)}


def _is_moved(asked: _Parts, said: _Parts) -> bool:
    """Return whether parts are the same, with at most one run of them moved.

    The clauses around a single order may come in any sequence.
    """
    if len(asked) != len(said):
        return False
    if _clauses(asked) == _clauses(said) is not None:
        return True
    first, last = 0, len(said)
    while first < last and asked[first] == said[first]:
        first += 1
    while last > first and asked[last - 1] == said[last - 1]:
        last -= 1
    run, moved = said[first:last], asked[first:last]
    return not run or any(run[at:] + run[:at] == moved for at in range(1, len(run)))


def _clauses(parts: _Parts) -> list[list[tuple[str, list[str]]]] | None:
    """Return the clauses of a text, sorted; None if it has several orders."""
    clauses: list[list[tuple[str, list[str]]]] = []
    for part in parts:
        if clauses and part.operator == _WEAK:
            clauses[-1].append(_key(part))
        else:
            clauses.append([_key(part)])
    orders = [one for one in clauses if one[0][0] in ("", _NEVER)]
    return sorted(clauses) if len(orders) == 1 else None


def _is_exchanged(wording: str, said: Iterable[str]) -> bool:
    """Return whether a wording names a thing where a sentence has the pronoun for it,
    and the other way round."""
    if not _POINTERS & _words(wording):
        return False
    asked = _parts(wording)
    return any(
        _is_moved(asked, _parts(text))
        for one in said
        for text in with_pronouns_exchanged(one)
    )


def _is_resolved(asked: _Parts, said: _Parts, earlier: str) -> bool:
    """Return whether "that" of a sentence was replaced by all that it refers to."""
    before = _without_repeats(_parts(earlier))
    own = _without_repeats(said)
    if not before:
        return False
    repeats = frozenset().union(*(one.words for one in said)) & _REPEATS
    asked = tuple(_Part(one.operator, one.words - repeats) for one in asked)
    if own and not own[-1].words:
        *own, last = own
        before = [_Part(last.operator, before[0].words), *before[1:]]
    return sorted(map(_key, asked)) == sorted(map(_key, (*before, *own)))


def _key(part: _Part) -> tuple[str, list[str]]:
    return part.operator, sorted(part.words)


def _without_repeats(parts: Sequence[_Part]) -> list[_Part]:
    """Return parts without words that only ask to go on or to repeat something."""
    left = [_Part(one.operator, one.words - _REPEATS) for one in parts]
    return [one for one in left if one.words or one.operator == _NEVER]
