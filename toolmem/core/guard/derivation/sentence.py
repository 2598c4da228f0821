"""Find the bans in a rule's text: what each forbids, and under which condition.

Text in code style is one token, so that no word in it counts as a word of the sentence:
``never run `docker stop` unless …`` has one condition and no second ban.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from toolmem.core import limits

CODE_START = 0xE200
"""First of the characters that represent code spans; rules never contain them."""
_MOST_CODES = 0x400
_CODE_CHARS = re.compile(f"[{chr(CODE_START)}-{chr(CODE_START + _MOST_CODES - 1)}]")
_CODE = re.compile(
    r"``([^\n]{1,120}?)``|`([^`\n]{1,120})`|[\"“]([^\"”\n]{2,120})[\"”]"
    r"|(?<![^\s(])['‘]([^'’\n]{2,120})['’](?!\w)"
)
_REASON = re.compile(
    r"(?i),?\s+(?:because|since|so that|otherwise|or else|as (?:it|they|this|that|we|i))"
    r"\b(?:(?!\b(?:unless|except|but|use|instead)\b|[.](?=\s|$))[^;!?\n,])*"
)
"""Words that give a reason: no condition or ban is in them."""
_STRONG = (
    r"\b(?:never(?: ever)?|do(?: no|n['’`]?)t(?: ever)?"
    r"|must(?: no|n['’]?)t(?: ever)?"
    r"|cannot|can['’]?t|should(?: no|n['’]?)t(?: ever)?|may not|shall not"
    r"|not allowed to"
    r"|no longer|no more|under no circumstances|forbidden to|prohibited from|won['’]?t"
    r"|(?:it is|it's) (?:forbidden|prohibited|not ok(?:ay)?|not allowed) to)\b"
)
_WEAK = (
    r"(?:(?<=^)|(?<=[.;:!?,\n(] )|(?<=[-*•] )|(?<=\*\*)|(?<=\bplease )|(?<=\band )"
    r"|(?<=\bnever )|(?<=\bto )|(?<=\blonger )|(?<=\bbut ))"
    r"(?:avoid|stop|refrain from)\b(?=\s+(?:\w+ing\b|[^\x00-\x7f`\w]|(?:the"
    r"|any)\b|\w+))"
)
_NO = (
    r"(?:(?<=^)|(?<=[.;:!?,\n(] )|(?<=[-*•] )|(?<=\*\*)|(?<=\bplease )|(?<=\bnow on )|(?<=\band ))"
    r"no\b(?=\s+(?![a-z]+\s+(?:is|are|was|will|can|should|has|have|needs?)\b)\S)"
)
_CUE = re.compile(rf"(?i)(?:{_STRONG}|{_WEAK}|{_NO})(?:[\s:!*_]|\.(?=\s))*")
_PASSIVE = re.compile(
    r"(?i)\s+(?:is|are)\s+(?:strictly |absolutely )?(?:forbidden|prohibited|banned"
    r"|not allowed|never allowed|off[- ]limits|read[- ]only|not to be (?:\w+))\b"
)
_NOT_THAT = re.compile(
    r"(?i)(?:,|;|\s[-–—]|(?<=\w))\s*(?:and )?\bnot\s+(?=\S)|\b(?:instead of|rather than)\s+"
    r"(?:(?:runn|us|call)ing\s+)?"
)
_REFRAINS = re.compile(
    r"(?i)\s*(?:ever\s+)?(?:avoid|skip|ignor|refus|neglect|omit|bypass|forget|delay"
    r"|disregard|overlook|exclud|refrain|hesitat|leav\w* out)\w*"
)
"""Verbs of not doing: "never skip tests/" forbids omitting them, not using them."""
_NOT_ALONE = re.compile(r"(?i)\s*(?:just|only|merely)\s")
"""What is not to be done alone is not forbidden: "do not just run the tests"."""
_HOOKS = re.compile(
    r"(?i)\s*(?:skip|bypass|ignor|disabl)\w*\s+(?:the\s+|any\s+)?(?:\S+\s+){0,2}?hooks?"
)
_DEMAND = re.compile(
    r"(?i)(?<![\w-])(?:(?:use|using|prefer|go(?:ing)? through|instead[:,]?|always)"
    r"|(?P<weak>run|running|call|with|via|through|by|only))\s+(?!of\b)"
)
_IS_BANNED = re.compile(r"\s*(?:\w+\s+)?")
"""At most one word between the words that forbid and a verb: it is forbidden."""
_SENTENCE_END = re.compile(r"[.!?\n](?=\s|$)|;\s")
_BEFORE = re.compile(
    r"(?i)(?:^|[,;:(])[\s*•\d.)_-]*(?P<text>(?:if|when|whenever|while|until|once|unless"
    r"|for|on|in|during|after|before|except|outside|without|as long as|only|inside"
    r"|from(?! now on\b)|with)\b)"
)
_ADDRESSED = re.compile(
    r"(?i)(?:[\s*_,;:(]|\b(?:then|you|we|please|agents?|must|should|also|and|so)\b)*$"
)


class Ban(NamedTuple):
    """The text after the words that forbid, up to the next ban.

    Code spans are single characters. ``before`` is the condition before those words,
    ``after`` the rest of the sentence. ``is_noun``: it follows "no". ``wanted`` are the
    texts that say what to do instead.
    """

    text: str
    codes: tuple[str, ...]
    before: str = ""
    after: str = ""
    is_noun: bool = False
    wanted: tuple[str, ...] = ()

    def code(self, char: str) -> str:
        """Return the text of a code span."""
        return self.codes[ord(char) - CODE_START]

    def shown(self, text: str) -> str:
        """Return a piece of the sentence with its code spans written out."""
        return "".join(f"`{self.code(c)}`" if is_code(c) else c for c in text)


def is_code(char: str) -> bool:
    """Return True if a character represents a code span."""
    return len(char) == 1 and 0 <= ord(char) - CODE_START < _MOST_CODES


def bans_in(rule: str) -> tuple[Ban, ...]:
    """Return the bans of a rule's text, in order."""
    masked, codes = _masked(rule[: 2 * limits.RULE_CHARS])
    masked = _REASON.sub(",", masked)
    masked = masked.lower() if masked.isupper() else masked
    found = list(_after_cues(masked, codes))
    if not found:
        found = list(_other_forms(masked, codes))
    wanted = tuple(_demanded(masked)) if found else ()
    return tuple(ban._replace(wanted=wanted) for ban in found)


def _demanded(text: str) -> Iterator[str]:
    """Yield the texts that begin with what is to be done: "use X", "through X"."""
    cues = [*_CUE.finditer(text), *_NOT_THAT.finditer(text)]
    for demand in _DEMAND.finditer(text):
        before = [cue.end() for cue in cues if cue.end() <= demand.start()]
        if before and (_IS_BANNED.fullmatch(text, max(before), demand.start())):
            continue
        if before and demand["weak"]:
            continue
        following = (cue.start() for cue in cues if cue.start() >= demand.end())
        yield text[demand.end() : min(following, default=len(text))]


def _masked(rule: str) -> tuple[str, tuple[str, ...]]:
    codes: list[str] = []

    def lifted(match: re.Match[str]) -> str:
        text = next(filter(None, match.groups()), "").strip()
        if len(codes) >= _MOST_CODES or not text:
            return " "
        codes.append(text)
        return chr(CODE_START + len(codes) - 1)

    return _CODE.sub(lifted, _CODE_CHARS.sub("", rule)), tuple(codes)


def _after_cues(text: str, codes: tuple[str, ...]) -> Iterator[Ban]:
    cues = list(_CUE.finditer(text))
    for number, cue in enumerate(cues):
        following = cues[number + 1] if number + 1 < len(cues) else None
        rest = text[cue.end() : following.start() if following else None]
        doubled = number and cues[number - 1].end() == cue.start()
        if following and following.start() == cue.end():
            continue  # in "never avoid" the second word forbids
        if doubled and re.match(r"(?i)avoid|stop|refrain", cue[0]):
            continue
        if _NOT_ALONE.match(rest) or (_REFRAINS.match(rest) and not _HOOKS.match(rest)):
            continue
        before = _condition_before(text[: cue.start()])
        after = _to_the_end(text, cue.end() + len(rest), rest)
        is_noun = cue[0].strip().lower() == "no"
        yield Ban(rest, codes, before, after, is_noun)


def _other_forms(text: str, codes: tuple[str, ...]) -> Iterator[Ban]:
    """Find "X is forbidden", "use Y, not X", "Y instead of X"."""
    passive = _PASSIVE.search(text)
    if passive:
        start = max(
            (m.end() for m in _SENTENCE_END.finditer(text[: passive.start()])),
            default=0,
        )
        subject = re.sub(
            r"(?i)^\s*(?:using|running|the use of)\s+",
            "",
            text[start : passive.start()],
        )
        subject = re.sub(r"(?i)^\s*(?:the|our|any)\s+", "", subject)
        ending = passive[0].lower()
        verb = "edit " if "only" in ending else "touch " if "limits" in ending else ""
        yield Ban(f"{verb}{subject.strip()}{text[passive.end() :]}", codes)
        return
    other = _NOT_THAT.search(text)
    if other and re.match(
        r"(?i)[\s*•-]*(?:always |please )?(?:use|run|prefer)\b", text
    ):
        yield Ban("use " + text[other.end() :], codes)


def _to_the_end(text: str, start: int, rest: str) -> str:
    """Return the rest of a ban's sentence after the ban."""
    if _SENTENCE_END.search(rest):
        return ""
    end = _SENTENCE_END.search(text, start)
    return text[start : end.start() if end else None]


def _condition_before(text: str) -> str:
    """Return the condition before a ban: "In CI, never …"."""
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    sentence = text[ends[-1] :] if ends else text
    found = _BEFORE.search(sentence)
    return _ADDRESSED.sub("", sentence[found.start("text") :]) if found else ""
