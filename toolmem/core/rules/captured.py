"""What becomes of a decree: the values of a capture, and the texts that it writes."""

from typing import Any

from toolmem.core import limits
from toolmem.core.capture import decree as capture_decree
from toolmem.core.model import Priority, Scope
from toolmem.core.named_tuple import NamedTuple
from toolmem.core.secrets.detect import REDACTED, find_secrets, redact, redact_as_in
from toolmem.core.text.safetext import find_unsafe, one_line, visible

CAPTURED, REPEATED = "captured", "repeated-failure"
"""Tags of rules that capture wrote."""

UNHEARD = "the quoted words are not in the user's messages"
"""Why a quotation became a proposal and not a rule."""

REFUSED = "refused"
"""Change of a decree of which no rule may be made, whatever was meant."""


class CapturedDecree(NamedTuple):
    """One decree and what was done with it.

    ``action`` is ``created``, ``seen``, ``proposed``, ``amended``, ``skipped``,
    ``retired``, ``contested``, ``candidate`` (an agent is to judge it) or ``dropped``
    (a judge did not keep it); ``id`` is that of the rule, or of the proposal
    where one was made. ``change`` is the kind of the proposal. ``about`` are the
    rules that a proposal would change, or those of a decree with several tools;
    ``reason`` says why it was not applied; ``scope`` is that of a new rule. ``text``
    and ``sentence`` contain no secret.
    """

    decree: "capture_decree.Decree"
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
    said: int | None = None
    scope: Scope | None = None


class DecreeDraft(NamedTuple):
    """A decree and what would be written of it.

    ``kept_by`` names the judge; ``unknown`` are tools that it named and nothing has.
    """

    decree: "capture_decree.Decree"
    turn: int
    key: str
    text: str
    sentence: str
    tools: tuple[str, ...]
    priority: Priority
    evidence: str
    session: str = ""
    kept_by: str = ""
    unknown: tuple[str, ...] = ()

    @property
    def is_kept(self) -> bool:
        """Return whether the form is sure, or a judge kept it."""
        return self.decree.sure or bool(self.kept_by)

    def ended(self, action: str, found: str | None, **more: Any) -> CapturedDecree:
        """The outcome that this became."""
        return CapturedDecree(
            self.decree,
            self.turn,
            self.text,
            self.sentence,
            self.tools,
            self.priority,
            action,
            found,
            self.evidence,
        )._replace(**more)


def draft_of(
    decree: "capture_decree.Decree",
    turn: int,
    key: str,
    place: str,
    tools: tuple[str, ...],
    session: str = "",
) -> DecreeDraft:
    """The decree with its evidence; credentials are redacted in all of it."""
    sentence = _shortened(visible(redact(decree.sentence)))
    where = f"{_place_begins(place)}{turn}"
    return DecreeDraft(
        decree,
        turn,
        key,
        redact_as_in(decree.text, decree.sentence),
        sentence,
        tools,
        Priority.CRITICAL if decree.kind == "ban" else Priority.HIGH,
        f"“{sentence}” ({visible(where)})",
        session,
    )


def said_at(evidence: str, place: str) -> bool:
    """Whether a rule's evidence is a sentence that was said in this place."""
    where = evidence.rpartition("” (")[2]
    return where.startswith(visible(_place_begins(place)))


def _place_begins(place: str) -> str:
    return f"{place}, turn " if place else "turn "


def refusal(text: str, sentence: str) -> str:
    """Why no rule may be made of a text of a sentence at all; empty when one may."""
    if REDACTED in redact_as_in(text, sentence):
        secrets = find_secrets(text) or find_secrets(sentence)
        return (
            f"contains a secret ({secrets[0].kind if secrets else 'redacted before'})"
        )
    unsafe = find_unsafe(text, multiline=True)
    if unsafe:
        return f"holds {unsafe[1]}"
    if len(text) > limits.CAPTURED_CHARS:
        return "is too long for a rule"
    return ""


def with_exception(rule: str, exception: str) -> str:
    """The text of a rule that an exception was made to."""
    return f"{one_line(rule).rstrip(' .!')} (exception: {one_line(exception)})"


def _shortened(text: str) -> str:
    limit = limits.EVIDENCE_CHARS
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"
