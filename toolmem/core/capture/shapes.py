"""Mandates without a head of their own: known by the shape of the sentence.

*announced* a command in a list that is headed as rules
*whenever*  a condition that comes again and a command: "when you run tests, …"
*habit*     a word of habit and a command: "from now on …", "… after every change"
*repeated*  a short command about every one of something
*only-when* a means that is kept for a case: "only after a backup"
*manner*    things of a kind, and how to do them: "commit messages in English"
*contrast*  one thing set against another: "use X, not Y"
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from toolmem.core.capture.candidates import MANDATE, Candidate
from toolmem.core.capture.clauses import clause_end, clause_starts, commands, governed
from toolmem.core.capture.lexicon import PROCESS_NOUNS, RULE_LEADS, TOOL_NOUNS, WAYS
from toolmem.core.capture.marks import marks_of
from toolmem.core.capture.openings import Opening, read_opening
from toolmem.core.capture.phrases import Table, is_base, is_gerund
from toolmem.core.capture.smallwords import (
    AUXILIARIES,
    BREAKS,
    DETERMINERS,
    SUBJECTS,
    word_set,
)
from toolmem.core.capture.stems import stem
from toolmem.core.capture.words import ENTITY, QUOTE, Token

_RECURRING = Table("""
again 0.85
    whenever|anytime {any}
    every|each|any time {any}
    before|after|on|with every|each|any|all {any}
    for every|each|any|all {any}

unsure 0.75
    if|when|whenever you? are? {adv} unsure|uncertain|stuck|confused
    if|when in doubt
    if|when you? are? not sure|certain
    if|when you do not know|understand {any}
    if|when something|anything|it is unclear|ambiguous|unsure
    if|when unclear

gerund 0.65
    when|before|after|while|for {ing}

you 0.6
    when|before|after|while you {adv} {base}

if 0.5
    if you {adv} {base}
    if a|an|any|anything|something|someone {any}
""")
_BEGINNINGS = word_set("start begin go finish")
_NO_VERB_AFTER = word_set("a an the to my your our this that of for in on with and")
_RULED = word_set("you we all every each any the")
_DEMANDS = word_set("must should need needs shall has have go goes require requires")
_LAST_HABIT = word_set("always consistently permanently forever")
_DEFINITE = word_set("the this that these those it")
_CASES = word_set("as after when if for in on with from during once via through")
_MANNERS = word_set("in with within as by using via through")
_MAKING = word_set(
    "add create implement write build ensure make remind generate design draft update"
    " check fix remove delete change"
)
_LONGEST_REPEATED = 14


def shapes(
    tokens: Sequence[Token], kind: str, lead: str, opening: Opening
) -> Iterator[Candidate]:
    """The mandates that a sentence may hold by its shape; it must not be a question.

    ``kind`` and ``lead`` are those of the sentence, ``opening`` is its own.
    """
    if opening.head >= len(tokens):
        return
    yield from _announced(tokens, opening, kind, lead)
    yield from _recurring(tokens, opening)
    yield from _instead(tokens, opening)
    for start, mark in (*clause_starts(tokens), *_after_place(tokens, opening.head)):
        at = read_opening(tokens, start)
        if at.head < len(tokens) and not governed(tokens, start, mark):
            yield from _clause(tokens, at, mark)


def _shape(group: str, sure: float, opening: Opening, mark: str = "") -> Candidate:
    at = opening.head
    return Candidate(group, MANDATE, sure, at, at, opening, mark)


def _announced(
    tokens: Sequence[Token], opening: Opening, kind: str, lead: str
) -> Iterator[Candidate]:
    words = lead.replace(",", " ").split()
    if kind != "item" or len(words) > 12 or not RULE_LEADS & set(words):
        return
    first = tokens[opening.head].word
    if is_base(first) or first in ("if", "when", "only"):
        yield _shape("announced", 0.75, opening)


def _recurring(tokens: Sequence[Token], opening: Opening) -> Iterator[Candidate]:
    """A condition at the beginning, and a command after its comma."""
    at = opening.head
    groups = _RECURRING.groups
    fits = [(float(groups[key]), key) for key, _, _ in _RECURRING.at(tokens, at)]
    if not fits:
        return
    sure, group = max(fits)
    if group != "again" and _BEGINNINGS & _words(tokens, at + 1, at + 3):
        return  # "before you start" is once
    comma = next((n for n in range(at, len(tokens)) if tokens[n].word in ",:"), -1)
    if comma >= 0:
        main = read_opening(tokens, comma + 1)
        if commands(tokens, main.head):
            yield Candidate("whenever", MANDATE, sure, at, main.head, opening)
    elif group == "again" and any(
        commands(tokens, n) for n in range(at + 3, len(tokens))
    ):
        yield _shape("whenever", 0.6, opening)


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
    for n in range(at + 2, min(at + 8, len(tokens))):
        if tokens[n].word in BREAKS:
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
    return 0.5 if word in _RULED and _DEMANDS & _words(tokens, at, at + 8) else 0.0


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
        yield _shape("repeated", 0.15, opening, mark)
    words = _words(tokens, at, end)
    if tokens[end - 1].word == "only" and not mark and not words & {*_DEFINITE, QUOTE}:
        yield _shape("only-last", 0.5, opening, mark)


def _way(
    tokens: Sequence[Token], opening: Opening, mark: str, end: int
) -> Iterator[Candidate]:
    """A command that says how: when only, in which manner, not which other way."""
    at = opening.head
    if stem(tokens[at].word) not in WAYS:
        return
    if not mark and _only_when(tokens, at + 1, end):
        yield _shape("only-when", 0.7, opening)
    elif not mark and _generic_manner(tokens, at + 1, end):
        yield _shape("manner", 0.5, opening)
    after = tokens[at + 1].word if at + 1 < len(tokens) else ""
    if after not in ("sure", "not") and _contrast(tokens, at + 1):
        near = _words(tokens, at + 1, at + 3)
        definite = near & _DEFINITE and not near & TOOL_NOUNS
        sure = 0.4 if definite else 0.5 if mark else 0.7
        yield _shape("contrast", sure, opening, mark)


def _words(tokens: Sequence[Token], start: int, end: int) -> set[str]:
    return {token.word for token in tokens[start:end]}


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
    makes = tokens[at].word in _MAKING and "you" not in _words(tokens, at, end)
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
            if before not in AUXILIARIES and before not in ("if", "or", "why", "but"):
                return after not in BREAKS and after != "only" and not is_gerund(after)
    return False
