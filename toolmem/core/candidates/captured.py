"""Outcomes of captured decrees, and the texts of the rules made of them."""

from typing import Any, NamedTuple

from toolmem.core import limits
from toolmem.core.candidates.harm import highest_priority
from toolmem.core.candidates.wording import Wording, trimmed
from toolmem.core.capture.decree import Decree
from toolmem.core.model import ANY_TOOL, Priority, Scope
from toolmem.core.secrets.detect import REDACTED, find_secrets, redact, redact_as_in
from toolmem.core.text.safetext import find_unsafe, one_line, visible

CAPTURED, REPEATED = "captured", "repeated-failure"
"""Tags of rules that capture wrote."""

UNHEARD = "the quoted words are not in the user's messages"
"""Reason for a proposal instead of a rule: the quotation was not found."""
UNSTORED = (
    f"the quoted words are not in the first {limits.TYPED_CHARS:,} characters of the "
    "user's messages"
)
"""The same reason where a longer message was typed."""
UNRELATED = "the quoted words do not clearly take back this rule"
"""Reason for a proposal instead of a retraction."""

REFUSED = "refused"
"""Change of a decree that must never become a rule."""


class CapturedDecree(NamedTuple):
    """One decree and its outcome.

    ``action`` is ``created``, ``seen``, ``proposed``, ``amended``, ``skipped``,
    ``retired``, ``contested``, ``candidate`` (for an agent to judge) or ``dropped``
    (rejected by a judge). ``id`` is that of the rule, or of the proposal if one was
    made. ``change`` is the kind of the proposal. ``about`` are the rules that a
    proposal would change, or those of a decree with several tools. ``reason`` is why it
    was not applied; ``scope`` is that of a new rule, ``here`` that of the project.
    ``text`` and ``sentence`` contain no secret.
    """

    decree: Decree
    turn: int
    text: str
    sentence: str
    tools: tuple[str, ...]
    priority: Priority
    action: str
    id: str | None
    evidence: str
    about: tuple[str, ...] = ()
    reason: str = ""
    change: str = ""
    path: str = ""
    clamped: bool = False
    times_stated: int | None = None
    scope: Scope | None = None
    here: Scope | None = None


class DecreeDraft(NamedTuple):
    """A decree and the content of its rule.

    ``keys`` identify the message in a known session; ids are made of the first.
    ``kept_by`` names the judge; ``unknown`` are tools that it named and that do not
    exist; ``wording`` is the text of the rule.
    """

    decree: Decree
    turn: int
    keys: tuple[str, ...]
    text: str
    sentence: str
    tools: tuple[str, ...]
    priority: Priority
    evidence: str
    session: str = ""
    kept_by: str = ""
    unknown: tuple[str, ...] = ()
    wording: Wording = Wording("")

    @property
    def key(self) -> str:
        """The key that ids are made of; empty for a message of no known session."""
        return next(iter(self.keys), "")

    @property
    def is_accepted(self) -> bool:
        """Return True if the form is sure, or a judge accepted it."""
        return self.decree.sure or bool(self.kept_by)

    def ended(self, action: str, rule_id: str | None, **more: Any) -> CapturedDecree:
        """Return the outcome of this draft."""
        return CapturedDecree(
            self.decree,
            self.turn,
            self.text,
            self.sentence,
            self.tools,
            self.priority,
            action,
            rule_id,
            self.evidence,
        )._replace(**more)


def draft_of(
    decree: Decree,
    turn: int,
    keys: tuple[str, ...],
    place: str,
    tools: tuple[str, ...],
    session: str = "",
) -> DecreeDraft:
    """Return the decree with its evidence; credentials are redacted in all of it."""
    sentence = _shortened(visible(redact(decree.sentence)))
    where = f"{_place_begins(place)}{turn}"
    return DecreeDraft(
        decree,
        turn,
        keys,
        redact_as_in(decree.text, decree.sentence),
        sentence,
        tools,
        highest_priority(decree.kind, decree.text, next(iter(tools), ANY_TOOL)),
        f"“{sentence}” ({visible(where)})",
        session,
        wording=trimmed(decree.text, next(iter(tools), ANY_TOOL)),
    )


def is_evidence_at(evidence: str, place: str) -> bool:
    """Return True if a rule's evidence is a sentence from this place."""
    where = evidence.rpartition("” (")[2]
    return where.startswith(visible(_place_begins(place)))


def _place_begins(place: str) -> str:
    return f"{place}, turn " if place else "turn "


def refusal(text: str, sentence: str) -> str:
    """Return why a text must never become a rule; empty if it may."""
    if REDACTED in redact_as_in(text, sentence):
        secrets = find_secrets(text) or find_secrets(sentence)
        return (
            f"contains a secret ({secrets[0].kind if secrets else 'redacted before'})"
        )
    unsafe = find_unsafe(text, multiline=True)
    if unsafe:
        return f"contains {unsafe[1]}"
    if len(text) > limits.CAPTURED_CHARS:
        return "is too long for a rule"
    return ""


def with_exception(rule: str, exception: str) -> str:
    """Return the text of a rule with an exception."""
    return f"{one_line(rule).rstrip(' .!')} (exception: {one_line(exception)})"


def _shortened(text: str) -> str:
    limit = limits.EVIDENCE_CHARS
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"
