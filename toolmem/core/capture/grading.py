"""How sure a find is: the sureness of its head, changed by what stands around it.

``_EVIDENCE`` is the table. For how long it holds is for ``lasting``.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from toolmem.core.capture.candidates import Candidate, Reading
from toolmem.core.capture.classes import CLASSES
from toolmem.core.capture.lasting import lasts
from toolmem.core.capture.leads import announces_others
from toolmem.core.capture.lexicon import (
    AGENT_VERBS,
    PROCESS_NOUNS,
    PRODUCT_NOUNS,
    PRODUCT_VERBS,
    TOOL_NOUNS,
    WORK_OBJECTS,
)
from toolmem.core.capture.programs import EVERYDAY_PROGRAMS, PROGRAMS
from toolmem.core.capture.smallwords import DETERMINERS, word_set
from toolmem.core.capture.stems import stem
from toolmem.core.capture.weighed import (
    PLAIN,
    WEAK,
    Case,
    Company,
    beginning,
    case_of,
    word_at,
)

_MOST = 0.97

_BARE = word_set("never don't always only avoid habit whenever announced no usual")
"""Groups that do not say who shall act: the product may be meant."""
_ADDRESSED = word_set(
    "must-not should-not can-not told-not wish-not polite-not dislike stop must"
)
"""Groups that say that the agent shall act."""
_TOOLS = word_set("webfetch websearch multiedit todowrite bash")
_KNOWN_VERBS = AGENT_VERBS | PROGRAMS | EVERYDAY_PROGRAMS | _TOOLS
_DEFINITE = word_set("the this that these those it")
_USERS = word_set("user users visitor visitors player players")
_OF_OURS = (
    PROCESS_NOUNS
    | TOOL_NOUNS
    | CLASSES["work"]
    | word_set(
        "agent api build ci client command customer diff docs file first hook last lint"
        " network next only other output owner pipeline repo repository same sandbox"
        " schema suite team tool tree type types user working"
    )
)
_SEVERITIES = word_set("critical major high medium minor low nit")


class Grade(NamedTuple):
    """What a candidate is worth: its confidence, and whether it lasts."""

    confidence: float
    lasting: bool


def grade(
    candidate: Candidate, reading: Reading, company: Company, lead: str = ""
) -> Grade:
    """Weigh a candidate by its clause, its sentence and the rest of the message.

    ``lead`` is the line that announces the sentence, "" if none does.
    """
    case = case_of(candidate, reading, company, lead)
    points = case.sure + sum(weight for weight, holds in _EVIDENCE if holds(case))
    return Grade(round(min(max(points, 0.0), _MOST), 2), lasts(case))


def _in_company(case: Case) -> bool:
    return not case.company.alone and not case.standing() and case.sure < PLAIN


def _product(case: Case) -> bool:
    """Whether the verb is what programs do, and nothing says who shall do it."""
    tokens, action = case.reading.tokens, case.candidate.action
    if case.candidate.group not in _BARE or action >= len(tokens):
        return False
    word = tokens[action].word
    to_me = any(t.word in ("me", "us") for t in tokens[action + 1 : action + 2])
    gerund = word.endswith("ing")  # "stop retrying": it is the agent who does it
    return not gerund and not to_me and stem(word) in PRODUCT_VERBS


def _seen(case: Case) -> bool:
    if case.candidate.group in _ADDRESSED:
        return False
    tokens, candidate = case.reading.tokens, case.candidate
    turned = candidate.opening.kinds & {"habit", "usually"}  # "…, and in general …"
    start = beginning(tokens, candidate) if turned else 0
    return any(token.word in PRODUCT_NOUNS for token in tokens[start:])


def _of_users(case: Case) -> bool:
    """ "Only send it if the user agreed": it is not the one who speaks."""
    if case.candidate.group in _ADDRESSED:
        return False
    words = [token.word for token in case.reading.tokens]
    if {"unless", "until", "asks"} & set(words):
        return False
    return any(the in ("the", "a") and who in _USERS for the, who in pairwise(words))


def _when_it_does(case: Case) -> bool:
    """ "When the socket drops, avoid …": a thing acts, none of the agent's work."""
    if case.candidate.group in _ADDRESSED:
        return False
    words = [token.word for token in case.reading.tokens]
    return any(
        (one == "if" or (one == "when" and at == 0))
        and words[at + 1 : at + 2] == ["the"]
        and not _OF_OURS & set(words[at + 2 : at + 3])
        for at, one in enumerate(words)
    )


def _reviewed(case: Case) -> bool:
    """Whether the sentence ends as a finding of a review does: "… (medium)"."""
    words = [token.word for token in case.reading.tokens if token.word != "."]
    return len(words) > 3 and words[-3:-2] == ["("] and words[-2] in _SEVERITIES


def _strange(case: Case) -> bool:
    """Whether a plain "don't" has a verb that agents are not known to do."""
    if case.candidate.group not in ("don't", "let's-not"):
        return False
    word = word_at(case.reading.tokens, case.candidate.action)
    return word.isalpha() and not {word, stem(word)} & _KNOWN_VERBS


def _generic(case: Case) -> bool:
    """ "Don't log passwords": a plain plural means any of them, at any time."""
    if case.candidate.group not in ("don't", "avoid"):
        return False
    verb = stem(word_at(case.reading.tokens, case.candidate.action))
    noun = word_at(case.reading.tokens, case.candidate.action + 1)
    plural = noun.endswith("s") and not noun.endswith(("ss", "us", "is"))
    return plural and verb in AGENT_VERBS and noun not in WORK_OBJECTS | DETERMINERS


def _definite(case: Case) -> bool:
    tokens, action = case.reading.tokens, case.candidate.action
    if case.candidate.group != "only" or word_at(tokens, action + 2) in TOOL_NOUNS:
        return False
    return word_at(tokens, action + 1) in _DEFINITE


def _of_this(case: Case) -> bool:
    after = word_at(case.reading.tokens, case.candidate.clause + 1)
    return case.candidate.group == "keep" and after in _DEFINITE


_EVIDENCE: tuple[tuple[float, Callable[[Case], bool]], ...] = (
    # a word of habit, or a manner or a condition of work, stands beside it
    (0.15, Case.standing),
    # … and a weak head (*make sure*) has said nothing without it
    (0.15, lambda case: case.standing() and case.sure < WEAK),
    # the message rules and does nothing else: no task, no question
    (0.10, lambda case: case.company.alone and (case.standing() or case.sure >= WEAK)),
    # there is more, and nothing says that the decree outlives it
    (-0.15, _in_company),
    # … but there are only questions, and a kind of thing is banned
    (0.25, lambda case: _in_company(case) and case.company.asked and _generic(case)),
    # the verb is what programs do (*render*)
    (-0.35, _product),
    # … or it is about what their users see (*banner*)
    (-0.25, _seen),
    # … or about when those do something
    (-0.35, _of_users),
    # … or when something of it does
    (-0.25, _when_it_does),
    # … beside a task, which may be about such a program
    (
        -0.10,
        lambda case: _product(case) and not case.company.alone and case.sure < PLAIN,
    ),
    (-0.10, _strange),
    # its object is a pronoun, so the rule cannot stand by itself
    (-0.20, lambda case: case.points),
    # "only" or "keep … short" is said of a thing already spoken of (*the*)
    (-0.10, _definite),
    (-0.25, _of_this),
    # it stands in a list of requirements, of steps or of somebody else's remarks
    (-0.50, lambda case: announces_others(case.lead) or _reviewed(case)),
    # … or among what a product shall do, and nobody says who is to obey
    (
        -0.40,
        lambda case: case.company.of_product and case.candidate.group in _BARE,
    ),
    # it is a line of a text for others
    (-0.70, lambda case: case.company.of_text),
    # it stands after a label that may announce anything ("Output: …")
    (-0.25, lambda case: case.candidate.label),
    # it stands in the middle of a sentence without a comma
    (-0.10, lambda case: case.candidate.mark == "unmarked"),
)
