"""A decree: one sentence of the user that may set a standing rule."""

from dataclasses import dataclass, field

from toolmem.core.capture.kind import BACK, CANDIDATE, SURE, Kind, Tier
from toolmem.core.comparison.same import exact_key
from toolmem.core.rules.derived_id import derived_id

__all__ = ["BACK", "CANDIDATE", "SURE", "Decree", "Kind", "Tier", "decree_id"]
_ID_DIGITS = 8


@dataclass(frozen=True, slots=True)
class Decree:
    """A sentence that sets, changes or revokes a standing rule, or may.

    ``text`` is the rule on one line, a verbatim part of ``sentence`` (an item of a list
    headed "Never:" is prefixed with that heading); ``span`` is its place in the
    message, ``before`` and ``after`` are the text around the sentence. ``tools`` are
    the names that the text itself determines; none means every tool. ``rules`` are the
    ids of the known rules that a ``back`` decree may concern, most likely first.
    ``score`` (0 to 1) orders the decrees of a message by how likely they are to be
    permanent. ``id`` depends on the conversation and the text alone.
    """

    id: str
    kind: Kind
    tier: Tier
    sentence: str
    text: str
    span: tuple[int, int]
    before: str = ""
    after: str = ""
    tools: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    exception: bool = False
    score: float = field(default=0.0, compare=False)

    @property
    def sure(self) -> bool:
        """Return whether the rule is written without a judge."""
        return self.tier == SURE


def decree_id(conversation: str, text: str) -> str:
    """Return the id of a text in a conversation: ``k`` and eight hex digits."""
    return "k" + derived_id("decree", conversation, exact_key(text))[:_ID_DIGITS]
