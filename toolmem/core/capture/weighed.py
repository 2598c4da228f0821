"""What is weighed of a candidate: its clause, its marks, its pronouns, its company."""

from collections.abc import Sequence
from typing import NamedTuple

from toolmem.core.capture.candidates import BAN, Candidate, Reading
from toolmem.core.capture.clauses import clause_end
from toolmem.core.capture.leads import announces_rules
from toolmem.core.capture.marks import marks_of
from toolmem.core.capture.smallwords import (
    ANAPHORS,
    BREAKS,
    PREPOSITIONS,
    word_set,
)
from toolmem.core.capture.words import Token

PLAIN = 0.85
"""Heads below this sureness may be for the task only."""
WEAK = 0.5
"""Heads below this sureness say nothing without a word of habit."""
_STATED = 0.7
"""Statements below this sureness may be about code: "await is not allowed here"."""
SUBORDINATE = word_set(
    "if when whenever before after while unless once for in on during every each any"
    " until with at without outside except"
)
_CASES = word_set("when if after once as during while unless")
_CONDITIONS = word_set("if when whenever unless in")
_OF_A_KIND = word_set("a an any doubt unsure")
"""What is spoken of in a condition that may come at any time."""
_DONE = word_set("done ready finished")
_PERSONAL = word_set("it them him her")
_AFTER_BARE = word_set("again though ever yet either too now and or but please")


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


class Case(NamedTuple):
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
        """Whether a word of habit, or a manner or condition of work, is beside it."""
        return bool(self.marks & {"habit", "usual", "word"})


def case_of(
    candidate: Candidate, reading: Reading, company: Company, lead: str
) -> Case:
    """All that is weighed; ``lead`` is the line that announces the sentence."""
    marks = _marks(candidate, reading)
    if announces_rules(lead):
        marks |= {"habit"}
    fronted = "habit" in candidate.opening.kinds and candidate.group != "habit"
    return Case(
        candidate,
        reading,
        company,
        lead,
        max(candidate.sure, 0.9) if fronted else candidate.sure,
        marks,
        _points(reading.tokens, candidate, marks),
    )


def word_at(tokens: Sequence[Token], at: int) -> str:
    """The word at a place, empty behind the end."""
    return tokens[at].word if at < len(tokens) else ""


def _marks(candidate: Candidate, reading: Reading) -> frozenset[str]:
    """The kinds of marks of a candidate's clause and of what stands before it."""
    tokens = reading.tokens
    begin = beginning(tokens, candidate)
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


def beginning(tokens: Sequence[Token], candidate: Candidate) -> int:
    """Where the words begin that qualify the clause: its own, or its condition's."""
    if tokens[0].word in SUBORDINATE:
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
    if word_at(tokens, at) not in ANAPHORS or "usual" in marks:
        return False
    after = word_at(tokens, at + 1)
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
