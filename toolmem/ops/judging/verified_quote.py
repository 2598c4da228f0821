"""Verify that a candidate or a quotation is the user's own words.

The words must be a stored candidate, or be found verbatim in what the hooks saw the
user type.
"""

from collections.abc import Iterator
from typing import NamedTuple

from toolmem.core.candidates.captured import UNHEARD, UNSTORED, refusal
from toolmem.core.candidates.quote import check_quote, exception_after, flat_text
from toolmem.core.capture.decree import decree_id
from toolmem.core.capture.find import Context, find_decrees
from toolmem.core.capture.text.masking import mask_message
from toolmem.core.text.safetext import one_line
from toolmem.ops.capture.context import CaptureContext
from toolmem.store.state.candidates import DROPPED, StoredCandidate, find_candidates
from toolmem.store.state.database import has_state, open_state
from toolmem.store.state.typed_messages import typed_messages
from toolmem.store.vault.vault import Vault

_BEFORE = 200
"""Characters before a quotation that may explain what it refers to."""
_SHORTEST = 2
"""Words of a quotation: one word is found nearly anywhere."""


class KeepRequest(NamedTuple):
    """Candidates to judge, or a quotation; empty values are chosen by toolmem.

    ``session`` is the conversation of the agent, where it is known; ``agent`` is
    the name that the rule keeps as ``kept_by``. ``which`` is the rule that a
    retraction is about, ``wording`` the text that the agent offers for a rule, and
    ``cwd`` the folder in which it works.
    """

    ids: tuple[str, ...] = ()
    quote: str = ""
    tools: tuple[str, ...] = ()
    scope: str = ""
    priority: str = ""
    which: str = ""
    session: str = ""
    agent: str = ""
    cwd: str = ""
    wording: str = ""


class Refusal(NamedTuple):
    """A candidate or quotation of which nothing was made, and why."""

    id: str
    reason: str


class VerifiedQuote(NamedTuple):
    """Words of the user's own, with what is known of their place.

    ``before`` is the message before them.
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
    before: str = ""
    missing: str = UNHEARD


def verify(vault: Vault, request: KeepRequest) -> Iterator[VerifiedQuote | Refusal]:
    """Look up what is to be kept; without a ``place`` it was found nowhere."""
    for prefix in request.ids:
        yield _candidate(vault, prefix, request.session)
    if request.quote:
        yield _quoted(vault, request)


def is_candidate(vault: Vault, prefix: str) -> bool:
    """Return whether an id or a prefix is one of a candidate."""
    return bool(_stored(vault, prefix))


def _stored(vault: Vault, prefix: str) -> tuple[StoredCandidate, ...]:
    if not has_state(vault.root):
        return ()
    with open_state(vault.root) as state:
        return find_candidates(state, prefix)


def _candidate(vault: Vault, prefix: str, session: str) -> VerifiedQuote | Refusal:
    candidates = _stored(vault, prefix)
    own = [candidate for candidate in candidates if candidate.session == session]
    candidates = tuple(own) or candidates
    if not candidates:
        return Refusal(prefix, "is not a candidate of the last 14 days")
    if len(candidates) > 1:
        return Refusal(prefix, f"is a prefix of {len(candidates)} candidates")
    candidate = candidates[0]
    if candidate.status == DROPPED:
        return Refusal(candidate.id, "was dropped by a person in a review")
    reason = refusal(candidate.text, candidate.sentence)
    if reason:
        return Refusal(candidate.id, reason)
    more = exception_after(candidate.after)
    return VerifiedQuote(
        candidate.id,
        candidate.kind,
        " ".join(filter(None, (candidate.text, more))),
        " ".join(filter(None, (candidate.sentence, more))),
        candidate.tools,
        candidate.place,
        candidate.scope,
        candidate.rules,
        candidate.exception,
        candidate.session,
        candidate.before,
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
        check = check_quote(text, mask_message(message.text))
        if check.span is not None:
            start, end = check.span
            words = flat_text(message.text[start:end])
            if reason := refusal(words, message.text):
                return Refusal("", reason)
            before = message.text[max(0, start - _BEFORE) : start]
            return _described(vault, words, message.session, before)
        why = why or ("" if check.missing else check.reason)
        missing = UNSTORED if message.cut else missing
    if why:
        return Refusal("", why)
    return _described(vault, text)._replace(missing=missing)


def _described(
    vault: Vault, text: str, session: str = "", before: str = ""
) -> VerifiedQuote:
    """Describe words as the detector does, whatever it thinks of them."""
    rules = tuple(CaptureContext(vault, vault.write_scope).every())
    decrees = find_decrees(text, Context(session, rules=rules))
    longest = max(decrees, key=lambda decree: len(decree.text), default=None)
    kind = longest.kind if longest else "demand"
    place = f"session {session}" if session else ""
    return VerifiedQuote(
        decree_id(session, text),
        kind,
        text,
        text,
        longest.tools if longest else (),
        place,
        rules=longest.rules if longest else (),
        exception=longest.exception if longest else False,
        session=session,
        before=before,
    )
