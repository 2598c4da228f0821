"""Decrees without a head of their own: known by the shape of the whole sentence.

*habit*     a word of habit and a command: "from now on …", "… after every change"
*whenever*  a condition that comes again and a command: "when you run tests, …"
*contrast*  a command that sets one thing against another: "use X, not Y"
*announced* a command in a list that is headed as rules, bans or mandates
*passive*   something that must (not) be done, forbidden things, all of something
"""

from collections.abc import Iterator, Sequence

from toolmem.core.capture.lexicon import (
    AGENT_VERBS,
    AUXILIARIES,
    BREAKS,
    DETERMINERS,
    PROCESS_NOUNS,
    RULE_LEADS,
    SUBJECTS,
    WAYS,
)
from toolmem.core.capture.marks import marks_of
from toolmem.core.capture.moods import asks, clause_starts, governed
from toolmem.core.capture.openings import Opening, read_opening
from toolmem.core.capture.phrases import Table, is_base, is_gerund
from toolmem.core.capture.reading import BAN, MANDATE, Candidate, commands
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

if 0.45
    if you {adv} {base}
""")
_FORBIDDEN = Table("""
off 0.75
    is|are {adv} {banned}
    is|are {adv} off-limits|verboten|taboo|untouchable|sacred|sacrosanct
    is|are {adv} off limits|bounds
    is|are {adv} a? no-go|no-no
    is|are {adv} out of bounds
    is|are {adv} not {adv} to be {done}
    is|are strictly forbidden

not-allowed 0.6
    is|are {not} {adv} {okay}
    is|are {not} {adv} {allowed}

not-touched 0.65
    {must|should|can} {not} {adv} be|get {adv} {touched}

not-done 0.65
    {must|should|can} {not} {adv} be|get {adv} {done}
""")


def shapes(
    tokens: Sequence[Token], kind: str, lead: str, question: bool
) -> Iterator[Candidate]:
    """The candidates that a sentence holds by its shape."""
    if question:
        return
    opening = read_opening(tokens, 0)
    if opening.head >= len(tokens):
        return
    yield from _announced(tokens, opening, kind, lead)
    yield from _recurring(tokens, opening)
    yield from _instead(tokens, opening)
    yield from _passive(tokens, opening)
    for start, mark in (*clause_starts(tokens), *_after_place(tokens, opening.head)):
        at = read_opening(tokens, start)
        if at.head < len(tokens) and not governed(tokens, start, mark):
            yield from _commanded(tokens, at, mark)


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


_NO_VERB_AFTER = frozenset("a an the to my your our this that of for in on with and".split())


def _shape(group: str, sure: float, opening: Opening, mark: str = "") -> Candidate:
    at = opening.head
    return Candidate(group, MANDATE, sure, at, at, opening, mark)


def _announced(
    tokens: Sequence[Token], opening: Opening, kind: str, lead: str
) -> Iterator[Candidate]:
    words = lead.replace(",", " ").split()
    if not words or len(words) > 12 or kind == "heading":
        return
    if RULE_LEADS & set(words) and kind == "item":
        first = tokens[opening.head].word
        if is_base(first) or first in ("if", "when", "only"):
            yield _shape("announced", 0.75, opening)


def _recurring(tokens: Sequence[Token], opening: Opening) -> Iterator[Candidate]:
    """A condition at the beginning, and a command after its comma."""
    fits = [(float(_RECURRING.groups[g]), g) for g, _, _ in _RECURRING.at(tokens, opening.head)]
    after = tokens[opening.head + 1 : opening.head + 3]
    if not fits:
        return
    if max(fits)[1] != "again" and {"start", "begin", "go", "finish"} & {t.word for t in after}:
        return
    sure, group = max(fits)
    comma = next(
        (n for n in range(opening.head, len(tokens)) if tokens[n].word in (",", ":")), -1
    )
    if comma < 0:
        if group == "again" and any(commands(tokens, n) for n in range(opening.head + 3, len(tokens))):
            yield _shape("whenever", 0.6, opening)
        return
    main = read_opening(tokens, comma + 1)
    if commands(tokens, main.head):
        yield Candidate("whenever", MANDATE, sure, opening.head, main.head, opening)


def _instead(tokens: Sequence[Token], opening: Opening) -> Iterator[Candidate]:
    """ "Rather than curl, use …": what is set apart comes first."""
    at = opening.head
    pair = tuple(token.word for token in tokens[at : at + 2])
    if pair not in (("instead", "of"), ("rather", "than")):
        if at == 0 or tokens[at - 1].word != "instead" or tokens[at].word != "of":
            return
        at -= 1
    for n in range(at + 3, min(at + 10, len(tokens))):
        word = tokens[n].word
        if word in SUBJECTS | AUXILIARIES:
            return
        if word in WAYS and tokens[n - 1].word not in _NO_VERB_AFTER:
            yield Candidate("contrast", MANDATE, 0.7, at, n, opening)
            return


def _commanded(
    tokens: Sequence[Token], opening: Opening, mark: str
) -> Iterator[Candidate]:
    """A command with a word of habit, or one that sets two things apart."""
    at = opening.head
    end = clause_end(tokens, at)
    word = tokens[at].word
    if "habit" in opening.kinds:
        if is_base(word) or word == ENTITY:
            yield _shape("habit", 0.9, opening, mark)
        elif word == "we" and _contrast(tokens, at + 1):
            yield _shape("habit", 0.6, opening, mark)
        elif word in _RULED and _DEMANDS & {t.word for t in tokens[at : at + 8]}:
            yield _shape("habit", 0.5, opening, mark)
    if not commands(tokens, at) or word == "let":
        if is_base(word) and _ends_in_habit(tokens, at + 1, end):
            yield _shape("habit", 0.5, opening, mark)
        return
    words = {token.word for token in tokens[at:end]}
    if tokens[end - 1].word == "only" and not mark and not words & {*_DEFINITE, QUOTE}:
        yield _shape("only-last", 0.5, opening, mark)
    if "usually" in opening.kinds:
        yield _shape("habit", 0.65, opening, mark)
    marks = marks_of(tokens, at + 1, end)
    if "habit" in marks or _ends_in_habit(tokens, at + 1, end):
        yield _shape("habit", 0.65, opening, mark)
    elif "repeated" in marks and not mark and _way(tokens, at, end):
        yield _shape("repeated", 0.15, opening, mark)
    if stem(word) in WAYS and not mark:
        if _only_when(tokens, at + 1, end):
            yield _shape("only-when", 0.7, opening)
        elif _generic_manner(tokens, at + 1, end):
            yield _shape("manner", 0.5, opening)
    if _sets_apart(tokens, at):
        definite = {t.word for t in tokens[at + 1 : at + 3]} & _DEFINITE
        sure = 0.4 if definite else 0.5 if mark else 0.7
        yield _shape("contrast", sure, opening, mark)


def _ends_in_habit(tokens: Sequence[Token], at: int, end: int) -> bool:
    """ "…, always" at the end of a clause."""
    while end > at and tokens[end - 1].word in BREAKS:
        end -= 1
    return end > at and tokens[end - 1].word in _LAST_HABIT


_RULED = frozenset("you we all every each any the".split())
_LAST_HABIT = frozenset("always consistently permanently forever".split())


_DEFINITE = frozenset("the this that these those it".split())


def _only_when(tokens: Sequence[Token], at: int, end: int) -> bool:
    """ "Run migrations only after a backup": the means is kept for a case."""
    words = [token.word for token in tokens[at:end]]
    return not set(words[:2]) & _DEFINITE - {"the"} and any(
        first == "only" and second in _CASES
        for first, second in zip(words, words[1:], strict=False)
    )


_CASES = frozenset("as after when if for in on with from during once via through".split())


def _generic_manner(tokens: Sequence[Token], at: int, end: int) -> bool:
    """ "Write commit messages in English": things of a kind, and how to do them."""
    words = [token.word for token in tokens[at:end]]
    kind = {w for w in words[:3] if w in PROCESS_NOUNS and w.endswith("s")}
    if words[:1] == [] or not kind or words[0] in DETERMINERS:
        return False
    return bool({"in", "with", "within", "as", "by", "using", "via", "through"} & set(words[1:5]))


def _way(tokens: Sequence[Token], at: int, end: int) -> bool:
    """Whether a command is short and is not itself the making of something."""
    if end - at > 14:
        return False
    return tokens[at].word not in _MAKING or any(t.word == "you" for t in tokens[at:end])


_MAKING = frozenset(
    "add create implement write build ensure make remind generate design draft update"
    " check fix remove delete change".split()
)


def _sets_apart(tokens: Sequence[Token], at: int) -> bool:
    after = tokens[at + 1].word if at + 1 < len(tokens) else ""
    verb = stem(tokens[at].word)
    if verb not in WAYS or after in ("sure", "not") or tokens[at].word == "let":
        return False
    return _contrast(tokens, at + 1)


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


def clause_end(tokens: Sequence[Token], at: int) -> int:
    """Where what is said in a clause ends and its reason or another subject begins."""
    for n in range(at, len(tokens)):
        word = tokens[n].word
        after = tokens[n + 1].word if n + 1 < len(tokens) else ""
        if word in (";", "(", "—", "–", "-"):
            return n
        if word in ("because", "since", "otherwise") and n > at:
            return n
        if word == "," and (after in SUBJECTS or after in _NEW_CLAUSE):
            return n
    return len(tokens)


_NEW_CLAUSE = frozenset(
    "it its that this thats because since as so but you tell just the there give explain"
    " show let help please ask only".split()
)


def _passive(tokens: Sequence[Token], opening: Opening) -> Iterator[Candidate]:
    """Something that is forbidden, or that all things of a kind must be."""
    at = opening.head
    first = tokens[at].word
    if first in SUBJECTS or first == QUOTE or asks(tokens, at):
        return
    subject = _subject(tokens, at)
    for verb in range(at + 1, min(at + 9, len(tokens))):
        if tokens[verb].word in BREAKS:
            break
        for group, _, action in _FORBIDDEN.at(tokens, verb):
            sure = float(_FORBIDDEN.groups[group]) + _subject_bonus(subject)
            if group != "not-done" or _by_leave(tokens, verb):
                yield Candidate("forbidden", BAN, sure, at, at, opening)
            return
    if first == "no" and subject == "process" and _DEMANDED & {
        token.word for token in tokens[at + 2 : at + 7]
    }:
        yield Candidate("no-process", BAN, 0.7, at, at + 1, opening)
    elif _of_all(tokens, at):
        words = {token.word for token in tokens[at : at + 12]}
        firm = words & (_MANNERS if first in ("ensure", "make") else _FIRM)
        firm = firm or words & {"every", "each"} if first in ("ensure", "make") else firm
        sure = 0.65 if firm else 0.5
        yield Candidate("of-all", MANDATE, sure, at, at, opening)


def _by_leave(tokens: Sequence[Token], at: int) -> bool:
    """Whether something is forbidden unless the user allows it."""
    words = [token.word for token in tokens[at:]]
    pairs = set(zip(words, words[1:], strict=False))
    return any(
        (first, second) in pairs for first in ("without", "unless") for second in _LEAVE
    )


_LEAVE = frozenset("my our asking approval permission telling review i we asked told explicit".split())
_DEMANDED = frozenset("may must should can gets goes is are without".split())


def _subject(tokens: Sequence[Token], at: int) -> str:
    """What kind of thing is ruled: an act, a thing of the work, or something else."""
    words = [token.word for token in tokens[at : at + 4]]
    if is_gerund(words[0]) and stem(words[0]) in AGENT_VERBS:
        return "act"
    if words[0] in ("it", "that", "this", "they", "these", "those"):
        return "pronoun"
    if PROCESS_NOUNS & set(words[:3]):
        return "process"
    return "thing" if ENTITY in words[:3] else ""


def _subject_bonus(subject: str) -> float:
    return {"act": 0.15, "process": 0.15, "thing": 0.05, "pronoun": -0.2}.get(subject, -0.05)


def _of_all(tokens: Sequence[Token], at: int) -> bool:
    """ "All commits must …", "every PR needs …", "commits have to …"."""
    words = [token.word for token in tokens[at : at + 12]]
    if words[0] in ("ensure", "make"):
        skip = 2 if words[0] == "make" else 1
        if words[0] == "make" and words[1:2] != ["sure"]:
            return False
        words = words[skip + (words[skip : skip + 1] == ["that"]) :]
        if words[:1] in (["every"], ["each"]):
            return bool(PROCESS_NOUNS & set(words[1:4]))
        return bool(words) and words[0] in PROCESS_NOUNS and words[0].endswith("s")
    quantified = words[0] in ("all", "every", "each", "any")
    nouns = PROCESS_NOUNS & set(words[1:4] if quantified else words[:2])
    if not nouns or not (quantified or any(noun.endswith("s") for noun in nouns)):
        return False
    return any(word in _DEMANDS for word in words[1:9])


_FIRM = frozenset("must needs shall".split())
_MANNERS = frozenset("via through using by with before without only".split())
_DEMANDS = frozenset("must should need needs shall has have go goes require requires".split())
