"""Whether a decree holds for longer than the task at hand.

It does not when a word says so (*yet*, *in this PR*); and, if its head is a plain
command, when it forbids the work itself ("don't code yet"), when its object points
at something here, or when it is said in one breath with a step of the task.
"""

from collections.abc import Sequence

from toolmem.core.capture.candidates import BAN, Candidate
from toolmem.core.capture.clauses import commands
from toolmem.core.capture.lexicon import WORK_OBJECTS, WORK_VERBS
from toolmem.core.capture.marks import marks_of
from toolmem.core.capture.smallwords import BREAKS, word_set
from toolmem.core.capture.stems import stem
from toolmem.core.capture.weighed import PLAIN, SUBORDINATE, Case, word_at
from toolmem.core.capture.words import Token

_AFTER_WORK = word_set("and or but just yet else at for until till before")
_INTRANSITIVE = word_set(
    "edit change write fix implement touch start code modify proceed continue"
)


def lasts(case: Case) -> bool:
    """Whether it outlives the task."""
    tokens, kinds = case.reading.tokens, case.candidate.opening.kinds
    if ("now" in case.marks or "while" in kinds) and "habit" not in kinds:
        return False
    if case.points and ("until" in case.marks or _beside_step(case)):
        return False
    if case.sure >= PLAIN or case.marks & {"habit", "word"}:
        return True
    if "until" in case.marks:
        return False
    fronted = "usual" in case.marks and tokens[0].word in SUBORDINATE
    if case.company.brief or (not fronted and forbids_work(tokens, case.candidate)):
        return False
    if _turns_to_step(tokens, case.candidate.action):
        return False
    if "usual" in case.marks:
        return True
    return not (case.points or "soon" in case.marks or _beside_step(case))


def _turns_to_step(tokens: Sequence[Token], at: int) -> bool:
    """ "Don't run it, just read the config": what comes is a step of the task."""
    return any(
        tokens[n].word in (",", "-", ";")
        and tokens[n + 1].word == "just"
        and commands(tokens, n + 2)
        for n in range(at, len(tokens) - 2)
    )


def _beside_step(case: Case) -> bool:
    """Whether it is said in one breath with a step of the task."""
    tokens, first = case.reading.tokens, case.reading.opening.head
    if case.candidate.clause <= first:
        return False
    before = marks_of(tokens, first, case.candidate.clause)
    return "now" in before or (commands(tokens, first) and "each" not in before)


def forbids_work(tokens: Sequence[Token], candidate: Candidate) -> bool:
    """Whether the work itself is off: "don't code yet", "don't change anything"."""
    at = candidate.action
    verb = stem(word_at(tokens, at))
    if candidate.polarity != BAN or verb not in WORK_VERBS:
        return False
    at += 1
    start = at
    while word_at(tokens, at) in WORK_OBJECTS:
        at += 1
    after = word_at(tokens, at)
    ends = not after or after in BREAKS | _AFTER_WORK
    return ends and (at > start or verb in _INTRANSITIVE)
