"""The ways in which sentences forbid to write something, and where.

Each form names the words of what is forbidden (``text``) and of the place, in any
order: "never leave X in Y", "in Y, no X", "X has no place in Y", "Y never contain X".
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

_NOT = r"(?:not|n['’]?t)"
_MODAL = r"(?:must|should|may|can|shall|will|do|does|did|are|is)"
_NO = (
    rf"(?:never(?: ever)?|(?:do|must|should|may|can|shall) ?{_NOT}(?: ever)?|cannot"
    r"|avoid|stop|quit|refrain from|no more|no)"
)
_BARE_NO = frozenset(("avoid", "stop", "quit", "refrain from", "no more", "no"))
"""Words that forbid without a verb."""
_VERB = (
    r"(?:leav|add|us|writ|put|commit|introduc|call|includ|insert|set|hard-?\s?cod|keep"
    r"|check in|ship|ever us|sprinkl|plac|import|requir|allow|want(?: to see)?|accept"
    r"|tolerat|permit|mention|reintroduc|bring|slip|drop|paste|push|embed|emit|rely on"
    r"|reach for|declar|assign|append|creat|see)(?:e|ing|ting|ping)?"
)
_LEAD = (
    r"(?:(?:please|pls|plz|and|also|you|we|i|again|hey|note|ok|okay|remember|important"
    r"|in (?:this|our) (?:repo|repository|project|code ?base)|from now on|always"
    r"|under no circumstances|absolutely|agents?|everyone)[,:]?\s+)*"
)
NOUN = (
    r"(?:\s+(?:comments?|directives?|lines?|trailers?|tags?|markers?|statements?|calls?"
    r"|links?|casts?|characters?|footers?|imports?|debugging|suppressions?|annotations?"
    r"|keyword|hacks?|attributes?|flags?|pragmas?|macros?|literals?|types?|blocks?"
    r"|urls?|hooks?|decorators?|headers?|strings?|expressions?|selectors?|properties"
    r"|property|rules?|styles?|syntax))?"
)
_IN = r"(?:in|into|to|from|on|onto|under|inside|within|across|at)"
_PLACE = (
    rf"(?:\s+(?:(?:anywhere|ever)\s+)?(?:{_IN}|(?:out|outside) of)\s+(?P<place>.+?)"
    r"|\s+anywhere)?"
)
_POLITE = (
    r"(?:\s*,?\s*(?:please|pls|anymore|any more|again|ever|at all|anywhere|period"
    r"|full stop|directly|whatsoever|for any reason))*"
)
_TURN = (
    r"(?:\s*(?:,|\(|:)\s*(?:use|using|only|prefer|but|rather|we|it|they|this|that|these"
    r"|those|there|you|i|not|even|log|call|write|go|say|switch|pick|take|just|replace"
    r"|let|ask|throw|return|ever|has|is|have|always|instead|the)(?:['’]\w+)?\b.*)?"
)
_OPEN = r"(?:(?:any|the|a|an|our|new|more|on|this|these|that|such)\s+)*"
_KIND = r"(?:(?P<called>word|text|string|literal|phrase|\w+['’]s)\s+)?"
_ASIDE = r"(?:\s+\((?P<aside>[^()\s]+)\))?"
_END = rf"{_POLITE}{_TURN}"
_ACTIVE = re.compile(
    rf"(?i){_LEAD}(?P<cue>{_NO})\s+(?:(?P<verb>{_VERB})\s+)?{_OPEN}{_KIND}"
    rf"(?P<text>.+?)(?P<noun>{NOUN}){_ASIDE}{_PLACE}{_END}"
)
_GOOD = (
    r"(?:allowed|ok(?:ay)?|welcome|wanted|permitted|acceptable|accepted|fine|tolerated"
    r"|used)"
)
_WAYS = (
    r"(?:(?:is|are)\s+(?:strictly\s+|absolutely\s+)?(?:forbidden|banned|prohibited"
    r"|disallowed|off[- ]limits|taboo|un(?:welcome|wanted|acceptable)|out"
    r"|a no(?:-?\s?(?:go|no))?|(?:not|never|no longer)\s+(?:an option|to be\s+\w+"
    rf"|{_GOOD}))|(?:is|are)n['’]?t\s+{_GOOD}"
    rf"|(?:must|should|may|can|shall|will)\s?(?:{_NOT}|never)\s+(?:ever\s+)?(?:be\s+(?:\w+ly\s+)?"
    r"(?:added|used|written|committed|left|introduced|called|imported|found|checked in"
    r"|shipped|present|hard-?coded|put|set|in)|appear|show up|occur|land|end up|exist"
    r"|remain|stay|be)"
    rf"|(?:do|does)\s?{_NOT}\s+(?:belong|appear|go)|never\s+(?:belongs?|appears?|goes?"
    r"|ends? up)|(?:has|have) no (?:place|business)(?: being)?)"
)
_PASSIVE = re.compile(
    rf"(?i){_LEAD}(?:(?:the|any|all|using|writing|adding|calling|use of|leaving)\s+)*"
    rf"{_KIND}(?P<text>.+?)(?P<noun>{NOUN}){_ASIDE}\s+{_WAYS}{_PLACE}"
    rf"{_POLITE}{_ASIDE.replace('aside', 'late')}{_TURN}"
)
_CONTAINS = re.compile(
    rf"(?i){_LEAD}(?:(?:all|any|the)\s+)?(?P<place>[^,;]+?)\s+"
    rf"(?:{_MODAL}\s?{_NOT}|(?:{_MODAL}\s+)?never|cannot|may no longer)\s+(?:ever\s+)?"
    r"(?:contain|have|include|mention|carry|(?:start|begin|end) with|use|import|call"
    rf"|rely on|get|hold|need)s?\s+{_OPEN}{_KIND}(?P<text>.+?)(?P<noun>{NOUN}){_END}"
)
_OUT = re.compile(
    rf"(?i){_LEAD}(?P<verb>keep|leave)\s+{_OPEN}{_KIND}(?P<text>.+?)(?P<noun>{NOUN})"
    rf"{_ASIDE}\s+(?:out of|away from|off)\s+(?P<place>.+?){_END}"
)
_FRONT = re.compile(
    rf"(?i){_LEAD}(?:in|inside|within|under)\s+(?P<front>[^,:;]{{1,60}}?)[,:]?\s+"
    rf"(?=(?:please|pls|we|you)?\s*{_NO}\s)"
)
_LABEL = re.compile(
    r"(?i)(?:forbidden|banned|prohibited|not allowed|disallowed|off[- ]limits"
    r"|do not use|never use)\s*:\s*"
)
_SENTENCE = re.compile(
    rf"(?i)[;](?=\s+(?!(?:{_IN}|statements?|calls?|lines?)\b)|$)|!(?=\s|$)|\.(?=\s|$)|\n"
    r"|\s[-–—]{1,2}\s(?!(?:unless|except|only|but|if|when)\b)"
    rf"|[:,](?=\s+(?:(?:please|pls|and|so)\s+)?{_NO}\s)"
)
_REASON = re.compile(
    r"(?i)\s*,?\s+(?:because|since|so that|as (?:it|they|we|this))\b"
    r"(?:(?!\b(?:unless|except)\b).)*$"
)


_LIMITED = re.compile(
    rf"(?i){_LEAD}(?:in|inside|within|under|for|on|with|if|when|while|unless|until|once"
    r"|after|before|during|except|as long as|outside)\b"
)
"""A clause that says where or when the ban after it is in effect."""
_SOURCE = (
    r"(?:[\ue200-\ue2ff]|@[\w-]+|[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_]\w*)*\(\)?"
    r"|[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_]\w*)+)"
)
_INSTEAD = re.compile(
    rf"(?i){_LEAD}(?P<verb>use|write|call)\s+(?:[^\s,;]+\s+){{0,4}}?[^\s,;]+,?\s+"
    rf"(?:(?:and\s+)?(?:not|never)|instead of|rather than)\s+{_OPEN}{_KIND}"
    rf"(?P<text>{_SOURCE})(?P<noun>{NOUN}){_PLACE}{_END}"
)


class BanForm(NamedTuple):
    """Words of a ban: what is not to be written, and the place; empty for any.

    ``has_verb``: a verb of writing or a word that needs none forbids it.
    """

    text: str
    place: str = ""
    verb: str = ""
    noun: str = ""
    aside: str = ""
    has_verb: bool = True
    called: str = ""


def sentences(text: str) -> Iterator[str]:
    """Yield the clauses of a rule that may forbid something by themselves."""
    start = 0
    for end in _SENTENCE.finditer(text):
        if end[0] in (",", ":") and _LIMITED.match(text[start : end.start()].lstrip()):
            continue
        yield text[start : end.start()].strip(" -*•\t")
        start = end.end()
    yield text[start:].strip(" -*•\t").removesuffix(".")


def forms_of(sentence: str) -> Iterator[BanForm]:
    """Yield the ways to read a sentence as a ban, the likeliest first."""
    sentence = _LABEL.sub("never use ", _REASON.sub("", sentence), count=1)
    front = _FRONT.match(sentence)
    place = front["front"] if front else ""
    rest = sentence[front.end() :] if front else sentence
    for pattern in (_OUT, _ACTIVE, _INSTEAD, _CONTAINS, _PASSIVE):
        found = pattern.fullmatch(rest)
        if not found or (place and found.groupdict().get("place")):
            continue
        groups = {key: value or "" for key, value in found.groupdict().items()}
        cue = " ".join(groups.get("cue", "no").lower().split())
        verb = groups.get("verb", "")
        yield BanForm(
            groups["text"],
            groups.get("place", "").strip() or place,
            verb,
            groups["noun"].strip(),
            groups.get("aside") or groups.get("late", ""),
            bool(verb) or cue in _BARE_NO,
            groups.get("called", "").lower(),
        )
