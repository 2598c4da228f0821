"""Verify that a candidate or a quotation is the user's own words.

The words must be a stored candidate, or be found verbatim in what the hooks saw the
user type.
"""

from collections.abc import Iterator
from typing import NamedTuple

from toolmem.core.candidates.captured import UNHEARD, UNSTORED, refusal
from toolmem.core.candidates.quote import check_quote
from toolmem.core.capture.decree import BACK, decree_id
from toolmem.core.capture.find import Context, find_decrees
from toolmem.core.capture.text.masking import mask_message
from toolmem.core.text.safetext import one_line
from toolmem.ops.capture.context import CaptureContext
from toolmem.store.state.candidates import DROPPED, StoredCandidate, find_candidates
from toolmem.store.state.database import has_state, open_state
from toolmem.store.state.typed_messages import TypedMessage, typed_messages
from toolmem.store.vault.vault import Vault

_SHORTEST = 2
"""Words of a quotation: one word is found nearly anywhere."""


class KeepRequest(NamedTuple):
    """Candidates to judge, or a quotation; empty values are chosen by toolmem.

    ``session`` is the conversation of the agent, where it is known; ``agent`` is
    the name that the rule keeps as ``kept_by``. ``which`` is the rule that a
    retraction is about.
    """

    ids: tuple[str, ...] = ()
    quote: str = ""
    tools: tuple[str, ...] = ()
    scope: str = ""
    priority: str = ""
    which: str = ""
    session: str = ""
    agent: str = ""


class Refusal(NamedTuple):
    """A candidate or quotation of which nothing was made, and why."""

    id: str
    reason: str


class VerifiedQuote(NamedTuple):
    """Words of the user's own, with what is known of their place.

    ``missing`` is the reason why words without a place are none of the user's.
    """

    id: str
    kind: str
    text: str
    sentence: str
    tools: tuple[str, ...]
    place: str
    scope: str = ""
    rules: tuple[str, ...] = ()
    exception: bool = False
    session: str = ""
    missing: str = UNHEARD


def verify(vault: Vault, request: KeepRequest) -> Iterator[VerifiedQuote | Refusal]:
    """Look up what is to be kept; without a ``place`` it was found nowhere."""
    for prefix in request.ids:
        yield _candidate(vault, prefix, request.session)
    if request.quote:
        yield _quoted(vault, request)


def _candidate(vault: Vault, prefix: str, session: str) -> VerifiedQuote | Refusal:
    found: tuple[StoredCandidate, ...] = ()
    if has_state(vault.root):
        with open_state(vault.root) as state:
            found = find_candidates(state, prefix)
    own = [one for one in found if one.session == session]
    found = tuple(own) or found
    if not found:
        return Refusal(prefix, "is not a candidate of the last 14 days")
    if len(found) > 1:
        return Refusal(prefix, f"is a prefix of {len(found)} candidates")
    one = found[0]
    if one.status == DROPPED:
        return Refusal(one.id, "was dropped by a person in a review")
    reason = refusal(one.text, one.sentence)
    if reason:
        return Refusal(one.id, reason)
    return VerifiedQuote(
        one.id,
        one.kind,
        one.text,
        one.sentence,
        one.tools,
        one.place,
        one.scope,
        one.rules,
        one.exception,
        one.session,
    )


def _quoted(vault: Vault, request: KeepRequest) -> VerifiedQuote | Refusal:
    text = one_line(request.quote)
    reason = refusal(text, text)
    if reason:
        return Refusal("", reason)
    if len(text.split()) < _SHORTEST:
        return Refusal("", "is a single word: quote the sentence")
    why, missing = "", UNHEARD
    for message in typed_messages(vault.root, request.session):
        masked = mask_message(message.text).masked
        check = check_quote(text, message.text, masked)
        if check.span is not None:
            words = one_line(message.text[slice(*check.span)])
            if reason := refusal(words, message.text):
                return Refusal("", reason)
            return _described(vault, request, words, message, check.span)
        why = why or ("" if check.missing else check.reason)
        missing = UNSTORED if message.cut else missing
    if why:
        return Refusal("", why)
    return _described(vault, request, text)._replace(missing=missing)


def _described(
    vault: Vault,
    request: KeepRequest,
    text: str,
    message: TypedMessage | None = None,
    span: tuple[int, int] = (0, 0),
) -> VerifiedQuote:
    """Describe words as the detector does, whatever it thinks of them.

    Words of a sentence that bans or demands something take nothing back.
    """
    rules = tuple(CaptureContext(vault, vault.write_scope).every())
    session = message.session if message else ""
    context = Context(session, rules=rules)
    found = find_decrees(text, context)
    one = max(found, key=lambda decree: len(decree.text), default=None)
    kind = one.kind if one else "demand"
    if message and kind == BACK:
        around = find_decrees(message.text, context)
        kinds = [each.kind for each in around if _meet(each.span, span)]
        kind = next((each for each in kinds if each != BACK), kind)
    place = f"session {session}" if session else ""
    return VerifiedQuote(
        decree_id(session, text),
        kind,
        text,
        text,
        one.tools if one else (),
        place,
        rules=one.rules if one else (),
        exception=one.exception if one else False,
        session=session,
    )


def _meet(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]
