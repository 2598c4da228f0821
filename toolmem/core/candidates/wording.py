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
from toolmem.core.capture.text.lists import word_list
from toolmem.core.capture.text.masking import mask_message
from toolmem.core.capture.text.sentences import split_sentences
from toolmem.core.capture.text.words import ENTITY, QUOTE, tokenize, word_set
from toolmem.core.guard.derivation.stated import derived_guards
from toolmem.core.text.safetext import one_line

_CHAT = word_list("wording chat")
"""Words of a clause that only leads in or greets."""
_THANKS = word_list("wording thanks")
"""Words of a clause at the end that only thanks or asks for assent."""
_OPENING = word_list("wording opening")
"""Words that lead in without a comma."""
_OWN_STORY = re.compile(
    r"(?i)(?:i|i['’](?:m|ve|d)|let me|(?:just )?(?:one|a|the) [^,.:;]+ (?:i|me))\b"
    r"(?!.*\b(?:if|when|while|unless|before|until|want|need|prefer|ask)\b)"
)
"""A clause before an order in which the user speaks of himself."""
_HEAD = re.compile(r"[^,.:;!–—]{1,60}?(?:[,.:;!–—]+|\s-+)\s+")
_END = re.compile(
    r"(?i)(?:[,.;!–—]|\s-|(?=\s(?:please|pls|thanks|thank|thx)\b))\s*[^,.;!–—]*$"
)
_SMILEY = re.compile(
    r"(?:\s*(?::-?[)dDpP]|;-?\)|<3|[\u2600-\u27bf\U0001f300-\U0001faff\ufe0f]))+$"
)
_ORDER = re.compile(
    r"(?i)(?:please |so |and )*(?:never|always|do not|don['’]?t|no|stop|avoid|only)\b"
)
_REQUEST = re.compile(
    r"(?i)(?:by the way|last thing|one more thing|just so you know|heads up"
    r"|while (?:we|you)(?:['’]re| are) at it"
    r"|(?:i|we)(?:['’]d| would| do)?(?: also| really| just)?"
    r" (?:want|like|love|prefer|need|expect|ask|wish)(?: for)? you to"
    r"|i(?:['’]d| would)(?: also| really)? (?:appreciate|prefer|like|love|be"
    r" (?:happy|glad|grateful))(?: it)?(?: very much)? if you(?: could| would)?"
    r"|it(?:['’]d| would) be (?:great|nice|good|cool|lovely) if you(?: could| would)?"
    r"|(?:can|could|would|will) we(?: please)?(?= (?:always|never|not)\b)"
    r"|i(?:['’]d| would) rather(?: you)?|i(?:['’]m| am| must) ask(?:ing)? you to"
    r"|(?:can|could|would|will) you(?: please| kindly)?|do me a favou?r and"
    r"|(?:make|be) sure(?: that)? (?:to|you)(?! do\b)|remember to|see to it that you"
    r"|try to(?= (?:always|never)\b))\s+"
)
_REASON = re.compile(
    r"(?i)[\s,;:(–—-]+(?P<why>(?<!just )(?<!only )(?<!not )(?<!simply )(?:because"
    r"|since (?:i|we|it|they|you|this|that|the|our|my|ours|all|some|most|there)\b"
    r"|cause\b|cuz\b|otherwise|or else|so that\b|given that\b"
    r"|(?<=, )as (?:i|we|it|they|this|that|the|our)\b).*)$"
    r"|(?:,|;|:|\s[–—-]+)\s+(?P<also>(?:i|we)(?:['’]ve)? (?:lost|had|broke|got|nearly"
    r"|almost|already|once)\b.*"
    r"|(?:it|they|that|this)(?:['’](?:s|re|ll))?"
    r" (?!must|should|may|can|shall|needs?|is (?:ok|fine|allowed))[^,;]+"
    r"|[^,;]+ otherwise)$"
)
_LIMITS = re.compile(
    r"(?i)\b(?:unless|except|if|when|while|until|only|without|but)\b"
    r"|[,;] (?:never|not|no|don['’]?t|do not|always)\b"
)
"""Words that make the clause of a reason more than a reason."""
_FORBIDDEN = (
    r"i (?:do not|don['’]?t|never) want you to(?: ever)?",
    r"(?:you|we)(?: are|['’]re) not (?:allowed|supposed|permitted) to",
    r"(?:it['’]s|it is) (?:forbidden|prohibited|not allowed|not ok(?:ay)?) to",
    r"(?:under no circumstances?|on no account|at no time)(?: ever| should you)?",
    r"refrain from",
)
_SAME = (
    (re.compile(rf"(?i)\b(?:{'|'.join(_FORBIDDEN)})\b"), "never"),
    (re.compile(r"(?i)\b(?:you|we) (?:need|have) to\b"), "must"),
    (re.compile(r"(?i)\b(?:from (?:now|here) on|going forward|in future)\b"), ""),
)
"""Ways to say the same, with the words that they count as."""


def _stems(words: str) -> frozenset[str]:
    return frozenset(map(stem, words.split()))


_ARTICLES = word_set("a an the , . ; : ! ? ( ) - – — * \" '")
_IDLE = _stems(
    "please me it them ever really should must shall do we you i so also again around"
    " kindly definitely absolutely strictly simply have that to guys everyone"
)
"""Stems of a sentence that a wording may leave out."""
_LIGHT = _stems("always use make do be is are must should to you")
"""Stems that a wording may add: they name nothing."""
_POINTERS = _stems("that this it so do again for")
_MARKERS = _stems(
    " ".join(PREPOSITIONS) + " and or but so only when whenever each every once"
)
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
    text = without_courtesy(whole)
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


def without_courtesy(text: str) -> str:
    """Return a sentence without lead-ins, requests, thanks and smileys."""
    for _ in range(_MOST_LEADS):
        cut = _lead_end(text)
        if not cut or not text[cut:].strip(" .,!"):
            break
        text = text[cut:]
    for _ in range(_MOST_LEADS):
        text = _SMILEY.sub("", text).rstrip()
        tail = _END.search(text)
        if not tail or not tail.start() or not _is_chat(tail[0], _THANKS):
            break
        text = text[: tail.start()]
    return text.strip()


_MOST_LEADS = 6


def _lead_end(text: str) -> int:
    head = _HEAD.match(text)
    if head and (_is_chat(head[0], _CHAT) or _is_story(head[0], text[head.end() :])):
        return head.end()
    if request := _REQUEST.match(text):
        return request.end()
    first, _, _ = text.partition(" ")
    return len(first) + 1 if first.lower() in _OPENING else 0


def _is_story(clause: str, rest: str) -> bool:
    return bool(_OWN_STORY.match(clause) and _ORDER.match(rest))


def _is_chat(clause: str, words: frozenset[str]) -> bool:
    said = [word.strip(" ,.:;!?()–—-") for word in clause.lower().split()]
    return all(word.replace("’", "'") in words for word in said if word)


def _without_reason(text: str) -> Wording:
    found = _REASON.search(mask_message(text).masked)
    if not found or not found.start():
        return Wording(text)
    group = "why" if found["why"] else "also"
    why = text[found.start(group) :].rstrip(" .!)")
    kept = text[: found.start()].rstrip(" ,;:(–—-")
    if _LIMITS.search(why) or (group == "also" and _OPENS.match(kept)):
        return Wording(text)
    return Wording(kept, why)


_OPENS = re.compile(r"(?i)(?:if|when|whenever|while|unless|before|after|once|until)\b")


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
    for pattern, plain in _SAME:
        text = pattern.sub(plain, text)
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
        if term in ("not", "cannot") or (at == 0 and term in _FORBIDS):
            yield _NEVER
        elif not (
            (term in _AUXILIARIES and after in ("not", "never"))
            or (term in ("you", "we") and after in _ORDERS and _opens(before))
            or (term, before) == ("ever", "not")
        ):
            yield term


_AUXILIARIES = word_set("do must should shall can may could will would")
_FORBIDS = word_set("stop avoid no")
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
        while want != term and want in _LIGHT:
            want = next(rest, None)
        if term == want:
            want = next(rest, None)
        elif term not in _IDLE and not _is_always(term, before):
            return False
        before = term
    return want is None or not {want, *rest} - _LIGHT


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
