"""Say a sentence plainly: as an order, without frames and with its pronouns resolved.

A frame is a head of words that only ask, announce or judge ("it's important to me that
you …"); it ends at a joint. A condition, a place or a negation is no frame.
"""

import re
from collections.abc import Iterator
from itertools import islice

from toolmem.core.candidates.wording import without_courtesy
from toolmem.core.capture.text.lists import phrases

_FRAME = "|".join(phrases("wording frame"))
_AIM = r"(?:habit|practice|point|rule|policy|principle|custom|care)"
_SAYING = (
    r"(?:record|note|things?|point|rule|future|reminder|remark|request|heads[- ]up"
    r"|(?<=for )that|favou?r|general|principle)"
)
_WISH = (
    r"(?:want|need|have|get|expect|ask(?:ing)?|like|love|prefer|trust|wish|hop(?:e|ing)"
    r"|agreed?|insist|beg)"
)
_FRAMES = re.compile(
    rf"(?i)(?:(?:(?:{_FRAME})[\s,]+)+?(?:that (?:you|we)\b|you to\b"
    rf"|{_WISH} (?:that )?(?:you|we)(?:['’]d| would| could| can)?(?: to)?\b"
    rf"|{_AIM} (?:of|to)\b|{_SAYING}\s*(?:[:,;.–—]|\s-))"
    rf"|(?:as a|in) (?:general|rule|principle)(?: (?:rule|principle))?,?"
    r"|(?:great|good|nice|lovely) (?:work|job|catch|stuff|idea|start)[,.!]+"
    r"|let['’]s|(?:make|be) sure(?: that)?(?! (?:never|not) to\b)"
    r"|i(?:['’]ve| have) (?:said|mentioned|told you)(?: (?:this|that|it|before))*[:,]"
    r"|it (?:really )?helps?(?: (?:me|us))?(?: a lot)? (?:if|when) you"
    r"|what (?:i|we)(?:['’]d)? (?:want|need|like|expect|prefer) is(?: for you to)?"
    r"|(?:my|our|the|one) (?:[\w-]+ )?(?:rule|request|wish|policy)(?: here)?"
    r" is(?: that (?:you|we)| to|:)?"
    r"|(?:(?:can|could|shall|let['’]s) )?(?:we )?make it a"
    r" (?:rule|habit|policy) (?:that (?:you|we)|to))\s+"
)
_SAME = (
    (re.compile(r"(?i)\b(?:never|not), (?:ever|never)\b"), "never"),
    (re.compile(r"(?i)[,.;]? (?:with )?(?:no exceptions?|without exception)$"), ""),
    (
        re.compile(
            r"(?i)^(?:i|we)(?:(?:['’]d| would) (?:prefer|like|love)"
            r"| (?:want|need|expect)) to be (?:told|informed|notified)\b"
        ),
        "report",
    ),
    (
        re.compile(
            r"(?i)^((?:when|whenever|if|before|after) [^,;]{5,80}?)(?<!\bwhen)(?<!\bif)"
            r"(?<!unless)(?<!until)(?<!ever)(?<!before)(?<!after)(?<!what)(?<!that)"
            r" i(?:['’]d| would)? (?:want|like|need|expect) you to\b"
        ),
        r"\1,",
    ),
    (re.compile(rf"(?i)\b(?:{'|'.join(phrases('wording forbids'))})(?!\w)"), "never"),
    (re.compile(rf"(?i)\b(?:{'|'.join(phrases('wording from now'))})(?!\w)"), ""),
    (
        re.compile(
            r"(?i)\b(?:every|each) (?:single )?time(?=\s*(?:[,.;!]|$))|\bat all times\b"
        ),
        "always",
    ),
    (re.compile(r"(?i)\b(?:every|each|any) ?time (?=\w)"), "whenever "),
    (re.compile(rf"(?i)\b(?:{'|'.join(phrases('wording report'))})\b"), "report"),
    (re.compile(r"(?i)\b(?:i|my) (?:like|preference is for)\b"), "prefer"),
    (re.compile(r"(?i)(?<=\bprefer )(.{1,60}?) (?:better than|over|to)\b"), r"\1 over"),
    (re.compile(r"(?i)\b(?:rather|instead) (?:of|than)\b"), "instead"),
    (re.compile(r"(?i)\b(?:at most|no more than|max(?:imum)?(?: of)?)\b"), "max"),
    (re.compile(r"(?i) first(?=,? before\b)"), ""),
    (re.compile(r"(?i), with\b"), ","),
    (
        re.compile(
            r"(?i)(?<=not), (?:under any circumstances?|on any account|at any time"
            r"|in any case|ever), "
        ),
        " ",
    ),
    (
        re.compile(
            r"(?i)^([^,;:]{2,60}?) (?:should )?(?:go(?:es)?|belongs?|lives?)"
            r" (?=(?:in|into|next|under|below|on|at|to)\b)"
        ),
        r"put \1 ",
    ),
    (re.compile(r"(?i)(?:[,.!;–-]\s*|\s)(?:and )?thank(?:s| you) for [^,;.]*$"), ""),
    (re.compile(r"(?i)\bchars?\b"), "characters"),
    (
        re.compile(
            r"(?i)^i(?:['’]d| would)(?: much)? rather(?: you)? (.{1,80}?) than\b"
        ),
        r"\1 instead",
    ),
    (
        re.compile(
            r"(?i)^(?:i|we|it)(?:['’]d| would) [\w' ]{2,40}? if(?: you(?:['’]d)?)?\b"
        ),
        "",
    ),
    (re.compile(r"(?i)^(?:would you )?mind not\b"), "never"),
    (re.compile(r"(?i)^(?:would you )?mind (?=\w+ing\b)"), ""),
    (
        re.compile(
            r"(?i)^(?:i|we)(?:(?:['’]d| would) (?:prefer|like|love)"
            r"| (?:want|need|expect)) to be\b"
        ),
        "",
    ),
    (
        re.compile(r"(?i)^(?:be|take|make) (?:care(?:ful)?|sure) (?:never|not) to\b"),
        "never",
    ),
    (
        re.compile(
            r"(?i)^(?:you|we) (?:must|should|shall)(?= (?:never|not|always)\b)"
            r"|^you (?:can|may|could)(?= (?:skip|stop|drop|omit|leave out|spare me)\b)"
        ),
        "",
    ),
    (re.compile(r"(?i)\bstop (?=\w+ing\b)"), "never "),
    (re.compile(r"(?i)^(?:i|we) (?:want|need)\b"), ""),
)
"""Ways to say the same, with the words that they count as."""
_PURPOSE = re.compile(
    r"(?i),?\s+so (?:that )?(?:i|we|they|it|nobody|everyone|people|the|our|my)\b"
    r"(?!.*\b(?:want|need|expect|prefer|must|should|never|not|unless|except|if|when"
    r"|only|until|without|before|after|but)\b)[^,;.]*$"
)
"""What an order is for, at its end."""
_EXPLAINS = re.compile(
    r"(?i)[,;]\s+(?:(?:[\w-]+ ){1,2}?(?!(?:in|on|at|to|for|of|as)\b)"
    r"(?:\w+s|\w+ed|bit|broke|ate|cost|took|lost|hurt|made|got|went|blew)"
    r"|(?:(?:the|our|my|his|her|their) (?:[\w-]+ ){1,2}|(?-i:[A-Z])\w+ )"
    r"\w+(?: (?:on|to|at|in|for|with|by|from))?)"
    r" (?:me|us|it|them|everyone|everything)\b"
    r"(?!.*\b(?:unless|except|if|when|while|until|only|without|but|never|not|must"
    r"|may|should)\b)[^,;]*$"
)
"""A statement at the end that something does or did something to "us" or "it"."""
_ATTITUDE = re.compile(
    r"(?i)^(?:i|we)(?:['’]m| am|['’]re| are)? (?:really |just |kind of )?"
    r"(?:hate|dislike|can(?:no|['’])?t stand|not a (?:big |huge )?fan of|(?:don['’]?t"
    r"|do not) like|(?:sick|tired) of)(?: it when you| having)? "
    r"(?P<thing>[^,;.]+)[,;.] (?:(?:and )?so )?(?P<order>.*)$"
)
_POINTER = re.compile(r"(?i)\b(?:do )?(?:it|them|that|those|these|this)\b")
_DOING = re.compile(r"(?i)\bdo (?:it|that|this|so|the same)\b")
_DETERMINER = re.compile(r"(?i)(?:the|a|an|my|our|your|all|these|those) ")
_VERB = re.compile(
    r"(?i) (?:is|are|was|were|has|have|had|\w+[^s\W]s|\w+ed|can|will|should|must)\b"
)
"""What may be the verb of a statement."""
_FEW = 40
"""Words of a sentence in which pronouns are exchanged."""
_LONGEST = 4
"""Words of a thing that a pronoun replaces."""


def said_plainly(text: str) -> str:
    """Return a text as an order, without frames and in words that count as one."""
    for _ in range(2):
        text = without_courtesy(text)
        while frame := _FRAMES.match(text):
            text = text[frame.end() :]
    for comma in reversed([one.end() for one in re.finditer(r", ", text)]):
        if frame := _FRAMES.match(text, comma):
            text = text[:comma] + text[frame.end() :]
    for pattern, plain in _SAME:
        text = pattern.sub(plain, text)
    return without_courtesy(text)


def versions_of(sentence: str) -> Iterator[str]:
    """Yield a sentence without the reasons and dislikes that it gives."""
    for text in dict.fromkeys((sentence, without_courtesy(sentence))):
        yield text
        for reason in (_PURPOSE, _EXPLAINS):
            if cut := reason.sub("", text):
                yield cut
        if found := _ATTITUDE.match(text):
            if _POINTER.search(found["order"]):
                yield _with_the_thing(found["order"], found["thing"])
            elif not re.search(r"(?i)\b(?:in|on|at|for|when|if)\b", found["thing"]):
                yield found["order"]


def _with_the_thing(order: str, liked: str) -> str:
    """Return an order whose pronoun is a thing; the place of the thing comes last."""
    thing, *place = re.split(r" (?=(?:in|on|at|of|for) )", liked, maxsplit=1)
    return " ".join((_POINTER.sub(lambda _: thing, order.rstrip(" .!"), 1), *place))


def with_pronouns_exchanged(sentence: str) -> Iterator[str]:
    """Yield a sentence with a thing and the pronoun for it in each other's place."""
    if len(sentence.split()) > _FEW:
        return
    for pointer in islice(_POINTER.finditer(sentence), 3):
        words, tail = sentence[: pointer.start()].split(), sentence[pointer.end() :]
        for first in range(len(words)):
            for last in range(first + 1, min(first + _LONGEST, len(words)) + 1):
                head, after = " ".join(words[:first]), " ".join(words[last:])
                thing = " ".join(words[first:last]).rstrip(",;:")
                mark = words[last - 1][len(words[last - 1].rstrip(",;:")) :]
                yield f"{head} it{mark} {after} {thing}{tail}"


def resolved_by_subject(sentence: str, earlier: str) -> Iterator[str]:
    """Yield a sentence whose pronoun is what the one before speaks of."""
    if not _POINTER.search(sentence):
        return
    yield re.sub(
        r"(?i)\bdo (?:it|that|this|so|the same)\b", lambda _: earlier, sentence
    )
    determiner = _DETERMINER.match(earlier)
    start = determiner.end() if determiner else 0
    for verb in _VERB.finditer(earlier, start, start + 80):
        yield _with_the_thing(sentence, earlier[start : verb.start()])
