"""Mandates without a head of their own: known by the shape of the sentence.

*announced* an item of a list that is headed as rules (see ``terse``)
*terse*     a rule without a verb: "one change per commit" (see ``terse``)
*whenever*  a condition and a command: "when you test, …" (see ``recurring``)
*habit*     a word of habit and a command: "from now on …", "… after every change"
*repeated*  a short command about every one of something
*only-when* a means that is kept for a case: "only after a backup"
*manner*    things of a kind, and how to do them: "commit messages in English"
*unless*    a way that is left only when the user says so
*contrast*  one thing set against another: "use X, not Y"
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from toolmem.core.capture.candidates import MANDATE, Candidate
from toolmem.core.capture.clauses import clause_end, clause_starts, commands, governed
from toolmem.core.capture.lexicon import PROCESS_NOUNS, TOOL_NOUNS, WAYS
from toolmem.core.capture.marks import marks_of
from toolmem.core.capture.openings import Opening, read_opening
from toolmem.core.capture.phrases import is_base, is_gerund
from toolmem.core.capture.recurring import recurring
from toolmem.core.capture.smallwords import (
    ANAPHORS,
    AUXILIARIES,
    BREAKS,
    DETERMINERS,
    SUBJECTS,
    word_set,
)
from toolmem.core.capture.stems import stem
from toolmem.core.capture.terse import announced, terse
from toolmem.core.capture.words import ENTITY, QUOTE, Token, words_in

_NO_VERB_AFTER = word_set("a an the to my your our this that of for in on with and")
_RULED = word_set("you we all every each any the")
_DEMANDS = word_set(
    "must should need needs shall has have go goes get gets require requires"
)
_LAST_HABIT = word_set("always consistently permanently forever")
_DEFINITE = word_set("the this that these those it")
_CASES = word_set("as after when if for in on with from during once via through")
_MANNERS = word_set("in with within as by using via through")
_MAKING = word_set(
    "add create implement write build ensure make remind generate design draft update"
    " check fix remove delete change"
)
_LONGEST_REPEATED = 14
_OF_WORK = TOOL_NOUNS | PROCESS_NOUNS


def shapes(
    tokens: Sequence[Token], kind: str, lead: str, opening: Opening
) -> Iterator[Candidate]:
    """The mandates that a sentence may hold by its shape; it must not be a question.

    ``kind`` and ``lead`` are those of the sentence, ``opening`` is its own.
    """
    if opening.head >= len(tokens):
        return
    yield from announced(tokens, opening, kind, lead)
    yield from recurring(tokens, opening)
    yield from terse(tokens, opening)
    yield from _instead(tokens, opening)
    for start, mark in (*clause_starts(tokens), *_after_place(tokens, opening.head)):
        at = read_opening(tokens, start)
        if at.head < len(tokens) and not governed(tokens, start, mark):
            yield from _clause(tokens, at, mark)


def _shape(group: str, sure: float, opening: Opening, mark: str = "") -> Candidate:
    at = opening.head
    return Candidate(group, MANDATE, sure, at, at, opening, mark)


def _instead(tokens: Sequence[Token], opening: Opening) -> Iterator[Candidate]:
    """ "Rather than curl, use …": what is set apart comes first."""
    at = opening.head
    if at and tokens[at - 1].word == "instead":
        at -= 1
    pair = tuple(token.word for token in tokens[at : at + 2])
    if pair not in (("instead", "of"), ("rather", "than")):
        return
    for n in range(at + 3, min(at + 10, len(tokens))):
        word = tokens[n].word
        if word in SUBJECTS | AUXILIARIES:
            return
        if word in WAYS and tokens[n - 1].word not in _NO_VERB_AFTER:
            yield Candidate("contrast", MANDATE, 0.7, at, n, opening)
            return


def _after_place(tokens: Sequence[Token], at: int) -> list[tuple[int, str]]:
    """Where the command begins in "for the old api use curl …", without a comma."""
    if tokens[at].word not in ("for", "in", "on", "with", "when"):
        return []
    for n in range(at + 2, min(at + 8, len(tokens) - 1)):
        if tokens[n].word in BREAKS or tokens[n + 1].word in BREAKS:
            break
        if tokens[n].word in WAYS and tokens[n - 1].word not in _NO_VERB_AFTER:
            return [(n, "")]
    return []


def _clause(
    tokens: Sequence[Token], opening: Opening, mark: str
) -> Iterator[Candidate]:
    """A clause with a word of habit before it, in it or behind it."""
    at = opening.head
    end = clause_end(tokens, at)
    if "habit" in opening.kinds and (sure := _after_habit(tokens, at)):
        yield _shape("habit", sure, opening, mark)
    if commands(tokens, at) and tokens[at].word != "let":
        yield from _habitual(tokens, opening, mark, end)
        yield from _way(tokens, opening, mark, end)
    elif is_base(tokens[at].word) and _ends_in_habit(tokens, at + 1, end):
        yield _shape("habit", 0.5, opening, mark)


def _after_habit(tokens: Sequence[Token], at: int) -> float:
    """How sure "from now on" makes what follows it."""
    word = tokens[at].word
    if is_base(word) or word == ENTITY:
        return 0.9
    if (word == "we" and _contrast(tokens, at + 1)) or _wishes(tokens, at):
        return 0.6
    if word not in _RULED or not _DEMANDS & words_in(tokens, at, at + 8):
        return 0.0
    return 0.6 if PROCESS_NOUNS & words_in(tokens, at, at + 3) else 0.5


def _habitual(
    tokens: Sequence[Token], opening: Opening, mark: str, end: int
) -> Iterator[Candidate]:
    """A command with a word of habit in it."""
    at = opening.head
    marks = marks_of(tokens, at + 1, end)
    usually = "usually" in opening.kinds and not mark and tokens[at].word != ENTITY
    if usually or "habit" in marks or _ends_in_habit(tokens, at + 1, end):
        yield _shape("habit", 0.65, opening, mark)
    elif "repeated" in marks and not mark and _is_short(tokens, at, end):
        handled = "you" in words_in(tokens, at + 2, end)
        yield _shape("repeated", 0.35 if handled else 0.15, opening, mark)
    words = [token.word for token in tokens[at:end] if token.word not in BREAKS]
    means = {"the"} if TOOL_NOUNS & set(words) else set()
    known = ({*_DEFINITE, QUOTE} - means) & set(words)
    if words[-1:] == ["only"] and not mark and not known:
        yield _shape("only-last", 0.7 if "for" in words else 0.5, opening, mark)


def _way(
    tokens: Sequence[Token], opening: Opening, mark: str, end: int
) -> Iterator[Candidate]:
    """A command that says how: when only, in which manner, not which other way."""
    at = opening.head
    if stem(tokens[at].word) not in WAYS:
        return
    words = [token.word for token in tokens[at + 1 : end]]
    if not mark and ("unless", "i") in pairwise(words):
        yield _shape("unless", 0.7, opening)
    if not mark and _only_when(tokens, at + 1, end):
        yield _shape("only-when", 0.7, opening)
    elif not mark and _generic_manner(tokens, at + 1, end):
        yield _shape("manner", 0.5, opening)
    after = tokens[at + 1].word if at + 1 < len(tokens) else ""
    if after not in ("sure", "not") and _contrast(tokens, at + 1):
        near = words_in(tokens, at + 1, at + 3)
        if "one" in near and near & ANAPHORS:
            return
        definite = near & (_DEFINITE | {"a", "an"}) and not near & _OF_WORK
        sure = 0.4 if definite else 0.5 if mark else 0.7
        yield _shape("contrast", sure, opening, mark)


def _wishes(tokens: Sequence[Token], at: int) -> bool:
    """ "I'd like all reports as PDF", but not "I'd like to …"."""
    words = [token.word for token in tokens[at : at + 5]]
    return words[0] == "i" and any(
        wish in ("want", "like", "prefer", "expect", "need")
        and what not in ("to", "it", "this")
        for wish, what in pairwise(words)
    )


def _ends_in_habit(tokens: Sequence[Token], at: int, end: int) -> bool:
    """ "…, always" at the end of a clause."""
    while end > at and tokens[end - 1].word in BREAKS:
        end -= 1
    return end > at and tokens[end - 1].word in _LAST_HABIT


def _is_short(tokens: Sequence[Token], at: int, end: int) -> bool:
    """Whether a command is short and is not itself the making of something."""
    makes = tokens[at].word in _MAKING and "you" not in words_in(tokens, at, end)
    return end - at <= _LONGEST_REPEATED and not makes


def _only_when(tokens: Sequence[Token], at: int, end: int) -> bool:
    words = [token.word for token in tokens[at:end]]
    if set(words[:2]) & (_DEFINITE - {"the"}):
        return False
    return any(
        one == "only" and case in _CASES and what != "the"
        for one, case, what in zip(words, words[1:], (*words[2:], ""), strict=False)
    )


def _generic_manner(tokens: Sequence[Token], at: int, end: int) -> bool:
    words = [token.word for token in tokens[at:end]]
    kind = any(word in PROCESS_NOUNS and word.endswith("s") for word in words[:3])
    return kind and words[0] not in DETERMINERS and bool(_MANNERS & set(words[1:5]))


def _contrast(tokens: Sequence[Token], at: int) -> bool:
    """Whether one thing is set against another: "X instead of Y", "X, not Y"."""
    for n in range(at, len(tokens) - 1):
        word, after = tokens[n].word, tokens[n + 1].word
        if (word, after) in (("instead", "of"), ("rather", "than"), ("but", "not")):
            return True
        if word in ("not", "never", "over") and n > at:
            before = tokens[n - 1].word
            if word == "never" and before != ",":
                return False
            if after == "to":  # "tell him not to call"
                return False
            if before not in AUXILIARIES and before not in ("if", "or", "why", "but"):
                return after not in BREAKS and after != "only" and not is_gerund(after)
    return False
