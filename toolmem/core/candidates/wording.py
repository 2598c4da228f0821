"""Cut the text of a rule from a sentence: without lead-ins, courtesy and its reason."""

import re
from typing import NamedTuple

from toolmem.core.capture.relate.tools import is_program
from toolmem.core.capture.text.lists import word_list
from toolmem.core.capture.text.masking import mask_message
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
    r"(?i)(?:[,.;!–—]|\s-|(?=\s(?:please|pls|plz|thanks|thank|thx|lol|haha|cheers|ok)\b))\s*[^,.;!–—]*$"
)
_SMILEY = re.compile(
    r"(?:\s*(?::-?[)dDpP]|;-?\)|<3|[\u2600-\u27bf\U0001f300-\U0001faff\ufe0f]))+$"
)
_ORDER = re.compile(
    r"(?i)(?:please |so |and )*(?:never|always|do not|don['’]?t|no|stop|avoid|only)\b"
)
_REQUEST = re.compile(
    r"(?i)(?:by the way|last thing|one more thing|just so you know|heads up"
    r"|while (?:we|you)(?:['’]re| are) at it|before i forget"
    r"|before (?:we|you) (?:go on|continue|carry on)|since you (?:keep asking|asked?)"
    r"|this (?:is|goes) for all (?:my|our) \w+(?=[,:])"
    r"|(?:one|another|a|last) (?:thing|word|note|remark) (?:on|about) \w+(?=[,:])"
    r"|(?:i|we)(?:['’]d| would| do)?(?: also| really| just)?"
    r" (?:want|like|love|prefer|need|expect|ask|wish)(?: for)? you to"
    r"|i(?:['’]d| would)(?: also| really)? (?:appreciate|prefer|like|love|be"
    r" (?:happy|glad|grateful))(?: it)?(?: very much)? if you (?:could|would)"
    r"|it(?:['’]d| would) be (?:great|nice|good|cool|lovely) if you (?:could|would)"
    r"|(?:can|could|would|will) we(?: please)?(?= (?:always|never|not)\b)"
    r"|i(?:['’]d| would) rather(?: you)?(?! not\b|n['’]t|.* than\b)"
    r"|i(?:['’]m| am| must) ask(?:ing)? you to"
    r"|(?:can|could|would|will) you(?: please| kindly)?|do me a favou?r and"
    r"|(?:make|be) sure(?: that)? (?:to|you)(?! do\b)|remember to|see to it that you"
    r"|try to(?= (?:always|never)\b)|make it (?:a|your) (?:habit|rule|practice) to"
    r"|(?:can|could|may|might) (?:i|we) ask(?: that)? you(?: to)?"
    r"|(?:i|we) need you to|just(?= (?:always|never|use|keep|don['’]?t)\b)"
    r"|whatever you do,?|no matter what,?"
    r"|from (?:today|now on|here on)|(?:going|moving) forward|in future|for good)"
    r"[,:]?\s+"
)
_REASON = re.compile(
    r"(?i)[\s,;:(–—-]+(?P<why>(?<!just )(?<!only )(?<!not )(?<!simply )(?:because"
    r"|since (?:i|we|it|they|you|this|that|the|our|my|ours|all|some|most|there)\b"
    r"|cause\b|cuz\b|otherwise|or else|so that\b|given that\b"
    r"|(?<=, )as (?:i|we|it|they|this|that|the|our|your?|he|she|there|my)\b).*)$"
    r"|(?:,|;|:|\s[–—-]+)\s+(?P<also>(?:i|we)(?:['’]ve)? (?:lost|had|broke|got|nearly"
    r"|almost|already|once)\b.*"
    r"|(?:it|they|that|this)(?:['’](?:s|re|ll))?"
    r" (?!must|should|may|can|shall|needs?|is (?:ok|fine|allowed))[^,;]+"
    r"|(?:i|we)(?:['’](?:ve|m|re))? (?!want|need|prefer|expect|must|should|ask|like)"
    r"[^,;]+"
    r"|(?:[\w-]+ ){1,5}(?:is|are|was|were|keeps?|gets?|breaks?) (?!forbidden|banned"
    r"|prohibited|fine|ok|allowed|off|to be|enough|better|required)[^,;]+"
    r"|(?:last (?:year|month|week|time)|yesterday)\b[^,;]+|[^,;]+ otherwise)$"
)
_BEFORE_SO = re.compile(
    r"(?i)^(?P<why>(?:i|we|it|they|the|our|my|this|that)(?:['’]\w+)?\s[^,;:]{3,90}?)"
    r",? so (?!that\b|(?:do|does) it\b|far\b|as\b)"
)
_LIMITS = re.compile(
    r"(?i)\b(?:unless|except|if|when|while|until|only|without|but)\b"
    r"|[,;] (?:never|not|no|don['’]?t|do not|always)\b"
)
"""Words that make the clause of a reason more than a reason."""
_DEMANDS = re.compile(r"(?i)\b(?:must|shall|may|never|not allowed|cannot)\b")


_WISHES = re.compile(r"(?i):\s|\b(?:rather|want|prefer|please|for (?:all|every))\b")
"""Words that make a statement an order, or announce one."""


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
    if guards_of(kept, tool) != guards_of(text, tool):
        kept, why = text, ""
    return Wording(kept if kept == whole else _begun(kept.rstrip("?")), why)


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
    masked = mask_message(text).masked
    led = _BEFORE_SO.match(masked)
    if led and not _LIMITS.search(led["why"]) and not _POINTS.search(led["why"]):
        rest = text[led.end() :]
        if not _REFERS.search(rest):
            return Wording(rest, text[: led.end("why")])
    reason = _REASON.search(masked)
    if not reason or not reason.start():
        return Wording(text)
    group = "why" if reason["why"] else "also"
    why = text[reason.start(group) :].rstrip(" .!)")
    kept = text[: reason.start()].rstrip(" ,;:(–—-")
    opens = group == "also" and _OPENS.match(kept)
    if _LIMITS.search(why) or _DEMANDS.search(why) or _WISHES.search(why) or opens:
        return Wording(text)
    return Wording(kept, why)


_POINTS = re.compile(
    r"(?i)\b(?:never|not|must|should|want|need|like|prefer|hate)\b|n['’]t\b"
)
"""Words with which the clause before "so" demands something itself."""
_REFERS = re.compile(r"(?i)\b(?:that|it|them|those|these|this|either|too)\b")
"""Words that need the clause before "so"."""
_OPENS = re.compile(r"(?i)(?:if|when|whenever|while|unless|before|after|once|until)\b")


def _begun(text: str) -> str:
    """Return a text with a capital letter, unless it begins with a name or code."""
    first = text.split(None, 1)[0]
    plain = re.fullmatch(r"[a-z]+(?:['’][a-z]+)?[,:]?", first)
    return text[:1].upper() + text[1:] if plain and not is_program(first) else text


def guards_of(text: str, tool: str) -> list[dict[str, object]]:
    """Return the guards of a text without the conditions that they only show."""
    tables = derived_guards(text, tool)
    return [{k: v for k, v in table.items() if k != "note"} for table in tables]
