"""How sure a find is, and whether it holds for longer than the task at hand.

The confidence is the sureness of the head, and then, in this order of thought:

    + 0.15  beside it stands a word of habit, or a manner or a condition of work;
            + 0.30 for weak heads (*make sure*), which say nothing without one
    + 0.10  the message rules and does nothing else: no task, no question
    - 0.15  there is more, and nothing says that the decree outlives it
    + 0.10  there are only questions, and a kind of thing is banned ("log passwords")
    - 0.20  the verb is what programs do (*render*): - 0.30 beside a task
    - 0.20  its object is a pronoun, so the rule cannot stand by itself
    - 0.10  "only" is said of a thing already spoken of (*the*)
    - 0.50  it stands in a list of requirements or of steps
    - 0.25  it stands after a label that may announce anything ("Output: …")
    - 0.10  it stands in the middle of a sentence without a comma

A decree is for this task only when a word says so (*yet*, *in this PR*); and,
if its head is a plain command, when it forbids the work itself ("don't write
code"), when its object points at something here, or when it is said in one
breath with a step of the task.
"""

from collections.abc import Sequence
from typing import NamedTuple

from toolmem.core.capture.lexicon import (
    AGENT_VERBS,
    ANAPHORS,
    BREAKS,
    DETERMINERS,
    PREPOSITIONS,
    PRODUCT_VERBS,
    SPEC_LEADS,
    WORK_OBJECTS,
    WORK_VERBS,
)
from toolmem.core.capture.marks import marks_of
from toolmem.core.capture.reading import BAN, Candidate, Reading, commands
from toolmem.core.capture.shapes import clause_end
from toolmem.core.capture.stems import stem
from toolmem.core.capture.words import Token

_PLAIN = 0.85
"""Heads below this sureness may be for the task only."""
_WEAK = 0.5
"""Heads below this sureness say nothing without a word of habit."""
_SUBORDINATE = frozenset(
    "if when whenever before after while unless once for in on during every each any"
    " until with at".split()
)


class Company(NamedTuple):
    """What else a message holds: nothing (``alone``), a task, or a whole brief.

    ``asked``: there are questions, but no task.
    """

    alone: bool
    brief: bool
    asked: bool = False


class Grade(NamedTuple):
    """What a candidate is worth: its confidence, and whether it lasts."""

    confidence: float
    lasting: bool


def grade(
    candidate: Candidate, reading: Reading, company: Company, lead: str = ""
) -> Grade:
    """Weigh a candidate by its clause and by the company of its sentence."""
    tokens = reading.tokens
    begin = _from(tokens, candidate)
    end = clause_end(tokens, candidate.action)
    marks = set(marks_of(tokens, begin, end)) | _policy(tokens, candidate)
    if any(token.word == "still" for token in tokens):
        marks.add("soon")
    if marks & {"each", "repeated"} and candidate.polarity != BAN:
        marks.add("usual")
    kinds = candidate.opening.kinds
    if kinds & {"habit", "label", "usually"}:
        marks.add("habit")
    if "word" in marks and sure_by_itself(candidate):
        marks.discard("word")
    if tokens[0].word in ("when", "whenever") and candidate.clause > 1:
        marks.add("usual")
    standing = bool(marks & {"habit", "usual", "word"})
    sure = max(candidate.sure, 0.9) if "habit" in kinds and candidate.group != "habit" else candidate.sure
    pointing = _points(tokens, candidate, marks)
    lasting = _lasts(reading, candidate, company, marks, pointing, sure)
    product = candidate.group in _BARE and _product(tokens, candidate.action)
    points = sure
    weak = sure < _WEAK
    points += (0.3 if weak else 0.15) * standing
    points += 0.1 * (company.alone and (standing or not weak))
    if not company.alone and not standing and sure < _PLAIN:
        generic = company.asked and _generic(tokens, candidate)
        points += 0.1 if generic else -0.15
    points -= (0.2 if company.alone or sure >= _PLAIN else 0.3) * product
    points -= 0.2 * pointing
    points -= 0.1 * (candidate.group == "only" and _definite(tokens, candidate))
    points -= 0.5 * bool(SPEC_LEADS & set(lead.split()))
    points -= 0.25 * candidate.label
    points -= 0.1 * (candidate.mark == "unmarked")
    return Grade(round(min(max(points, 0.0), 0.97), 2), lasting)


def sure_by_itself(candidate: Candidate) -> bool:
    """Whether the head holds the word of habit itself."""
    return candidate.sure >= _PLAIN


def _from(tokens: Sequence[Token], candidate: Candidate) -> int:
    """Where the words begin that qualify the clause: its own, or its condition's."""
    if tokens[0].word in _SUBORDINATE:
        return 0
    at = candidate.clause
    while at and tokens[at - 1].word not in BREAKS:
        at -= 1
    return min(at, candidate.clause)


def _policy(tokens: Sequence[Token], candidate: Candidate) -> set[str]:
    """ "We only deploy from CI, so don't …" rules by the habit that it names."""
    for n in range(candidate.clause - 1):
        if tokens[n].word in ("we", "i", "you") and tokens[n + 1].word in (
            "only",
            "always",
            "never",
        ):
            return {"usual"}
    return set()


def _points(tokens: Sequence[Token], candidate: Candidate, marks: set[str]) -> bool:
    """Whether the object of the verb is a pronoun that this sentence does not explain."""
    at = candidate.action + 1
    if tokens[candidate.clause].word in ("leave", "keep"):
        at = candidate.clause + 1
    if at >= len(tokens) or tokens[at].word not in ANAPHORS:
        return False
    after = tokens[at + 1].word if at + 1 < len(tokens) else ""
    bare = not after or after in BREAKS or after in PREPOSITIONS or not after[0].isalpha()
    bare = bare or tokens[at].word in ("it", "them", "him", "her") or after in _AFTER_BARE
    if not bare:
        return False
    earlier = marks_of(tokens, 0, candidate.clause)
    return not earlier & {"each", "habit", "usual"} and "usual" not in marks


_BARE = frozenset("never don't always only avoid habit whenever announced no usual".split())
"""Groups that do not say who shall act."""
_AFTER_BARE = frozenset("again though ever yet either too now and or but please".split())


def _lasts(
    reading: Reading,
    candidate: Candidate,
    company: Company,
    marks: set[str],
    pointing: bool,
    sure: float,
) -> bool:
    kinds = candidate.opening.kinds
    if ("now" in marks or "while" in kinds) and "habit" not in kinds:
        return False
    if sure >= _PLAIN or marks & {"habit", "word"}:
        return True
    if company.brief or forbids_work(reading.tokens, candidate):
        return False
    if "usual" in marks:
        return True
    first = reading.opening.head
    step = candidate.clause > first and commands(reading.tokens, first)
    step = step and "each" not in marks_of(reading.tokens, first, candidate.clause)
    return not (pointing or "soon" in marks or step)


def _generic(tokens: Sequence[Token], candidate: Candidate) -> bool:
    """ "Don't log passwords": a plain plural means any of them, at any time."""
    at = candidate.action
    if candidate.group not in ("don't", "avoid") or at + 1 >= len(tokens):
        return False
    noun, verb = tokens[at + 1].word, stem(tokens[at].word)
    plural = noun.endswith("s") and not noun.endswith(("ss", "us", "is"))
    return plural and verb in AGENT_VERBS | {"log"} and noun not in WORK_OBJECTS | DETERMINERS


def _definite(tokens: Sequence[Token], candidate: Candidate) -> bool:
    after = tokens[candidate.action + 1 : candidate.action + 2]
    return bool(after) and after[0].word in ("the", "this", "that", "these", "those", "it")


def forbids_work(tokens: Sequence[Token], candidate: Candidate) -> bool:
    """ "Don't write code", "don't change anything": the work itself is off."""
    at = candidate.action
    if candidate.polarity != BAN or stem(tokens[at].word) not in WORK_VERBS:
        return False
    at += 1
    seen = 0
    while at < len(tokens) and tokens[at].word in WORK_OBJECTS:
        at += 1
        seen += 1
    return bool(seen) and (at >= len(tokens) or tokens[at].word in BREAKS | _AFTER_WORK)


_AFTER_WORK = frozenset("and or but just yet else at for until till before".split())


def _product(tokens: Sequence[Token], action: int) -> bool:
    if action >= len(tokens):
        return False
    verb = stem(tokens[action].word)
    if verb != tokens[action].word and tokens[action].word.endswith("ing"):
        return False  # "stop retrying": it is the agent who does it
    if any(token.word in ("me", "us") for token in tokens[action + 1 : action + 2]):
        return False
    return verb in PRODUCT_VERBS and verb not in AGENT_VERBS
