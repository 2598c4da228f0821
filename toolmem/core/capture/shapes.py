"""Mandates without a head of their own: known by the shape of the sentence.

*announced* a command in a list that is headed as rules
*whenever*  a condition that comes again and a command: "when you run tests, …"
*terse*     a rule without a verb: "one change per commit"
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
from toolmem.core.capture.leads import announces_rules
from toolmem.core.capture.lexicon import PROCESS_NOUNS, TOOL_NOUNS, WAYS
from toolmem.core.capture.marks import marks_of
from toolmem.core.capture.openings import Opening, read_opening
from toolmem.core.capture.phrases import Table, is_base, is_gerund
from toolmem.core.capture.smallwords import (
    ANAPHORS,
    AUXILIARIES,
    BREAKS,
    DETERMINERS,
    PREPOSITIONS,
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
    if|when you? are? not 100? %? {adv} sure|certain
    if|when you do not know|understand {any}
    if|when something|anything|it is unclear|ambiguous|unsure
    if|when unclear

should 0.7
    should you ever? {base}

said 0.75
    if|when|whenever i say|write|ask {any}

work 0.7
    if|when a|an|any|the? {work} {any}

gerund 0.65
    when|before|after|while|for {ing}

you 0.6
    when|before|after|while you {adv} {base}

if 0.5
    if you {adv} {base}
    if|when a|an|any|anything|something|someone {any}
""")
_BEGINNINGS = word_set("start begin go finish")
_NO_VERB_AFTER = word_set("a an the to my your our this that of for in on with and")
_NO_COMMAND_AFTER = (
    DETERMINERS | AUXILIARIES | word_set("you we i they to not and or never always")
)
_ONLY_IN_RULES = word_set("watch monitor look roll flash pause escalate")
"""Commands that are too often other words to begin a step of the task."""
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
_LONGEST_LEAD = 12
_FINITE = word_set("is are was were has have had will does did")
_NUMBERS = word_set("one two three four five 1 2 3 4 5")
_OF_WORK = TOOL_NOUNS | PROCESS_NOUNS
_ALWAYS = (
    ["always"],
    ["every", "time"],
    ["every", "single", "time"],
    ["each", "time"],
    ["no", "exceptions"],
    ["without", "exception"],
)
"""How what is said without a verb ends, if it is a rule."""
_FAILING = word_set(
    "fail fails failed crash crashes break breaks broke hang hangs error errors"
    " is are was were see got"
)
"""What tells of something that happens every time."""


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
    yield from _terse(tokens, opening)
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
    listed = kind == "item" and len(lead.split()) <= _LONGEST_LEAD
    if not listed or not announces_rules(lead):
        return
    first = tokens[opening.head].word
    terse = first not in SUBJECTS | DETERMINERS and not _FINITE & _words(
        tokens, opening.head, len(tokens)
    )
    if terse or is_base(first) or first in ("if", "when", "only"):
        yield _shape("announced", 0.75, opening)


def _terse(tokens: Sequence[Token], opening: Opening) -> Iterator[Candidate]:
    """ "One change per commit", "short answers first, always": without a verb."""
    words = [token.word for token in tokens[opening.head :]]
    if words[0] in PREPOSITIONS and "," in words[:7]:
        words = words[words.index(",") + 1 :] or words
    colon = words.index(":") if ":" in words[:8] else 0
    if words[0] in _NUMBERS and "per" in words[1:7] and not _FINITE & set(words):
        yield _shape("terse", 0.7, opening)
    elif colon and words[0] in ("all", "any", "every", "each"):
        short = len(words) - colon < 10 and not _FINITE & set(words)
        if short and PROCESS_NOUNS & set(words[:3]):
            yield _shape("terse", 0.7, opening)
    elif words[0] in SUBJECTS | DETERMINERS - {"all", "any", "every", "each"}:
        return
    elif PROCESS_NOUNS & set(words[:3]) and not _FAILING & set(words):
        end = len(words) - (words[-1] in BREAKS)
        if any(words[end - len(last) - 1 : end] == [",", *last] for last in _ALWAYS):
            yield _shape("terse", 0.75, opening)


def _recurring(tokens: Sequence[Token], opening: Opening) -> Iterator[Candidate]:
    """A condition at the beginning, and a command after its comma."""
    at = opening.head
    groups = _RECURRING.groups
    fits = [(float(groups[key]), key) for key, _, _ in _RECURRING.at(tokens, at)]
    if "habit" in opening.kinds and tokens[at - 1].word == "time":
        fits.append((0.7, "again"))  # "next time something fails, read …"
    if not fits:
        return
    sure, group = max(fits)
    if group != "again" and _BEGINNINGS & _words(tokens, at + 1, at + 3):
        return  # "before you start" is once
    comma = next((n for n in range(at, len(tokens)) if tokens[n].word in ",:"), -1)
    if comma >= 0:
        main = read_opening(tokens, comma + 1)
        if "me" in _words(tokens, main.head, len(tokens)):
            sure = max(sure, 0.7)  # "…, ask me": it is the agent who shall
        if _asks_for(tokens, main.head):
            yield Candidate("whenever", MANDATE, sure, at, main.head, opening)
            return
    end = comma if comma >= 0 else len(tokens)
    sure = _without_comma(tokens, at, end) if group == "again" else 0.0
    if sure > (0.6 if comma >= 0 else 0.0):
        yield _shape("whenever", sure, opening)


def _asks_for(tokens: Sequence[Token], at: int) -> bool:
    """Whether a command stands here, also one that begins no step of a task."""
    if at < len(tokens) and tokens[at].word in _ONLY_IN_RULES:
        return True
    return commands(tokens, at)


def _without_comma(tokens: Sequence[Token], at: int, end: int) -> float:
    """How sure it is that "whenever you push run the tests" holds a command."""
    places = [n for n in range(at + 3, end) if _asks_for(tokens, n)]
    if not places:
        return 0.0
    free = any(tokens[n - 1].word not in _NO_COMMAND_AFTER for n in places)
    return 0.75 if free and "you" in _words(tokens, at, places[-1]) else 0.6


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
    if word not in _RULED or not _DEMANDS & _words(tokens, at, at + 8):
        return 0.0
    return 0.6 if PROCESS_NOUNS & _words(tokens, at, at + 3) else 0.5


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
        handled = "you" in _words(tokens, at + 2, end)
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
        near = _words(tokens, at + 1, at + 3)
        if "one" in near and near & ANAPHORS:
            return
        definite = near & (_DEFINITE | {"a", "an"}) and not near & _OF_WORK
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
            if after == "to":  # "tell him not to call"
                return False
            if before not in AUXILIARIES and before not in ("if", "or", "why", "but"):
                return after not in BREAKS and after != "only" and not is_gerund(after)
    return False
