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
    decrees = (_decree(text, one, context) for one in find_candidates(text))
    return tuple(one for one in decrees if one is not None)


def _decree(text: str, found: Candidate, context: Context) -> Decree | None:
    relation = RuleRelation("new")
    if found.kind == BACK:
        relation = relate_back(found.text, may_relate(found.text, context.rules))
        if found.permits and not relation.ids:
            return None
    sentence = found.sentence
    return Decree(
        decree_id(context.conversation, found.text),
        found.kind,
        _tier(found, relation),
        sentence.text,
        found.text,
        (found.start, found.end),
        text[max(0, sentence.start - _AROUND) : sentence.start],
        text[sentence.end : sentence.end + _AROUND],
        choose_tools(found.text, context.tools, context.called),
        relation.ids,
        relation.kind == "amends",
        found.score,
    )


def _tier(found: Candidate, relation: RuleRelation) -> Tier:
    if found.kind == BACK and (relation.kind != "revokes" or not relation.sure):
        return CANDIDATE
    return SURE if found.sure else CANDIDATE
