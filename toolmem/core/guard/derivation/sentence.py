"""Find the bans in a rule's text: what each forbids, and under which condition.

Text in code style is one token, so that no word in it counts as a word of the sentence:
``never run `docker stop` unless …`` has one condition and no second ban.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from toolmem.core.guard.derivation.programs import is_program

CODE_START = 0xE200
"""First of the characters that represent code spans; rules never contain them."""
_MOST_CODES = 0x400
_CODE_CHARS = re.compile(f"[{chr(CODE_START)}-{chr(CODE_START + _MOST_CODES - 1)}]")
_CODE = re.compile(
    r"``([^\n]{1,120}?)``|`([^`\n]{1,120})`|[\"“]([^\"”\n]{2,120})[\"”]"
    r"|(?<![^\s(])['‘]([^'’\n]{2,120})['’](?!\w)"
)
_REASON = re.compile(
    r"(?i),?\s+(?:because|since|so that|otherwise|or else"
    r"|as (?:it|they|this|that|we|i)(?! (?:is|are)\s*(?:[,.;]|$)))\b"
    r"(?:(?!\b(?:unless|except|but|use|instead)\b|[.](?=\s|$))[^;!?\n,])*"
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
    r"(?:avoid|stop|quit|refrain from)\b(?=\s+(?:\w+ing\b|[^\x00-\x7f`\w]|(?:the"
    r"|any)\b|\w+))"
)
_NO = (
    r"(?:(?<=^)|(?<=[.;:!?,\n(] )|(?<=[-*•] )|(?<=\*\*)|(?<=\bplease )|(?<=\bnow on )"
    r"|(?<=\band )|(?<=\babsolutely ))no\b"
    r"(?=\s+(?![a-z]+\s+(?:is|are|was|will|can|should|has|have"
    r"|needs?)\b)\S)"
)
_CUE = re.compile(rf"(?i)(?:{_STRONG}|{_WEAK}|{_NO})(?:[\s:!*_]|\.(?=\s))*")
_PASSIVE = re.compile(
    r"(?i)\s+(?:is|are)\s+(?:strictly |absolutely )?(?:forbidden|prohibited|banned"
    r"|disallowed|out of bounds|(?:not|never|no longer) (?:allowed|permitted|ok(?:ay)?"
    r"|acceptable|welcome|wanted|an option)|un(?:acceptable|wanted|welcome)|taboo"
    r"|off (?:the )?[- ]?(?:limits|table)|read[- ]only|not to be (?:\w+)"
    r"|a no(?:[- ](?:go|no))?(?=\s*(?:$|[,.;:!?(])))\b"
    r"|\s+(?:is|are)n['’]?t (?:allowed|permitted|ok(?:ay)?|acceptable|an option)\b"
)
_NOT_THAT = re.compile(
    r"(?i)(?:,|;|\s[-–—]|(?<=\w))\s*(?:and )?\bnot\s+(?=\S)"
    r"|\b(?:instead of|rather than)\s+(?:(?:runn|us|call)ing\s+)?"
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
_CLAUSE_START = re.compile(r"(?:[.,;:(–—]|\s-|\bonly)\s*\Z")
_INSTEAD = re.compile(r"(?i)[^,.;:]{0,80}\binstead\b")
"""A demand after a ban: "never run x, run y instead"."""
_WISHES = re.compile(
    r"(?i)\s*(?:even\s+)?(?:think (?:about|of)|dream of|consider|bother(?: with)?)\s+"
    r"|\s*(?:ever\s+)?(?:want|need|expect|wish|like)\s+"
    r"(?:(?:you|anyone|an? agent|agents) to|(?:to see )?any"
    r"|to (?:ever )?(?:see|catch|find|have) (?:you|anyone|an? agent|agents))\s+"
)
"""Words after "don't" that leave the ban to what follows: "I don't want you to …"."""
_ELLIPSIS = re.compile(r"(?i)\s*(?:to|in|into|on|onto|from|with|against)\s")
_MAIN_VERB = re.compile(
    r"(?i)(?:^|[.;:!?]\s+)\s*(?:(?:only|always|please|just|you|we|should|may|can|must)\s+)*"
    r"(?P<verb>[a-z]+)\b"
)
SPAN = "[\ue200-\ue5ff]"
OPTION = (
    rf"(?:an?\s+|the\s+)?(?P<option>{SPAN}|--?[A-Za-z][\w-]*(?:[ =](?=[\w.:=-]*[\d=])"
    r"[\w.:=-]*\w)?)(?:\s+(?:option|flag|switch))?"
)
COMMAND = (
    rf"(?P<command>{SPAN}|[a-z][\w.-]*(?:\s+(?!(?:with|or|so|when|if|otherwise|because"
    r"|and|always|only|must|needs?|should|commands?|calls?|runs?|too|please|it|an?|the"
    r"|something|anything|stuff|things)\b)[\w:.-]*\w){0,2})(?=\s*(?:$|[,.;!)]|\b))"
)
_SUBJECT = re.compile(
    r"(?i)(?P<name>[\ue200-\ue5ff]|[\w./-]+)\s+(?:must|should|can|may|is to|shall)?\s*$"
)
_DONE = re.compile(
    r"(?i)(?:ever\s+)?be\s+(?:(?:directly|manually)\s+)?(?P<verb>edit|modif|chang|touch|updat"
    r"|delet|remov|commit|overwrit|renam|read|reformat)\w*"
)
"""Ban on the file before: "x.lock must not be edited"."""
_WITH_OPTION = re.compile(
    rf"(?i)\s*(?:ever\s+)?(?:use|pass|add|give|set|include)\s+{OPTION}\s+"
    rf"(?:to|with|for|on|when (?:you )?(?:run|us|call)\w*)\s+{COMMAND}"
)
_USED = re.compile(
    r"(?i)(?:ever\s+)?(?:be\s+(?:run|used|called|executed|invoked)\b(?=\s+[a-z])"
    r"|run\b(?=\s+(?:as|from|in|inside|on|outside|under|with|without)\b))"
)
"""What is not to be done with the subject before: "`tsc` must never run without -p"."""
_TASK_OF = re.compile(
    rf"(?i)\bthe\s+(?P<task>{SPAN}|[\w:.-]+)\s+(?:target|task|recipe|goal|subcommand)\s+"
    rf"(?:of|in|from)\s+(?:the\s+)?(?P<program>{SPAN}|gradle|make|just|rake|mvn|ant)\b"
)
"""A task named before its program: "the clean target of make"."""
_IS_BANNED = re.compile(r"\s*(?:\w+\s+)?")
"""At most one word between the words that forbid and a verb: it is forbidden."""
_SENTENCE_END = re.compile(r"[.!?\n](?=\s|$)|;\s")
_BEFORE = re.compile(
    r"(?i)(?:^|[,;:(])[\s*•\d.)_-]*(?P<text>(?:if|when|whenever|while|until|once|unless"
    r"|for|on|in|during|after|before|except|outside|without|as long as|only|inside"
    r"|from(?! now on\b)|with)\b)"
)
_REPLACES = re.compile(
    r"(?i)[\s*•-]*(?:always |please |we (?:only |always )?)*(?:use|run|prefer|commit"
    r"|push|post|install|write|deploy|search)\b"
)
_CASE = re.compile(
    r"(?i)(?P<case>(?:when(?:ever)?|if)\s[^.;:,]{1,80}?),?\s+"
    r"(?=(?:always |please )*(?:use|run|prefer)\s)"
)
"""The case of a demand: "when you need a field use x, not y"."""
_NORM = re.compile(r"(?i)(?!\s*(?:i|he|she|they|it|there|this|that)\b)")
_STANDING = re.compile(
    r"(?i)(?:(?:(?:as )?from )?(?:now|today|here)(?: on(?:wards?)?)?|in (?:the )?future"
    r"|in (?:general|any case|all cases|principle)|on principle|with immediate effect"
    r"|for \w+ reasons)"
)
"""Words that begin like a condition and say that the ban is in effect."""
_ADDRESSED = re.compile(
    r"(?i)(?:[\s*_,;:(]|\b(?:then|you|we|please|agents?|must|should|also|and|so)\b)*$"
)


class Ban(NamedTuple):
    """The text after the words that forbid, up to the next ban.

    Code spans are single characters. ``before`` is the condition before those words,
    ``after`` the rest of the sentence. ``is_noun``: it follows "no". ``wanted`` are the
    texts that say what to do instead, ``option`` is what the sentence demands,
    ``about`` is the text before the words that forbid.
    """

    text: str
    codes: tuple[str, ...]
    before: str = ""
    after: str = ""
    is_noun: bool = False
    wanted: tuple[str, ...] = ()
    option: str = ""
    about: str = ""

    def code(self, char: str) -> str:
        """Return the text of a code span."""
        return self.codes[ord(char) - CODE_START]

    def shown(self, text: str) -> str:
        """Return a piece of the sentence with its code spans written out."""
        return "".join(f"`{self.code(c)}`" if is_code(c) else c for c in text)


def is_code(char: str) -> bool:
    """Return True if a character represents a code span."""
    return len(char) == 1 and 0 <= ord(char) - CODE_START < _MOST_CODES


def bans_after_cues(text: str, codes: tuple[str, ...]) -> list[Ban]:
    """Return the bans after words that forbid, else those in other forms."""
    found = list(_after_cues(text, codes)) or list(_other_forms(text, codes))
    wanted = tuple(_demanded(text)) if found else ()
    return [ban._replace(wanted=wanted) for ban in found]


def _demanded(text: str) -> Iterator[str]:
    """Yield the texts that begin with what is to be done: "use X", "through X"."""
    cues = [*_CUE.finditer(text), *_NOT_THAT.finditer(text)]
    for demand in _DEMAND.finditer(text):
        before = [cue.end() for cue in cues if cue.end() <= demand.start()]
        if before and (_IS_BANNED.fullmatch(text, max(before), demand.start())):
            continue
        following = (cue.start() for cue in cues if cue.start() >= demand.end())
        wanted = text[demand.end() : min(following, default=len(text))]
        starts = _CLAUSE_START.search(text, 0, demand.start())
        instead = starts and (starts[0][0] != "," or _INSTEAD.match(wanted))
        if instead or not (before and demand["weak"]):
            yield wanted


def masked_text(rule: str) -> tuple[str, tuple[str, ...]]:
    """Return a rule's text with code spans as single characters, and the spans."""
    codes: list[str] = []

    def lifted(match: re.Match[str]) -> str:
        text = next(filter(None, match.groups()), "").strip()
        if len(codes) >= _MOST_CODES or not text:
            return " "
        codes.append(text)
        return chr(CODE_START + len(codes) - 1)

    text = _REASON.sub(",", _CODE.sub(lifted, _CODE_CHARS.sub("", rule)))
    return text.lower() if text.isupper() else text, tuple(codes)


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
        subject = _SUBJECT.search(text[: cue.start()])
        used = _USED.match(rest)
        before = "" if used and subject else _condition_before(text[: cue.start()])
        whole = _completed(rest, text[: cue.start()])
        before = "" if whole.endswith(rest.lstrip()) and whole != rest else before
        rest = whole
        done, option = _DONE.match(rest), _WITH_OPTION.match(rest)
        if done and subject:
            rest = f"{done['verb']} {subject['name']}{rest[done.end() :]}"
            before = ""
        elif option and _is_option(option["option"], codes):
            rest = f"run {option['command']} {option['option']}{rest[option.end() :]}"
        if used and subject:
            rest = f"run {subject['name']}{rest[used.end() :]}"
        rest = _TASK_OF.sub(r"\g<program> \g<task>", rest, count=1)
        after = _to_the_end(text, cue.end() + len(rest), rest)
        is_noun = cue[0].strip().lower() == "no"
        yield Ban(rest, codes, before, after, is_noun, about=text[: cue.start()])


def _is_option(text: str, codes: tuple[str, ...]) -> bool:
    return (codes[ord(text) - CODE_START] if is_code(text) else text).startswith("-")


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
        named = subject.split()[:1]
        if named and (is_program(named[0]) or named == ["just"]):
            verb = "run "
        else:
            verb = (
                "edit " if "only" in ending else "touch " if "limits" in ending else ""
            )
        yield Ban(f"{verb}{subject.strip()}{text[passive.end() :]}", codes)
        return
    other = _NOT_THAT.search(text)
    case = _CASE.match(text)
    start = case.end() if case else 0
    if other and (_REPLACES.match(text, start) or _replaced(other, text, codes)):
        rest = text[other.end() :]
        whole = _completed(rest, text[: other.start()])
        before = case["case"] if case else ""
        yield Ban(whole if whole != rest else f"use {rest}", codes, before)


def _replaced(other: re.Match[str], text: str, codes: tuple[str, ...]) -> bool:
    """Return True for "search with x instead of y" if y is a program."""
    if other[0].strip().lower().endswith("not") or not _NORM.match(text):
        return False
    first = text[other.end() :].split(maxsplit=1)[:1]
    name = codes[ord(first[0]) - CODE_START] if first and is_code(first[0]) else ""
    return bool(first) and is_program((name or first[0]).split()[0].strip(".,;:"))


def _completed(rest: str, before: str) -> str:
    """Return a ban with the verb that it leaves out: "post to #a, never to #b"."""
    wish = _WISHES.match(rest)
    rest = rest[wish.end() :] if wish else rest
    verbs = list(_MAIN_VERB.finditer(before))
    if verbs and _ELLIPSIS.match(rest):
        return f"{verbs[-1]['verb']} {rest.lstrip()}"
    return rest


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
    condition = _ADDRESSED.sub("", sentence[found.start("text") :]) if found else ""
    return "" if _STANDING.fullmatch(condition) else condition
