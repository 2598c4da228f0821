"""Find what a clause forbids to write, and where, by the roles of its words.

The object of writing ("never add X", "no X", "strip X") or the subject of being
somewhere ("X has no place in Y", "X is banned") is forbidden, whatever the other words.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from toolmem.core.guard.contents.literals import Mention, mentions_in
from toolmem.core.guard.derivation.duty_words import Text

_LEAD = (
    r"(?:(?:please|pls|plz|and|also|you|we|i|again|hey|note|ok|okay|remember"
    r"|important|so|(?:in|for) (?:this|our) (?:repo|repository|project|code ?base)"
    r"|from now on|always|absolutely|agents?|everyone|contributors|developers|it is"
    r"|it['’]s|there|but|let us|let['’]s|rule|strictly|really|just|never ever|do"
    r"|anyone|nobody|no one)[,:]?\s+)*"
)
_NOT = (
    r"(?:never|(?:do|must|should|may|can|shall|will|would|does|could)?\s?(?:not"
    r"|n['’]?t)|dont|cannot|avoid|stop|quit|refrain from|cease|nothing|nobody|no one"
    r"|refuse to|(?:strictly\s+)?(?:forbidden|prohibited|banned|disallowed"
    r"|verboten)\s+to|get rid of|hate(?: to)?|(?:do not|don['’]?t) want)"
)
_BANS = (
    r"(?:ban|banish|forbid|prohibit|disallow|outlaw|strip|purge|leave out|omit"
    r"|get rid of|(?:refuse|reject|block)(?:\s+\w+){1,4}?\s+(?:that|which"
    r"|with)(?:\s+\w+s)?|avoid|stop|quit|refrain from|ditch|(?:(?:have"
    r"|['’]ve)\s+)?banned|never|not|(?:always\s+)(?:remove|drop|delete))"
)
"""Verbs whose object is forbidden."""
_BETWEEN = (
    r"(?:,?\s*(?:ever|again|you|to|want|like|anyone|we|also|even|dare|start|begin|try"
    r"|go|have|be|being|anybody|may|shall|should|must|can|the habit of|see|agents?"
    r"|more|seriously|please|\w+ly),?\s+)*"
)
_WRITING = (
    r"(?:leav|add|us|writ|put|commit|introduc|call|includ|insert|set|hard-?\s?cod"
    r"|keep|check(?=\s+in)|ship|sprinkl|plac|import|requir|allow|want|accept|tolerat"
    r"|permit|mention|reintroduc|bring|slip|paste|push|embed|emit|rel(?=y)|reach"
    r"|declar|assign|append|creat|see|say|contain|hav|carr|start|begin|end|generat"
    r"|print|throw|rais|merg|sneak|scatter|typ|need|get|hold|depend|be)(?:e|ing|ting"
    r"|ping|y|ied|ed|s|es)?(?:\s+(?:in|on|for|with|back|up|to see)(?=\s))?"
)
_OPEN = (
    r"(?:(?:any|the|a|an|our|your|new|more|this|these|that|such|raw|plain|bare|stray"
    r"|old|another|one|single|kind of|calls? to|uses? of|use of|usages? of"
    r"|imports? of|references? to|\w+['’]s|words?|texts?|strings?|literal|phrase"
    r"|names?|things like|such as|tags?|ip|address|addresses|host|url|key|keyword"
    r"|function|method|type|macro|comments?|debug|inline|import|from|trailers?|\w+ing"
    r"|\w+ed|(?:\w+\s+){0,3}(?:like|called|named|such as))\s+)*"
)
_GAP = (
    r"(?:(?!(?:to|for|on|in|into|against|about|that|which|while|and|or|but|by|with"
    r"|over|at|than|twice|is|are)\b)[\w'’-]+\s+){0,6}?"
)
"""Words between a verb and its object."""
_INSTEAD = re.compile(
    r"(?i)\b(?:use|write|call|prefer|take|pick|log|logging)\b.*(?:\bnot|\bnever"
    rf"|\binstead of|\brather than|\bover)\s+(?:using\s+|the\s+)?{_OPEN}$"
)
_ADDS = re.compile(
    rf"(?i)(?P<before>.*?)(?<![\w'’-])(?P<cue>{_NOT}),?\s+{_BETWEEN}(?P<verb>{_WRITING}"
    rf")\s+(?:{_OPEN}|{_GAP})$"
)
_WITH = re.compile(
    rf"(?i)(?P<before>.*?)(?<![\w'’-])(?P<cue>{_NOT})\s+{_BETWEEN}(?P<verb>disabl|skip"
    r"|silenc|suppress|ignor|mut|switch|turn|mark|log|print|debug|sleep|wait|swallow"
    r"|cast|escap|mock|focus|hid|comment|catch|styl)\w*(?:\s+[\w'’]+){0,4}?\s+("
    r"?:with|by|via|through|using)\s+(?:the\s+|an?\s+)?$"
)
_NO = re.compile(
    rf"(?i){_LEAD}(?P<before>.*?)(?<![\w'’-])(?P<cue>no(?: more)?|{_BANS})\s+{_OPEN}$"
)
_MAY_PRECEDE_NO = re.compile(
    rf"(?i)(?:.*\b(?:shall|must|should|may|can)\b.*|(?:.*\s)?{_WRITING}\s+|.*:\s*)?"
)
_WITHOUT = re.compile(
    r"(?i)(?:(?P<free>.+?)\s+(?:free|clear|clean)\s+(?:of|from)|(?:write|keep|code"
    rf"|implement|produce|make)\s+(?P<place>[\w\s]+?)\s+(?:without|free of))\s+{_OPEN}$"
)
_OUT = re.compile(rf"(?i){_LEAD}(?:keep|leave)\s+{_OPEN}$")
_NOUN = (
    r"(?:\s+(?:comment|directive|line|trailer|tag|marker|statement|call|link|cast"
    r"|character|footer|import|debugging|suppression|annotation|keyword|hack"
    r"|attribute|flag|pragma|macro|literal|type|block|url|hook|decorator|header"
    r"|string|expression|selector|propert(?:y|ies)|rule|style|syntax|operator"
    r"|function|method|usage|entit(?:y|ies)|name|thing|assertion|clause|spam|noise"
    r"|field|prop|variable|constant|class(?:es)?|column|parameter|argument|option"
    r"|value|quer(?:y|ies)|modifier|module|package|dependenc(?:y|ies)|librar(?:y|ies)"
    r"|element|placeholder|prefix(?:es)?|suffix(?:es)?|entr(?:y|ies)|snippet|word"
    r"|phrase|symbol|shortcut|feature|pattern|idiom)s?)*"
)
_IN = (
    r"(?:in|into|to|from|on|onto|under|inside|within|across|at|over|throughout|out of"
    r"|away from|off)"
)
_WHERE = rf"(?:\s+(?:anywhere\s+|ever\s+)?{_IN}\s+(?P<place>[^,;:()]+?)|\s+anywhere)?"
_POLITE = (
    r"(?:\s*,?\s*(?:please|pls|anymore|any more|any longer|everywhere|around|now"
    r"|again|ever|at all|anywhere|period|full stop|directly|whatsoever|for any reason"
    r"|either|in them|there|here|behind))*"
)
_ASIDE = r"(?:\s+\((?P<aside>[^()\s]+)\))?"
_REST = r"(?:\s*[,;:(.!–—-].*)?"
_OBJECT_END = re.compile(
    rf"(?i)(?P<noun>{_NOUN}){_ASIDE}(?:\s+out(?= of))?{_WHERE}{_POLITE}{_REST}"
)
_GOOD = (
    r"(?:allowed|ok(?:ay)?|welcome|wanted|permitted|acceptable|accepted|fine"
    r"|tolerated|used|an option|to be \w+)"
)
_BE = r"(?:is|are)(?:\s+(?:strictly|absolutely|now|also|hereby|all|simply))*"
_BANNED = (
    rf"(?:{_BE}\s+(?:forbidden|banned|prohibited|disallowed|off[- ]limits|taboo"
    r"|retired|verboten|un(?:welcome|wanted|acceptable)|out|not ok|a no(?:-?\s?(?:go"
    rf"|no))?|(?:not|never|no longer)\s+{_GOOD})|(?:is|are)n['’]?t\s+{_GOOD}|(?:must"
    r"|should|may|can|shall|will|cannot|can['’]?t|mustn['’]?t|shouldn['’]?t"
    r"|won['’]?t)(?:\s?not|\s+never)?\s+(?:ever\s+)?(?:be\s+(?:\w+ly\s+)?(?:added"
    r"|used|written|committed|left|introduced|called|imported|found|checked in"
    r"|shipped|present|hard-?coded|put|set|in|seen|merged|mentioned)|appear|show up"
    r"|occur|land|end up|exist|remain|stay|be|make it|leak|get|go)|(?:do"
    r"|does)(?:\s?not|n['’]?t)\s+(?:belong|appear|go)|never\s+(?:belongs?|appears?"
    r"|goes?|ends? up|shows? up)|(?:has|have|had) no (?:place|business)(?: being)?"
    r"|(?:(?:must|should|has to|have to)\s+)?(?:stays?|keeps?"
    r"|remains?)(?=\s+(?:out of|away|off)\b))"
)
_PREDICATE = re.compile(
    rf"(?i)(?P<noun>{_NOUN}){_ASIDE}{_WHERE.replace('place', 'early')}\s+{_BANNED}"
    rf"{_WHERE}{_POLITE}{_ASIDE.replace('aside', 'late')}{_REST}"
)
_APPOSED = re.compile(rf"(?i)(?:[\w-]+\s+){{1,4}}?{_BANNED}{_WHERE}\s+\($")
"""A kind of text that is banned, before what it looks like in brackets."""
_PERMITS = re.compile(
    r"(?i)\s*(?:must|should|may|can|shall|will)\s+(?:ever\s+)?(?:be|appear|show|occur|land"
    r"|end|exist|remain|stay(?!s? out)|make|leak|get|go)"
)
_SUBJECT = re.compile(r"(?i)(?:[\w'’-]+\s+){0,6}$")
_IS_NO_BAN = re.compile(
    r"(?i)\b(?:used to|was|were|did|had|said|says|told|he|she|they said|which|whether"
    r"|why|(?:have|need) to (?:use|add|write|call|put|set|import)|(?:not|n['’]t"
    r"|never) have \w+ed|no need|not necessary|forget|(?:not|just) only|only (?:in|if"
    r"|when|for|on)|complain\w*|unless|except|if|while|until|before|after|more than"
    r"|too many|other than|apart|outside)\b"
)
"""Words of reports, and of bans with a limit that is not read."""
_FRONT = re.compile(
    r"(?i)(?:(?:please\s+)?(?:in|inside|within|under|for|on|when (?:writing"
    r"|coding(?: in)?|working (?:in|on|with)|you write|touching"
    r"|editing))\s+(?P<in>[^,:;]{1,60}?)[,:]?\s+(?=(?:(?:please|pls|we"
    rf"|you)\s+)*(?:{_NOT}|{_BANS}|no)\s)|(?:(?:in|for"
    r"|inside)\s+)?(?P<label>[^,:;]{2,40}?)[,:]\s+)"
)


_NAMED = re.compile(r"(?i)\b(?:word|text|string|literal|phrase|name)s?\s+(?:like\s+)?$")


class Forbidden(NamedTuple):
    """Literals that a clause forbids, and the words around them.

    ``place`` has the words for where, empty for anywhere; ``verb`` what is forbidden to
    be done with them; ``noun`` what they are called. ``is_named``: a text that is meant
    literally: "the word X".
    """

    mention: Mention
    place: str = ""
    verb: str = ""
    noun: str = ""
    aside: str = ""
    is_named: bool = False


def forbidden_in(text: Text, clause: str) -> Iterator[Forbidden]:
    """Yield what a clause may forbid to write, the likeliest reading first."""
    fronts = [("", clause)]
    if front := _FRONT.match(clause):
        place = front["in"] or front["label"]
        fronts.insert(0, (place, clause[front.end() :]))
        if front["label"] and not _IS_NO_BAN.search(place):
            fronts.append(("", clause[front.end() :]))
    for place, words in fronts:
        if _IS_NO_BAN.search(words):
            continue
        for mention in mentions_in(text, words):
            before, after = words[: mention.start], words[mention.end :]
            for reading in _readings(mention, before, after):
                if not (place and reading.place):
                    yield reading._replace(
                        place=reading.place or place,
                        is_named=bool(_NAMED.search(before)),
                    )


def _readings(mention: Mention, before: str, after: str) -> Iterator[Forbidden]:
    end = _OBJECT_END.fullmatch(after)
    if end:
        for place, verb in _objects(before):
            if place and _place(end["place"]):
                continue
            yield Forbidden(
                mention, _place(end["place"]) or place, verb, end["noun"].strip(),
                end["aside"] or "",
            )  # fmt: skip
        out = _OUT.fullmatch(before) and re.search(
            rf"(?i)^{_NOUN}{_ASIDE}\s+(?:out of|away from|off|out)\b", after
        )
        if out:
            yield Forbidden(mention, end["place"] or "", "", end["noun"].strip())
    if apposed := _APPOSED.fullmatch(before):
        yield Forbidden(mention, _place(apposed["place"]), "", "apposed")
    is_banned = _PREDICATE.fullmatch(after)
    if is_banned and _SUBJECT.fullmatch(before):
        refused = re.match(r"(?i)no\b", before)
        start = is_banned.end("noun")
        if refused or not _PERMITS.match(after, start):
            yield Forbidden(
                mention,
                _place(is_banned["place"]) or is_banned["early"] or "",
                before.strip(),
                is_banned["noun"].strip(),
                is_banned["aside"] or is_banned["late"] or "",
            )


def _place(words: str | None) -> str:
    """Return the words for a place; none if they only point at it."""
    return "" if not words or re.fullmatch(r"(?i)them|it|there|this", words) else words


def _objects(before: str) -> Iterator[tuple[str, str]]:
    """Yield place and verb if the words before a literal forbid to write it."""
    for pattern in (_ADDS, _WITH):
        match = pattern.fullmatch(before)
        if match and (place := _place_of(match["before"], match["cue"])) is not None:
            yield place, match["verb"]
    no = _NO.fullmatch(before)
    if no and (
        _MAY_PRECEDE_NO.fullmatch(no["before"])
        if no["cue"].lower().startswith("no")
        else not no["before"].strip()
    ):
        yield "", no["cue"]
    elif _INSTEAD.search(before):
        yield "", "use"
    elif without := _WITHOUT.fullmatch(before):
        place = without["place"] or re.sub(
            r"(?i)\s+(?:(?:must|should|has to|have to|is to|are to)\s+)?(?:be|stay|is"
            r"|are"
            r"|kept)(?:\s+kept)?$|^(?:keep|leave)\s+", "", without["free"]
        )  # fmt: skip
        yield place, "use"


def _place_of(before: str, cue: str) -> str | None:
    """Return the place that is the subject of a ban; None for another subject."""
    subject = re.sub(rf"(?i)^{_LEAD}", "", before).strip(" ,:")
    if not subject or re.fullmatch(rf"(?i){_LEAD}", f"{before} "):
        return ""
    modal = re.search(r"(?i)must|should|may|can|shall|will|never", f"{subject} {cue}")
    if re.search(r"(?i)\b(?:does|do)\b", cue) or not modal or _PEOPLE.search(subject):
        return None
    return re.sub(r"(?i)\s+(?:must|should|may|can|shall|will|do)$", "", subject)


_PEOPLE = re.compile(
    r"(?i)\b(?:users?|clients?|customers?|admins?|callers?|people|team|reviewers?"
    r"|servers?|functions?|compiler|parser|linter|api|ui|program)$"
)
"""Subjects that do something at run time, or are no part of the code."""
