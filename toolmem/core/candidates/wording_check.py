"""Verify that a wording says what a sentence says, no more and no less.

Both are read as terms (see ``wording_terms``). A wording fits if each of its terms is
in the sentence with the same polarity and role, or is what a pronoun of the sentence
refers to; if no term of the sentence is missing, but for statements that give a
reason; and if each term is governed by what governs it in the sentence.
"""

import re
from collections import Counter
from collections.abc import Container, Sequence
from itertools import combinations, groupby, pairwise
from typing import NamedTuple

from toolmem.core.candidates.wording import guards_of, trimmed, without_courtesy
from toolmem.core.candidates.wording_clauses import (
    IDLE,
    NEGATIONS,
    PLACES,
    POINTERS,
    WordingClause,
    clauses_of,
    plain_words,
)
from toolmem.core.candidates.wording_terms import (
    POINTER,
    Term,
    stem_of,
    terms_of,
    with_order,
)
from toolmem.core.capture.relate.content import stem
from toolmem.core.capture.text.lists import word_list
from toolmem.core.capture.text.masking import mask_message
from toolmem.core.capture.text.sentences import split_sentences
from toolmem.core.capture.text.words import word_set

_MOST = 80
"""Words of a sentence that are compared."""
_MOVED = "puts the user's words in another order"
_DIRECTED = word_set("to into onto from as over")
"""Prepositions between two things that say something else in the other order."""
_EVERY_THING = word_set("every each all")
_EVERY = word_set("every each all any always whenever")
_LIGHT = {stem(word) for word in word_list("wording light")}
"""Verbs that make an order of a sentence without one, and carry nothing themselves."""
_REFER = word_set("do goe go appli hold same count")
_REPEATS = {stem(word) for word in word_list("wording repeats")}
_WHOLE_PLACE = re.compile(r"(?:in|of) (?:the|this|our) (?:project|repo|codebase)\b")
"""A place that narrows nothing: the rule is about the project anyway."""
_OWNED = re.compile(r"\b(my|your|his|her|their) (\w+)")
_PHRASE_GOES_ON = word_set(
    "in on at of for from to with under over that which and or without before after"
    " until unless except when if"
)


def _dropped_owner(wording: str, sentence: str) -> str:
    """Return an owner that the wording drops: "my" of "my files" for "files"."""
    owned = _OWNED.findall(sentence.lower())
    kept = set(_OWNED.findall(wording.lower()))
    words = set(plain_words(wording))
    lost = (owner for owner, thing in owned
            if thing in words and (owner, thing) not in kept)  # fmt: skip
    return next(lost, "")


class _Head(NamedTuple):
    """Words before a phrase, and whether several phrases begin like it."""

    words: list[str]
    several: bool


def check_wording(wording: str, sentence: str, before: str, tool: str) -> str:
    """Return why a wording cannot be the text of a rule; empty if it can.

    ``before`` is the text before the sentence, whose last sentence may explain what
    "that" refers to.
    """
    if max(len(text.split()) for text in (wording, sentence)) > _MOST:
        return "is too long to be compared with the user's sentence"
    earlier = last_sentence(before)
    said = set(plain_words(f"{sentence} {earlier}"))
    if _EVERY_THING & set(plain_words(wording)) and not _EVERY & said:
        return "speaks of every case, which the user did not"
    if owner := _dropped_owner(wording, sentence):
        return f"drops “{owner}” of the user's sentence"
    asked = terms_of(clauses_of(without_courtesy(wording)))
    clauses = clauses_of(without_courtesy(sentence))
    if "prefer" in said and all("prefer" not in clause.words for clause in clauses):
        asked = [term for term in asked if term.word != "prefer"]
    reason = _difference(asked, clauses, earlier)
    if not reason and not _is_guarded_alike(wording, sentence, tool):
        return "would be enforced differently from the user's sentence"
    return reason


def _is_guarded_alike(wording: str, sentence: str, tool: str) -> bool:
    texts = (trimmed(sentence, tool).text, without_courtesy(sentence), sentence)
    guards = [guards_of(text, tool) for text in texts]
    return guards_of(wording, tool) in guards or not any(guards)


def last_sentence(text: str) -> str:
    """Return the last sentence of a text, without lead-ins and courtesy."""
    sentences = split_sentences(mask_message(text))
    return without_courtesy(sentences[-1].text) if sentences else ""


def _difference(
    asked: Sequence[Term], clauses: Sequence[WordingClause], earlier: str
) -> str:
    """Return what a wording adds, drops or moves, for the agent that offered it."""
    words = {term.word for term in asked}
    clauses = _without_repeats(clauses)
    orders = [clause for clause in clauses if not clause.optional]
    empty = bool(orders) and not terms_of(orders)  # "You use X again. Don't."
    required = [
        clause
        for clause in clauses
        if clause in orders
        or (not empty and {term.word for term in terms_of([clause])} <= words)
    ] or [clause for clause in clauses if not clause.reason]
    texts = [plain_words(earlier)]
    texts += [list(clause.words) for clause in clauses if clause not in required]
    texts.append([word for clause in required for word in clause.words])
    said = terms_of(required)
    stated = [clause for clause in clauses if clause not in required]
    context = terms_of(stated or clauses_of(earlier))
    whole = _whole(context, said, texts[-1])
    if whole:
        own = [term for term in asked if term.word not in _REPEATS]
        if not _compared(own, whole, texts):
            return ""
    return _compared(asked, said, texts)


def _without_repeats(clauses: Sequence[WordingClause]) -> Sequence[WordingClause]:
    """Leave out a clause that only says to do what another states: "do the same"."""
    others = [clause for clause in clauses if not _only_repeats(clause.words)]
    if not others or len(others) == len(clauses):
        return clauses
    if all(clause.optional for clause in others):
        others[-1] = others[-1]._replace(optional=False)
    return others


def _only_repeats(words: Sequence[str]) -> bool:
    stems = set(map(stem_of, words))
    refers = bool(stems & _REFER) and stems <= _REPEATS | IDLE
    return refers and not {*words} & (NEGATIONS | POINTERS)


def _compared(
    asked: Sequence[Term], said: Sequence[Term], texts: Sequence[Sequence[str]]
) -> str:
    for term in _unresolved(_missing(asked, said), said, texts):
        if not (term.word in _LIGHT and term.role == ""):
            if any(term.word == other.word for other in said):
                return _MOVED
            return f"adds “{term.word.lstrip('=')}”, which the user did not say"
    for term in _unresolved(_missing(said, asked), asked, [_spelled(asked)]):
        if not (
            term.word in _LIGHT and (term.negative or _LIGHT & set(_spelled(asked)))
        ):
            return f"drops “{term.word.lstrip('=')}” of the user's sentence"
    return _MOVED if _is_reordered(asked, said) else ""


def _spelled(terms: Sequence[Term]) -> list[str]:
    return [term.word for term in terms]


def _whole(
    context: Sequence[Term], said: Sequence[Term], words: Sequence[str]
) -> list[Term]:
    """Return the terms of an order that only refers to what was stated before.

    Empty if it says something itself.
    """
    own = [term for term in said if term.word not in (*_REPEATS, POINTER)]
    pointer = next((term for term in said if term.word == POINTER), None)
    refers = (pointer or "same" in words) and _REFER & set(map(stem, words))
    if own and not refers:
        return []
    denies = bool(NEGATIONS & set(words))
    role = pointer.role if pointer else ""
    before = [
        term._replace(
            negative=denies or term.negative if term.role == "" else term.negative,
            role=term.role or role,
        )
        for term in context
    ]
    before = with_order(before)
    return [term for term in (*before, *said) if term.word not in _REPEATS]


def _missing(terms: Sequence[Term], others: Sequence[Term]) -> list[Term]:
    """Return the terms that are not among others with their polarity and role."""
    shared = {POINTER, *(term.word for term in terms if _has(others, term))}
    return [term for term in terms if term.word not in shared]


def _has(terms: Sequence[Term], wanted: Term) -> bool:
    return any(term.word == wanted.word and _is_alike(term, wanted) for term in terms)


def _is_alike(one: Term, other: Term) -> bool:
    if None not in (one.negative, other.negative) and one.negative != other.negative:
        return False
    roles = {one.role, other.role}
    return len(roles) == 1 or any(
        role.endswith("?") and roles <= {role, role[:-1], ""} for role in roles
    )


def _unresolved(
    extra: Sequence[Term], terms: Sequence[Term], texts: Sequence[Sequence[str]]
) -> list[Term]:
    """Return the terms that are not a whole thing that a text names.

    A pronoun among ``terms`` with the role of the terms must stand for it.
    """
    roles = {term.role for term in terms if term.word == POINTER}
    if not extra or not {term.role for term in extra} <= roles:
        return list(extra)
    wanted = {term.word for term in extra}
    for words in texts:
        places = [at for at, word in enumerate(words) if stem_of(word) in wanted]
        if {stem_of(words[at]) for at in places} != wanted:
            continue
        first, last = places[0], places[-1]
        inside = {stem_of(word) for word in words[first : last + 1]}
        follows = words[last + 1 : last + 2]
        if _WHOLE_PLACE.match(" ".join(words[last + 1 :])):
            follows = []
        if inside <= wanted | IDLE | PLACES and not set(follows) & _PHRASE_GOES_ON:
            return []
    return list(extra)


def _is_reordered(asked: Sequence[Term], said: Sequence[Term]) -> bool:
    """Return whether words of a wording are governed by others than in the sentence.

    "Rename A to B", "A in one place and B in another" and "A calls B" say something
    else when A and B change places; a phrase may be at either end.
    """
    first = {term.word: term for term in reversed(said) if term.word != POINTER}
    own = {term.word: term for term in reversed(asked) if term.word in first}
    order = [word for word in first if word in own]
    moved = [word for word in own if word in first]
    if order == moved:
        return False
    places = [(own[word].place, first[word].place) for word in moved]
    if any(one != two and not _DIRECTED.isdisjoint((one, two)) for one, two in places):
        return True
    if len({bool(one) for one, two in places if bool(one) != bool(two)}) > 1:
        return True
    for governs in {_governing(first[word]) for word in order}:
        free = [word for word in order if _governing(first[word]) == governs]
        rank = [free.index(word) for word in moved if word in free]
        if any(one > two > three for one, two, three in combinations(rank, 3)):
            return True
    ours, theirs = _governed(asked, own), _governed(said, own)
    return any(not _agree(ours[word], theirs[word]) for word in {*ours} & {*theirs})


def _agree(one: _Head, other: _Head) -> bool:
    if one.several and other.several and one.words[-1] != other.words[-1]:
        return False
    ours, theirs = set(one.words), set(other.words)
    return ours <= theirs or theirs <= ours


def _governing(term: Term) -> tuple[str, str]:
    return term.role.rstrip("?"), term.place


def _governed(terms: Sequence[Term], shared: Container[str]) -> dict[str, _Head]:
    """Return what the first word of each phrase is about."""
    runs = [
        (governs, [term.word for term in run if term.word in shared])
        for governs, run in groupby(terms, _governing)
    ]
    runs = [(governs, words) for governs, words in runs if words]
    times = Counter(governs for governs, _ in runs)
    return {
        words[0]: _Head(before, times[governs] > 1)
        for (_, before), (governs, words) in pairwise(runs)
        if any(governs)
    }
