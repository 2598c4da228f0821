"""Decrees that are stated, not commanded: "force pushes are forbidden".

*forbidden*  an act or a thing that is off limits, or must not be touched
*no-process* "no PR gets merged without a review"
*of-all*     what all things of a kind must be: "every commit must be signed"
*only-when*  "deploys only after ten"
*approval*   "refunds need my approval"
*custom*     "we never deploy on Fridays", which may also just be told

The subject decides who is meant: an act of the agent, a thing of its work, or
something of the product or of the world.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from toolmem.core.capture.candidates import BAN, MANDATE, Candidate
from toolmem.core.capture.clauses import clause_starts
from toolmem.core.capture.lexicon import (
    AGENT_VERBS,
    COGNITION,
    PROCESS_NOUNS,
    PURE_PROCESS,
    TOOL_NOUNS,
)
from toolmem.core.capture.moods import adopts, asks
from toolmem.core.capture.openings import Opening, read_opening
from toolmem.core.capture.phrases import Table, is_gerund
from toolmem.core.capture.programs import PROGRAMS
from toolmem.core.capture.smallwords import BREAKS, DETERMINERS, SUBJECTS, word_set
from toolmem.core.capture.stems import stem
from toolmem.core.capture.words import ENTITY, QUOTE, Token

_WAIVED = word_set("not longer never hardly")
_FORBIDDEN = Table("""
off 0.75
    is|are {adv} {banned}
    is|are {adv} off-limits|verboten|taboo|untouchable|sacred|sacrosanct
    is|are {adv} off limits|bounds
    is|are {adv} a? no-go|no-no
    is|are {adv} a hard|absolute|firm|big|flat|strict|definite no
    is|are {adv} a|the|your last resort
    is|are {adv} out of bounds
    is|are {adv} not {adv} to be {touched}
    do|does not belong {in|into} {any}
    is|are strictly forbidden

not-allowed 0.6
    is|are {not} {adv} {okay}
    is|are {not} {adv} {allowed}

not-touched 0.65
    {must|should} {not} {adv} be|get {adv} {touched}

not-done 0.65
    {must|should} {not} {adv} be|get {adv} {done}
""")
_APPROVAL = Table("""
approval
    need|needs|require|requires my|our explicit|prior|written|express? {approval}
    must|should|shall be {done} by me|us
    is|are subject to my|our {approval}
""")
_SUBJECTS = {
    "act": 0.15,
    "process": 0.15,
    "thing": 0.05,
    "": -0.05,
    "pronoun": -0.2,
    "other": -0.3,
}
"""What a kind of subject adds to the sureness of a prohibition."""
_LEAVE = word_set(
    "my our asking approval permission telling review i we asked told explicit"
)
_DEMANDED = word_set("may must should can gets goes is are without")
_DEMANDS = word_set("must should need needs shall has have go goes require requires")
_QUANTIFIERS = word_set("all every each any")
_FIRM = word_set("must needs shall")
_MANNERS = word_set("via through using by with before without only every each")
_CASES = word_set("as after when if for in on with from during once via through")
_OF_PRODUCTS = word_set("test tests code feature features request requests")
"""Things of the work that products have as well: "all requests must …"."""
_ACTORS = word_set(
    "system server app application backend frontend service job worker scheduler user"
    " users customer customers player players database"
)
"""Who acts in a product: a statement with one of these is about it."""
_USING = word_set("use support handle store process track work talk speak")
"""What "we" are said to do when a product or a team is described."""
_FARTHEST_VERB = 9
_MEANS = TOOL_NOUNS | PROGRAMS | {ENTITY}


def statements(tokens: Sequence[Token], opening: Opening) -> Iterator[Candidate]:
    """The decrees that a sentence may state; it must not be a question."""
    at = opening.head
    if at >= len(tokens) or asks(tokens, at):
        return
    words = [token.word for token in tokens[at:]]
    if "why" in words:  # "… is not allowed, that's why it failed"
        return
    forbidden = _forbidden(tokens, opening) if words[0] not in SUBJECTS else None
    for start, mark in clause_starts(tokens) if not forbidden else ():
        if mark.startswith("but") and start < len(tokens) - 2:
            forbidden = forbidden or _forbidden(tokens, read_opening(tokens, start))
    if forbidden:
        yield forbidden
    elif words[0] != QUOTE:
        yield from _custom(tokens, words, opening)


def _custom(
    tokens: Sequence[Token], words: Sequence[str], opening: Opening
) -> Iterator[Candidate]:
    at = opening.head
    if words[0] == "no" and PROCESS_NOUNS & set(words[:3]):
        if _DEMANDED & set(words[2:7]):
            yield Candidate("no-process", BAN, 0.7, at, at + 1, opening)
    elif _only_then(words) or _means_only(words):
        yield Candidate("only-when", MANDATE, 0.7, at, at, opening)
    elif words[0] == "we" and adopts(tokens[at + 2 :]):
        yield Candidate("adopted", MANDATE, 0.75, at, at + 1, opening)
    elif _needs_approval(tokens, at):
        yield Candidate("approval", MANDATE, 0.75, at, at, opening)
    elif verb := _not_done(tokens, at):
        yield Candidate("custom", BAN, 0.35, at, verb, opening)
    elif not _ACTORS & set(words) and _of_all(words):
        yield Candidate("of-all", MANDATE, _firmness(words[:12]), at, at, opening)


def _only_then(words: Sequence[str]) -> bool:
    things = words[0] in PROCESS_NOUNS and words[0].endswith("s")
    return things and words[1:2] == ["only"] and bool(_CASES & set(words[2:3]))


def _means_only(words: Sequence[str]) -> bool:
    """ "http_request is only for GET calls", "the browser is only for docs"."""
    verb = next((at for at, word in enumerate(words[:5]) if word in ("is", "are")), 0)
    means = {word for word in words[:verb] if "_" in word or word in _MEANS}
    return bool(means) and list(words[verb + 1 : verb + 3]) == ["only", "for"]


def _forbidden(tokens: Sequence[Token], opening: Opening) -> Candidate | None:
    at = opening.head
    for verb in range(at + 1, min(at + _FARTHEST_VERB, len(tokens))):
        if tokens[verb].word in BREAKS:
            return None
        for group, _, _ in _FORBIDDEN.at(tokens, verb):
            if group == "not-done" and not _by_leave(tokens, verb):
                return None
            if tokens[at].word == QUOTE and group != "off":
                return None
            sure = float(_FORBIDDEN.groups[group]) + _SUBJECTS[_subject(tokens, at)]
            return Candidate("forbidden", BAN, sure, at, at, opening)
    return None


def _not_done(tokens: Sequence[Token], at: int) -> int:
    """Where the verb stands in "we never deploy …", 0 if that is not said."""
    words = [token.word for token in tokens[at + 1 : at + 5]]
    if tokens[at].word != "we":
        return 0
    skipped = 1 if words[:1] == ["never"] else 2 if words[:2] == ["do", "not"] else 0
    verb = skipped + (words[skipped : skipped + 1] == ["ever"])
    said = words[verb] if skipped and verb < len(words) else ""
    return at + 1 + verb if said in AGENT_VERBS - COGNITION - _USING else 0


def _needs_approval(tokens: Sequence[Token], at: int) -> bool:
    places = range(at + 1, min(at + _FARTHEST_VERB, len(tokens)))
    needs = [place for place in places for _ in _APPROVAL.at(tokens, place)]
    return bool(needs) and tokens[needs[0] - 1].word not in _WAIVED


def _by_leave(tokens: Sequence[Token], at: int) -> bool:
    """Whether something is forbidden unless the user allows it."""
    words = [token.word for token in tokens[at:]]
    return any(
        first in ("without", "unless") and second in _LEAVE
        for first, second in pairwise(words)
    )


def _subject(tokens: Sequence[Token], at: int) -> str:
    """What is ruled: an act, a thing of the work, a pronoun, or something else."""
    words = [token.word for token in tokens[at : at + 4]]
    if is_gerund(words[0]):
        return "act" if stem(words[0]) in AGENT_VERBS else "other"
    points = words[0] in ("that", "this", "these", "those")
    if words[0] in ("it", "they") or (points and words[1] in ("is", "are")):
        return "pronoun"
    if PROCESS_NOUNS & set(words[:3]):
        return "process"
    return "thing" if {ENTITY, QUOTE} & set(words[:3]) else ""


def _of_all(words: Sequence[str]) -> bool:
    """ "All commits must …", "every PR needs …", "ensure changes are …"."""
    first, rest = words[0], words[1:]
    if first == "ensure" or (first in ("make", "be") and rest[:1] == ["sure"]):
        return _ensured(rest if first == "ensure" else rest[1:])
    if first == "i":
        wants = bool({"want", "need", "expect"} & set(rest[:1]))
        return (
            wants
            and rest[1:2] != []
            and rest[1] in _QUANTIFIERS
            and _process(rest[2:5])
        )
    if first == "your":
        return _process(rest[:2]) and bool(_DEMANDS & set(rest[1:4]))
    if first in DETERMINERS - _QUANTIFIERS:
        return False
    if not _DEMANDS & set(words[1:9]):
        return False
    if first in _QUANTIFIERS:
        return _process(rest[:3])
    plural = any(word in PROCESS_NOUNS and word.endswith("s") for word in words[:2])
    return plural and bool(PURE_PROCESS & set(words[:2]))


def _ensured(words: Sequence[str]) -> bool:
    """What is to be made sure of: bare things of the work, or each of them."""
    if words[:1] == ["that"]:
        words = words[1:]
    if words[:1] in (["every"], ["each"]):
        return _process(words[1:4])
    return words[:1] != [] and words[0] in PURE_PROCESS and words[0].endswith("s")


def _process(words: Sequence[str]) -> bool:
    nouns = PROCESS_NOUNS & set(words)
    return bool(nouns - _OF_PRODUCTS) or (bool(nouns) and "pull" in words)


def _firmness(words: Sequence[str]) -> float:
    """How sure it is that the agent, not the product, is ruled."""
    if words[0] in ("ensure", "make", "be"):
        firm = bool(_MANNERS & set(words))
    else:
        obliged = any(
            one in ("has", "have") and to == "to" for one, to in pairwise(words)
        )
        firm = obliged or words[0] in ("your", "i") or bool(_FIRM & set(words))
    if not firm:
        return 0.35
    return 0.7 if PURE_PROCESS & set(words) else 0.5
