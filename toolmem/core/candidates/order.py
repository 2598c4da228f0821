"""Decide whether a ban is the user's order, and not a question, report or musing.

The words before those that forbid must be an address, a courtesy, a condition or a
place: a clause with another subject or verb is a question, a report or a thought.
"""

import re

from toolmem.core.candidates.wording import without_courtesy
from toolmem.core.capture.text.lists import phrases
from toolmem.core.capture.text.masking import mask_message
from toolmem.core.capture.text.words import ENTITY_MARK, QUOTE_MARK

_CUE = re.compile(
    r"(?i)\b(?:never|not|cannot|stop|avoid|refrain|no ?body|no one|no|none|without"
    r"|neither)\b"
    r"|n['’`]?t\b|\b(?:forbidden|prohibited|banned|off[- ]limits)\b"
)
_CLAUSE = re.compile(r"[,;:.!–—]\s*|\b(?:but|and|so|then|also|because|or)\s+", re.I)
_SUBJECT = (
    r"(?:you|we|agents?|the agent)(?:\s+(?:may|must|should|shall|will|can|could|would"
    r"|are|do|have to|need to))?"
)
_ADVERB = r"(?:absolutely|definitely|really|strictly|just|simply|seriously|always)"
_ADDRESS = re.compile(
    rf"(?i)(?:{_SUBJECT}|(?:can|could|will|would) you(?: please| kindly)?"
    r"|i(?:['’]d| would| do)?(?: really)?(?: want| like| need| prefer| ask)?"
    r"(?: it if)?(?: you)?(?: to)?|please|pls|let us|let['’]s|do|does|must|should|may"
    r"|under|it is|it['’]s|that is|that['’]s|this is|from now on|and|remember(?: to)?"
    r"|would you mind|(?:make sure|ensure)(?: to| that)?(?: you)?(?: do)?"
    r"|it(?:['’]d| would) be (?:great|nice|good|better) if you(?: could)?)?"
    rf"\s*(?:{_ADVERB}\s*)*"
)
_PASSIVE = re.compile(r"(?i)(?:[\w-]+\s+){1,4}(?:must|should|may|can|shall)\s*")
_OPENS = re.compile(
    r"(?i)(?:if|when|whenever|while|until|once|unless|for|on|in|at|during|after|before"
    r"|outside|without|inside|from|with|as|under|since|to)\b"
)
_IS_FORBIDDEN = re.compile(
    r"(?i)^[^,;:]*\b(?:is|are|['’]s)\s+(?:strictly |absolutely |completely )?$"
)
_PERMITTED = re.compile(
    r"(?i)\s*(?:ok(?:ay)?|allowed|permitted|acceptable|fine|to be|an option)\b"
)
_VOID = re.compile(rf"(?i)\s*(?:{'|'.join(phrases('order void'))})\b")
"""Words that a negation denies, so that it forbids nothing."""
_HEADS = re.compile(
    r"(?i)\W*(?:(?:and|ok|so|also|one|the|last|more|final|another|other|new|team"
    r"|standing|thing|things|rule|rules|note|important|reminder|ps|fyi|please|general|in"
    r"|for|everywhere|here|no|always|also|hint|warning|attention)\W*)*"
)
_POLITE = re.compile(
    r"(?i)\W*(?:\w+\W+){0,3}?(?:can|could|would|will) you\b|.*\bok(?:ay)?\W*$"
)


def is_order(text: str) -> bool:
    """Return whether the ban in a sentence is the user's own order."""
    masked = mask_message(without_courtesy(text)).masked.strip()
    if text.rstrip().endswith("?") and not _POLITE.match(text):
        return False
    cue = _CUE.search(masked)
    if cue is None:
        return True
    before = masked[: cue.start()]
    if cue[0].startswith(("n'", "n’", "n`", "nt")):
        before = re.sub(r"\w*$", "", before)
    last = _CLAUSE.split(before)[-1]
    rest = masked[cue.end() :]
    if _VOID.match(rest):
        return False
    if _IS_FORBIDDEN.match(last):
        return cue[0].lower() not in ("not", "never") or bool(_PERMITTED.match(rest))
    if ":" in before and not _HEADS.fullmatch(before[: before.rindex(":")]):
        return False
    if _PASSIVE.fullmatch(last) and rest.lower().startswith((" be ", " ever be ")):
        return True
    own = last.strip(f" *_-{ENTITY_MARK}{QUOTE_MARK}")
    return bool(_ADDRESS.fullmatch(own) or _OPENS.match(own))
