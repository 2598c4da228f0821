"""Find the decrees of a typed message."""

from dataclasses import dataclass

from toolmem.core.capture.decree import BACK, CANDIDATE, SURE, Decree, Tier, decree_id
from toolmem.core.capture.detect.candidates import Candidate, find_candidates
from toolmem.core.capture.relate.names import ToolWords
from toolmem.core.capture.relate.rules import KnownRule, RuleRelation, relate_back
from toolmem.core.capture.relate.shared_words import may_relate
from toolmem.core.capture.relate.tools import choose_tools

_AROUND = 200
"""Characters of the message that a decree includes before and after its sentence."""


@dataclass(frozen=True, slots=True)
class Context:
    """Surroundings of a message: tools, those called before it, rules in force."""

    conversation: str = ""
    tools: tuple[ToolWords, ...] = ()
    called: tuple[str, ...] = ()
    rules: tuple[KnownRule, ...] = ()


NO_CONTEXT = Context()


def find_decrees(text: str, context: Context = NO_CONTEXT) -> tuple[Decree, ...]:
    """Return the decrees of one typed message, in order; never raises."""
    decrees = (_decree(text, candidate, context) for candidate in find_candidates(text))
    return tuple(decree for decree in decrees if decree is not None)


def _decree(text: str, candidate: Candidate, context: Context) -> Decree | None:
    relation = RuleRelation("new")
    if candidate.kind == BACK:
        relation = relate_back(
            candidate.text, may_relate(candidate.text, context.rules)
        )
        if candidate.permits and not relation.ids:
            return None
    sentence = candidate.sentence
    return Decree(
        decree_id(context.conversation, candidate.text),
        candidate.kind,
        _tier(candidate, relation),
        sentence.text,
        candidate.text,
        (candidate.start, candidate.end),
        text[max(0, sentence.start - _AROUND) : sentence.start],
        text[sentence.end : sentence.end + _AROUND],
        choose_tools(candidate.text, context.tools, context.called),
        relation.ids,
        relation.kind == "amends",
        candidate.score,
    )


def _tier(candidate: Candidate, relation: RuleRelation) -> Tier:
    if candidate.kind == BACK and (relation.kind != "revokes" or not relation.sure):
        return CANDIDATE
    return SURE if candidate.sure else CANDIDATE
