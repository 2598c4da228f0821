"""How sure a find is, and whether it holds for longer than the task at hand.

The confidence is the sureness of the head, changed by what stands around it;
``_EVIDENCE`` is the table. A decree is for this task only when a word says so
(*yet*, *in this PR*); and, if its head is a plain command, when it forbids the
work itself ("don't code yet"), when its object points at something here, or
when it is said in one breath with a step of the task.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from toolmem.core.capture.candidates import BAN, Candidate, Reading
from toolmem.core.capture.clauses import clause_end, commands
from toolmem.core.capture.leads import announces_others, announces_rules
from toolmem.core.capture.lexicon import (
    AGENT_VERBS,
    PRODUCT_NOUNS,
    PRODUCT_VERBS,
    TOOL_NOUNS,
    WORK_OBJECTS,
    WORK_VERBS,
)
from toolmem.core.capture.marks import marks_of
from toolmem.core.capture.programs import EVERYDAY_PROGRAMS, PROGRAMS
from toolmem.core.capture.smallwords import (
    ANAPHORS,
    BREAKS,
    DETERMINERS,
    PREPOSITIONS,
    word_set,
)
from toolmem.core.capture.stems import stem
from toolmem.core.capture.words import Token

PLAIN = 0.85
"""Heads below this sureness may be for the task only."""
WEAK = 0.5
"""Heads below this sureness say nothing without a word of habit."""
_STATED = 0.7
"""Statements below this sureness may be about code: "await is not allowed here"."""
_MOST = 0.97

_SUBORDINATE = word_set(
    "if when whenever before after while unless once for in on during every each any"
    " until with at without outside except"
)
_CASES = word_set("when if after once as during while unless")
_BARE = word_set("never don't always only avoid habit whenever announced no usual")
"""Groups that do not say who shall act: the product may be meant."""
_ADDRESSED = word_set(
    "must-not should-not can-not told-not wish-not polite-not dislike stop must"
)
"""Groups that say that the agent shall act."""
_KNOWN_VERBS = AGENT_VERBS | PROGRAMS | EVERYDAY_PROGRAMS
_DEFINITE = word_set("the this that these those it")
_CONDITIONS = word_set("if when whenever unless in")
_USERS = word_set("user users visitor visitors player players")
_SEVERITIES = word_set("critical major high medium minor low nit")
_OF_A_KIND = word_set("a an any doubt unsure")
"""What is spoken of in a condition that may come at any time."""
_DONE = word_set("done ready finished")
_PERSONAL = word_set("it them him her")
_AFTER_BARE = word_set("again though ever yet either too now and or but please")
_AFTER_WORK = word_set("and or but just yet else at for until till before")
_INTRANSITIVE = word_set(
    "edit change write fix implement touch start code modify proceed continue"
)


class Company(NamedTuple):
    """What else a message holds: nothing (``alone``), a task, or a whole brief.

    ``asked``: there are questions, but no task. ``of_product``: what stands right
    before, or around it in its list, says what a product does. ``of_text``: it
    stands in a text that is to be written for others.
    """

    alone: bool
    brief: bool
    asked: bool = False
    of_product: bool = False
    of_text: bool = False


class Grade(NamedTuple):
    """What a candidate is worth: its confidence, and whether it lasts."""

    confidence: float
    lasting: bool


class _Case(NamedTuple):
    """A candidate with all that is weighed.

    ``sure`` is what the head says, and a word of habit before it; ``marks`` are
    the kinds of marks of its clause; ``points`` tells that its object is a
    pronoun which the sentence does not explain.
    """

    candidate: Candidate
    reading: Reading
    company: Company
    lead: str
    sure: float
    marks: frozenset[str]
    points: bool

    def standing(self) -> bool:
        return bool(self.marks & {"habit", "usual", "word"})


def grade(
    candidate: Candidate, reading: Reading, company: Company, lead: str = ""
) -> Grade:
    """Weigh a candidate by its clause, its sentence and the rest of the message.

    ``lead`` is the line that announces the sentence, "" if none does.
    """
    marks = _marks(candidate, reading)
    if announces_rules(lead):
        marks |= {"habit"}
    fronted = "habit" in candidate.opening.kinds and candidate.group != "habit"
    case = _Case(
        candidate,
        reading,
        company,
        lead,
        max(candidate.sure, 0.9) if fronted else candidate.sure,
        marks,
        _points(reading.tokens, candidate, marks),
    )
    points = case.sure + sum(weight for weight, holds in _EVIDENCE if holds(case))
    return Grade(round(min(max(points, 0.0), _MOST), 2), _lasts(case))


# Evidence ----------------------------------------------------------------


def _in_company(case: _Case) -> bool:
    return not case.company.alone and not case.standing() and case.sure < PLAIN


def _product(case: _Case) -> bool:
    """Whether the verb is what programs do, and nothing says who shall do it."""
    tokens, action = case.reading.tokens, case.candidate.action
    if case.candidate.group not in _BARE or action >= len(tokens):
        return False
    word = tokens[action].word
    to_me = any(t.word in ("me", "us") for t in tokens[action + 1 : action + 2])
    gerund = word.endswith("ing")  # "stop retrying": it is the agent who does it
    return not gerund and not to_me and stem(word) in PRODUCT_VERBS


def _seen(case: _Case) -> bool:
    if case.candidate.group in _ADDRESSED:
        return False
    tokens, candidate = case.reading.tokens, case.candidate
    turned = candidate.opening.kinds & {"habit", "usually"}  # "…, and in general …"
    start = _beginning(tokens, candidate) if turned else 0
    return any(token.word in PRODUCT_NOUNS for token in tokens[start:])


def _of_users(case: _Case) -> bool:
    """ "Only send it if the user agreed": it is not the one who speaks."""
    if case.candidate.group in _ADDRESSED:
        return False
    words = [token.word for token in case.reading.tokens]
    if {"unless", "until", "asks"} & set(words):
        return False
    return any(the in ("the", "a") and who in _USERS for the, who in pairwise(words))


def _reviewed(case: _Case) -> bool:
    """Whether the sentence ends as a finding of a review does: "… (medium)"."""
    words = [token.word for token in case.reading.tokens if token.word != "."]
    return len(words) > 3 and words[-3:-2] == ["("] and words[-2] in _SEVERITIES


def _strange(case: _Case) -> bool:
    """Whether a plain "don't" has a verb that agents are not known to do."""
    if case.candidate.group not in ("don't", "let's-not"):
        return False
    word = _word(case.reading.tokens, case.candidate.action)
    return word.isalpha() and not {word, stem(word)} & _KNOWN_VERBS


def _generic(case: _Case) -> bool:
    """ "Don't log passwords": a plain plural means any of them, at any time."""
    if case.candidate.group not in ("don't", "avoid"):
        return False
    verb = stem(_word(case.reading.tokens, case.candidate.action))
    noun = _word(case.reading.tokens, case.candidate.action + 1)
    plural = noun.endswith("s") and not noun.endswith(("ss", "us", "is"))
    return plural and verb in AGENT_VERBS and noun not in WORK_OBJECTS | DETERMINERS


def _definite(case: _Case) -> bool:
    tokens, action = case.reading.tokens, case.candidate.action
    if case.candidate.group != "only" or _word(tokens, action + 2) in TOOL_NOUNS:
        return False
    return _word(tokens, action + 1) in _DEFINITE


def _of_this(case: _Case) -> bool:
    after = _word(case.reading.tokens, case.candidate.clause + 1)
    return case.candidate.group == "keep" and after in _DEFINITE


_EVIDENCE: tuple[tuple[float, Callable[[_Case], bool]], ...] = (
    # a word of habit, or a manner or a condition of work, stands beside it
    (0.15, _Case.standing),
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


# What is weighed ---------------------------------------------------------


def _word(tokens: Sequence[Token], at: int) -> str:
    return tokens[at].word if at < len(tokens) else ""


def _marks(candidate: Candidate, reading: Reading) -> frozenset[str]:
    """The kinds of marks of a candidate's clause and of what stands before it."""
    tokens = reading.tokens
    begin = _beginning(tokens, candidate)
    marks = set(marks_of(tokens, begin, clause_end(tokens, candidate.action)))
    if any(token.word == "still" for token in tokens):
        marks.add("soon")
    if tokens[-1].word == "now":
        marks.add("now")
    if "here" in marks and not _house_rule(candidate):
        marks.add("soon")
    if marks & {"each", "repeated"} and candidate.polarity != BAN:
        marks.add("usual")
    if candidate.opening.kinds & {"habit", "label", "usually"}:
        marks.add("habit")
    if candidate.sure >= PLAIN:
        marks.discard("word")  # it is the head itself
    recurs = tokens[0].word in ("when", "whenever") and candidate.clause > 1
    if candidate.group == "only":
        words = {token.word for token in tokens[candidate.action :]}
        recurs = recurs or bool(words & _CASES)
    if recurs or _policy(tokens, candidate):
        marks.add("usual")
    return frozenset(marks)


def _house_rule(candidate: Candidate) -> bool:
    """ "Force pushes are banned here": what is forbidden in a place stays so."""
    return candidate.group == "forbidden" and candidate.sure >= _STATED


def _beginning(tokens: Sequence[Token], candidate: Candidate) -> int:
    """Where the words begin that qualify the clause: its own, or its condition's."""
    if tokens[0].word in _SUBORDINATE:
        return 0
    at = candidate.clause
    while at and tokens[at - 1].word not in BREAKS:
        at -= 1
    return at


def _policy(tokens: Sequence[Token], candidate: Candidate) -> bool:
    """ "We only release on Mondays, so don't …" rules by the habit that it names."""
    return any(
        tokens[n].word in ("we", "i", "you")
        and tokens[n + 1].word in ("only", "always", "never")
        for n in range(candidate.clause - 1)
    )


def _points(
    tokens: Sequence[Token], candidate: Candidate, marks: frozenset[str]
) -> bool:
    at = candidate.action + 1
    if tokens[candidate.clause].word in ("leave", "keep"):
        at = candidate.clause + 1
    if _word(tokens, at) not in ANAPHORS or "usual" in marks:
        return False
    after = _word(tokens, at + 1)
    bare = not after[:1].isalpha() or after in BREAKS | PREPOSITIONS | _AFTER_BARE
    if not bare and tokens[at].word not in _PERSONAL:
        return False
    earlier = marks_of(tokens, 0, candidate.clause)
    return not earlier & {"each", "habit", "usual"} and not _explained(
        tokens, candidate
    )


def _explained(tokens: Sequence[Token], candidate: Candidate) -> bool:
    """Whether a condition in front says what a pronoun means: "if X, don't … it"."""
    before = {token.word for token in tokens[: candidate.clause]}
    any_of_a_kind = {token.word for token in tokens[: candidate.action]}
    if candidate.group == "whenever" and any_of_a_kind & _OF_A_KIND:
        return True
    conditional = {tokens[0].word, tokens[candidate.clause].word} & _CONDITIONS
    return bool(conditional) and len(before) > 3 and not before & _DONE


# For how long ------------------------------------------------------------


def _lasts(case: _Case) -> bool:
    tokens, kinds = case.reading.tokens, case.candidate.opening.kinds
    if ("now" in case.marks or "while" in kinds) and "habit" not in kinds:
        return False
    if case.points and ("until" in case.marks or _beside_step(case)):
        return False
    if case.sure >= PLAIN or case.marks & {"habit", "word"}:
        return True
    if "until" in case.marks:
        return False
    fronted = "usual" in case.marks and tokens[0].word in _SUBORDINATE
    if case.company.brief or (not fronted and forbids_work(tokens, case.candidate)):
        return False
    if "usual" in case.marks:
        return True
    return not (case.points or "soon" in case.marks or _beside_step(case))


def _beside_step(case: _Case) -> bool:
    """Whether it is said in one breath with a step of the task."""
    tokens, first = case.reading.tokens, case.reading.opening.head
    if case.candidate.clause <= first:
        return False
    before = marks_of(tokens, first, case.candidate.clause)
    return "now" in before or (commands(tokens, first) and "each" not in before)


def forbids_work(tokens: Sequence[Token], candidate: Candidate) -> bool:
    """Whether the work itself is off: "don't code yet", "don't change anything"."""
    at = candidate.action
    verb = stem(_word(tokens, at))
    if candidate.polarity != BAN or verb not in WORK_VERBS:
        return False
    at += 1
    start = at
    while _word(tokens, at) in WORK_OBJECTS:
        at += 1
    after = _word(tokens, at)
    ends = not after or after in BREAKS | _AFTER_WORK
    return ends and (at > start or verb in _INTRANSITIVE)
