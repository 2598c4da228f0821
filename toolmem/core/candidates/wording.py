"""Cut the text of a rule from a sentence, and verify a wording that an agent offers.

A wording passes if it is the sentence with words left out that carry nothing, and with
at most one phrase moved to the other end. Everything else adds, drops or exchanges
something, so no list of what may matter is needed.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from toolmem.core.capture.relate.content import PREPOSITIONS, stem
from toolmem.core.capture.relate.tools import is_program
from toolmem.core.capture.text.masking import mask_message
from toolmem.core.capture.text.sentences import split_sentences
from toolmem.core.capture.text.words import ENTITY, QUOTE, tokenize, word_set
from toolmem.core.guard.derivation.stated import derived_guards
from toolmem.core.text.safetext import one_line

_LEAD = re.compile(
    r"(?i)\s*(?:(?:also|and|so|ok(?:ay)?|hm+|please|pls|plz|kindly|hey|hi|btw|ps|fyi"
    r"|by the way|(?:many )?thanks|thank you)(?=[\s,.:;!–—-])"
    r"|(?:right|no|nope|well|nice|great|cool|perfect|good|good job|alright|oh|ah|yes"
    r"|yeah|yep|actually|anyway|listen|look|sorry|p\.s|(?:one |the )?(?:last|other|more"
    r"|another|final)(?: more| last)? (?:thing|point|note|one)|another thing|note)"
    r"(?=\s*[,.:;!–—])"
    r"|(?<=hm )no\b)\s*[,.:;!–—-]*\s*"
)
_REQUEST = re.compile(
    r"(?i)(?:i(?:['’]d| would)?(?: really)? (?:like|love|prefer|want|need)(?: for)?"
    r" you to"
    r"|i(?:['’]d| would)(?: really)? (?:appreciate|prefer|like|love)(?: it)? if you"
    r"(?: could)?"
    r"|(?:can|could|would|will) you(?: please| kindly)?(?= (?:always|never|not)\b)"
    r"|(?:can|could|would) you (?:please|kindly))\s+"
)
_TAIL = re.compile(
    r"(?i)[\s,;.!–—-]*(?:\b(?:please|pls|thanks(?: a lot| in advance)?|thank you|thx"
    r"|cheers|ok(?:ay)?\?|alright\?|right\?)|:-?\)|;-?\)|:-?d\b|\U0001f64f|\U0001f642)"
    r"[\s.!,]*$"
)
_REASON = re.compile(
    r"(?i)[\s,;:(–—-]+(?P<why>(?<!just )(?<!only )(?<!not )(?<!simply )(?:because"
    r"|since (?:i|we|it|they|you|this|that|the|our|my|ours|all|some|most|there)\b"
    r"|cause\b|cuz\b|otherwise).*"
    r"|(?:(?:i|we)(?:['’]ve)? (?:lost|had|broke|got|nearly|almost)\b.*"
    r"|[^,;]+ otherwise))$"
)


def _stems(words: str) -> frozenset[str]:
    return frozenset(map(stem, words.split()))


_LIMITS = word_set(
    "never not no unless except if when while until only without before after but"
)
"""Words that make the clause of a reason more than a reason."""
_ARTICLES = word_set("a an the , . ; : ! ? ( ) - – — * \" '")
_IDLE = _stems(
    "please me it them ever really should must shall do we so also again around kindly"
    " definitely absolutely"
)
"""Stems of a sentence that a wording may leave out."""
_POINTERS = _stems("that this it so do again for")
_MARKERS = _stems(" ".join(PREPOSITIONS) + " and or but so only when whenever")
_MOST = 80
"""Words of a sentence that are compared."""
_Terms = Sequence[str]


class Wording(NamedTuple):
    """The text of a rule, and the reason that its sentence gives."""

    text: str
    why: str = ""


def trimmed(sentence: str, tool: str) -> Wording:
    """Return a sentence without lead-ins, courtesy and its reason.

    The reason stays where the guards would be others without it.
    """
    whole = one_line(sentence).strip()
    text = _without_courtesy(whole)
    kept, why = _without_reason(text)
    if _guards(kept, tool) != _guards(text, tool):
        kept, why = text, ""
    return Wording(kept if kept == whole else _begun(kept), why)


def check_wording(wording: str, sentence: str, before: str, tool: str) -> str:
    """Return why a wording cannot be the text of a rule; empty if it can.

    ``before`` is the text before the sentence, whose last sentence may explain what
    "that" refers to.
    """
    asked = _terms(wording)
    cut = trimmed(sentence, tool)
    versions = [_terms(cut.text), _terms(sentence)]
    if len(asked) > _MOST or max(map(len, versions)) > _MOST:
        return "is too long to be compared with the user's sentence"
    earlier = _terms(_last_sentence(before))
    fits = any(_fits(asked, one) for one in versions)
    if not fits and not any(_resolves(asked, one, earlier) for one in versions):
        return _difference(asked, versions[-1], earlier)
    if _guards(wording, tool) != _guards(cut.text, tool):
        return "would be enforced differently from the user's sentence"
    return ""


def _difference(asked: _Terms, said: _Terms, earlier: _Terms) -> str:
    added = [word for word in asked if word not in {*said, *earlier}]
    if added:
        return f"adds “{added[0].lstrip('=')}”, which the user did not say"
    lost = [word for word in said if word not in {*asked, *_IDLE}]
    if lost:
        return f"drops “{lost[0].lstrip('=')}” of the user's sentence"
    return "puts the user's words in another order"


def _without_courtesy(text: str) -> str:
    for pattern in (_LEAD, _REQUEST) * 6:
        cut = pattern.match(text)
        text = text[cut.end() :] if cut and cut.end() < len(text) else text
    while (tail := _TAIL.search(text)) and tail.start():
        text = text[: tail.start()]
    return text.strip()


def _without_reason(text: str) -> Wording:
    found = _REASON.search(mask_message(text).masked)
    if not found or not found.start():
        return Wording(text)
    why = text[found.start("why") :].rstrip(" .!)")
    words = {token.word for token in tokenize(why)}
    if words & _LIMITS - {"before"}:
        return Wording(text)
    return Wording(text[: found.start()].rstrip(" ,;:(–—-"), why)


def _begun(text: str) -> str:
    """Return a text with a capital letter, unless it begins with a name or code."""
    first = text.split(None, 1)[0]
    plain = re.fullmatch(r"[a-z]+(?:['’][a-z]+)?[,:]?", first)
    return text[:1].upper() + text[1:] if plain and not is_program(first) else text


def _guards(text: str, tool: str) -> list[dict[str, object]]:
    """Return the guards of a text without the conditions that they only show."""
    tables = derived_guards(text, tool)
    return [{k: v for k, v in one.items() if k != "note"} for one in tables]


def _last_sentence(text: str) -> str:
    sentences = split_sentences(mask_message(text))
    return sentences[-1].text if sentences else ""


def _terms(text: str) -> tuple[str, ...]:
    """Return the words of a text by stem, and its things as typed.

    All ways to forbid are one word at the place of the order.
    """
    message = mask_message(text)
    terms: list[str] = []
    for token in tokenize(message.masked):
        raw = text[token.start : token.end]
        if token.word in (ENTITY, QUOTE):
            terms.append("=" + raw)
        elif token.word not in _ARTICLES:
            terms.append(stem(token.word))
    return tuple(_with_negations(terms))


_NEVER = "never"


def _with_negations(terms: _Terms) -> Iterator[str]:
    """Write "do not", "must never" and "stop …ing" as one word; drop their subject."""
    for at, term in enumerate(terms):
        before = terms[at - 1] if at else ""
        after = terms[at + 1] if at + 1 < len(terms) else ""
        if term == "not" or (term in ("stop", "avoid") and at == 0):
            yield _NEVER
        elif not (
            (term in ("do", "must", "should", "shall") and after in ("not", "never"))
            or (term in ("you", "we") and after in _ORDERS and _opens(before))
            or (term, before) == ("ever", "not")
        ):
            yield term


_ORDERS = word_set("must should shall never do always")


def _opens(before: str) -> bool:
    return not before or before in _MARKERS


def _fits(asked: _Terms, said: _Terms) -> bool:
    """Return whether a wording is a sentence with idle words left out."""
    return any(_is_rest(asked, one) for one in _moved(said))


def _moved(said: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield a sentence, and it with a phrase moved from one end to the other."""
    yield said
    for at in range(1, len(said)):
        if said[at] in _MARKERS or said[0] in _MARKERS:
            yield (*said[at:], *said[:at])


def _is_rest(asked: _Terms, said: _Terms) -> bool:
    rest = iter(asked)
    want = next(rest, None)
    before = ""
    for term in said:
        if term == want:
            want = next(rest, None)
        elif term not in _IDLE and not _is_always(term, before):
            return False
        before = term
    return want is None


def _is_always(term: str, before: str) -> bool:
    """Return True for "always", unless "not always" makes it matter."""
    return term == stem("always") and before != _NEVER


def _resolves(asked: _Terms, said: _Terms, earlier: _Terms) -> bool:
    """Return whether "that" of a sentence was replaced by all that it refers to."""
    own = tuple(term for term in said if term not in _POINTERS)
    more = len(asked) - len(own)
    if len(own) == len(said) or more <= 0:
        return False
    named = [term for term in earlier if term != "you"]
    return any(
        asked[:at] == own[:at]
        and asked[at + more :] == own[at:]
        and _is_rest(asked[at : at + more], named)
        for at in range(len(own) + 1)
    )
