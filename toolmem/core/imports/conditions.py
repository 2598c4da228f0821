"""Decide what a heading or an introduction means for the rules below it.

Only a text from a closed vocabulary is taken to say nothing ("Rules:", "Git" above a
sentence about git) or to forbid ("Never do the following:"). Everything else limits
the rules below it and becomes part of their text, unless it says that they are not in
effect, are quoted, or are examples: then there is no rule.
"""

import re
from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple

from toolmem.core.capture.text.words import word_set

LIMITS = re.compile(
    r"(?i)(?:when|whenever|where|wherever|if|in|on|at|for|from|during|before|after"
    r"|while|until|unless|with|without|inside|outside|as long as|once|only|except"
    r"|under|within|by)\b"
)
"""Beginnings of a text that is a condition: "In production"."""
_KNOWN_LIMITS = re.compile(
    r"(?i)(?:when|whenever|while|if|until|once|unless|for|on|in|during|after|before"
    r"|except|outside|without|as long as|only|inside|from|with)\b"
)
"""Beginnings that the derivation of guards reads as a condition."""
_EMPTY = word_set(
    "a an and the of for to our your my these this following below here are is be"
    " please note notes important critical warning caution danger attention rule rules"
    " guideline guidelines guide instruction instructions convention conventions"
    " standard standards policy policies practice practices best general global common"
    " core key main basic project repository repo codebase coding code development"
    " overview requirement requirements constraint constraints principle principles"
    " must always follow ai agent agents assistant assistants claude gemini copilot"
    " cursor codex llm md safety mandatory strict hard golden non negotiable"
    " remember reminder section sections content contents text document documentation"
    " p div center details summary ul ol li br hr span article main body html tip info"
    " you we all every apply applies with as commands command tools tool usage use"
    " workflow workflows do dos"
)
_BAN_WORDS = word_set(
    "never not dont don't don'ts donts avoid forbidden prohibited banned disallowed"
    " prohibitions mustn't cannot"
)
_BAN_REST = word_set(
    "a an the do does must should shall may you agent agents ai the following of any"
    " these things thing are is to what under strictly ever commands command actions"
    " action all please critical important rules list always allowed be absolutely"
    " completely it by we in here below following: run use using running perform"
)
_NEGATIVE = re.compile(
    r"(?i)\b(?:not|never|no|none|nothing|without|avoid\w*|cannot|\w+n['’]t"
    r"|dont|ignor\w*|disregard\w*|skip\w*|forget|lift\w*|suspend\w*|disabl\w*|off"
    r"|forbid\w*|prohibit\w*|banned|unenforced|except\w*)\b"
)
_ORDERS = re.compile(r"(?i)(?:never|do not|don['’]?t|avoid|no|must not)\b")
_VOID = re.compile(
    r"(?i)~~|\b(?:no longer|any ?more|used to|use to|deprecated|obsolete\w*|retired"
    r"|revoked|repealed|withdrawn|abandoned|abolished|dropped|superseded|replaced"
    r"|former|formerly|previous|previously|histor\w*|archived?|past|old|older|outdated"
    r"|was|were|had|did|said|says|wrote|written|asked|claimed|quot\w+|cited?"
    r"|earlier|legacy|back then|examples?|e\.g|samples?|counter-?examples?"
    r"|anti-?patterns?|bad|wrong|incorrect|invalid|poor|mistakes?|drafts?|propos\w+"
    r"|ideas?|rejected|considered|removed|deleted|transcripts?|logs?|output|before"
    r"|changelog|strikethrough|disabled|inactive|optional"
    r"|suspended|lifted|expired|cancelled|canceled|relaxed|waived|unenforced)\b"
    r"|❌|👎|✗|✘"
)
_RETRACTED = re.compile(
    r"(?i)\b(?:no longer|not|never|isn['’]t|aren['’]t|wasn['’]t|weren['’]t)"
    r"(?:\s+(?:\w+\s+){0,2}?)(?:enforc\w+|appl(?:y|ies|icable|ied)|in (?:force|effect)"
    r"|valid|a rule|rules|polic\w+|forbidden|prohibited|banned|relevant|current)\b"
    r"|\b(?:used to|previously|formerly|historically|in the past|back then|once upon"
    r"|no longer (?:need|require|say|ban|forbid|want|care|the case|true)\w*"
    r"|(?:was|were|had been) (?:\w+ ){0,3}?(?:rules?|polic\w+|banned|forbidden"
    r"|prohibited|enforced|said)"
    r"|(?:is|are|was|were|been|being|now|got) (?:now )?(?:deprecated|obsolete|retired"
    r"|revoked|repealed|withdrawn|abolished|lifted|dropped|superseded|suspended|unenforced)"
    r"|(?:we|they|it|rules?|docs?|team|people|he|she|file|version) (?:said|had"
    r"|wrote|did|dropped|removed|lifted|retired|abolished|abandoned|stopped)"
    r"|for (?:history|reference|the record|example|instance)"
    r"|until (?:last|recently|\d{4})|before (?:\d{4}|we)"
    r"|earlier (?:versions?|rules?)|old(?:er)? (?:versions?|rules?|polic\w+)"
    r"|(?:don['’]?t|do not|stopped|stop|no ?body|no one|none of us) enforc\w+)\b"
)
"""Words in a block that say that its rules are not in effect."""
_SCOPE = re.compile(
    r"(?i)\b(?:this|these|following|below)\b(?:\s+[\w-]+){0,4}?\s+(?:only\b|appl(?:y|ies)\b"
    r"|(?:is|are) (?:\w+ )?(?:for|about|valid|limited|restricted|relevant|enforced"
    r"|meant|intended)\b)"
    r"|\bonly\b(?:\s+[\w'’-]+){0,6}?\s+(?:this|these|(?:the )?following)\b"
)
_TASK = re.compile(
    r"(?i)((?:when|whenever|if|while|before|after|during|once|on|for|to)\b.*?\w[`\"'’”)]*?),?"
    r" (?:(?:please|always|you (?:must|should|will|have to)) )*"
    r"(?:follow|apply|use|obey|observe|perform|go through|stick to|adhere to|do)"
    r" (?:(?:all|each) (?:of )?)?(?:(?:this|the|these)(?: \w+)?"
    r" (?:workflow|process|procedure|steps?|rules?|guidelines?|instructions?|checklist"
    r"|conventions?|protocol|practices|principles)(?: below| here)?"
    r"|(?:the )?following(?: \w+){0,2})(?:[.!]|$)"
)
"""A task or situation that the rules after it are for."""
_POINTS = re.compile(
    r"(?i)\b(?:these|following|below|limit\w*|restrict\w*"
    r"|this (?:section|list|part|paragraph|chapter))\b"
)
"""Words of a sentence that introduces what comes after it."""
_LATER = re.compile(
    r"(?i)\b(?:except\w*|unless|exempt\w*|however|otherwise"
    r"|only (?:for|if|when|in|on|during|after|until|applies|with)"
    r"|but (?:not|only|in|on)"
    r"|(?:do|does|did)(?: not|n['’]t) (?:apply|count|hold)"
    r"|(?:appl(?:y|ies)|valid|holds?|counts?) (?:only )?(?:to|for|in|on|if|when|until)"
    r"|(?:is|are|it['’]s|be) (?:still |also )?(?:fine|ok(?:ay)?|allowed|permitted"
    r"|acceptable))\b"
)
_REMARK = re.compile(r"[\s.!*_]*[(\[–—-][^)\]\n]{1,200}")
"""Words in brackets, or after a dash, at the end of a rule: "(obsolete)"."""
_EXCEPTS = re.compile(
    r"(?i)[\s\-*+•>_(]*(?:the |an? |one |only )?(?:exceptions?|exempt\w*|except|unless"
    r"|however|otherwise|does not apply|not for)\b"
)
_REPORTS = re.compile(
    r"(?i)\b(?:considered|rejected|proposed|debated|wondered|discussed|contemplated"
    r"|suggested|voted|argued|(?:we|they|he|she|someone|somebody|people|who|team)"
    r" (?:\w+ly )?(?:said|asked|wrote|claimed|thought|wanted|told))\b"
)
"""Words of a sentence that reports a rule."""
_STRONG = re.compile(r"(`[^`]*`)|\*\*|__(?=\w)|(?<=\w)__(?!\w)")
_LED = re.compile(
    r"(?i)(.+?),?\s+(?:you (?:must )?)?(?:never|do not|don['’]?t|must not|avoid)"
    r"(?: do)?(?: any of)?(?: the following| these)?"
)
"""A condition and a ban in one: "In production, never:"."""
_WORD = re.compile(r"[A-Za-z0-9'’_-]+")
_MARKS = re.compile(
    r"^[\W\d_]*[.)]\s+|[*#`]|(?<!\w)_|_(?!\w)|[^\w\s.,;:/()\[\]{}'\"<>=+&%$@!?~|\\-]"
)


class Meaning(Enum):
    """Effect of a text on the rules below it."""

    EMPTY = "says nothing"
    BAN = "forbids what is below"
    LIMIT = "limits what is below"
    ORDER = "is a ban itself, with more bans below"
    VOID = "has no rules below"


class FileContext(NamedTuple):
    """Conditions of a whole file, words that name it or its project, and its titles,
    which count as headings."""

    conditions: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()
    titles: tuple[str, ...] = ()


def meaning(text: str, sentence: str, names: Iterable[str] = ()) -> Meaning:
    """Return the effect of a heading or introduction on a sentence below it."""
    plain = _title(text)
    words = [word.lower().replace("’", "'") for word in _WORD.findall(plain)]
    if not words and "❌" not in text:
        return Meaning.EMPTY
    if retracts(text):
        return Meaning.VOID
    if _is_ban(words):
        return Meaning.BAN
    if LIMITS.match(plain):
        return Meaning.LIMIT
    if _VOID.search(text):
        return Meaning.VOID
    if _ORDERS.match(plain):
        return Meaning.ORDER
    if _NEGATIVE.search(plain) and not _is_pair(words):
        return Meaning.VOID
    known = _stems((*names, *_WORD.findall(sentence.lower())))
    rest = [word for word in words if word not in _EMPTY and not word.isdigit()]
    return (
        Meaning.LIMIT if _stems(rest) - known and not _is_pair(words) else Meaning.EMPTY
    )


def retracts(block: str) -> bool:
    """Return True if a block says that its rules are no longer, or were, in effect."""
    return _RETRACTED.search(block) is not None


def introduces(text: str) -> bool:
    """Return True if a sentence says for what the sentences after it are."""
    return _POINTS.search(text) is not None and not _TASK.match(text)


def reports(sentence: str) -> bool:
    """Return True if a sentence reports what somebody thought of a rule."""
    return _REPORTS.search(re.sub(r"`[^`]*`", "", sentence)) is not None


def limits_back(rest: str, following: str) -> bool:
    """Return True if a rule is limited by the rest of its block, or by the next one."""
    noted = _REMARK.match(rest)
    if noted and (_VOID.search(noted[0]) or _RETRACTED.search(noted[0])):
        return True
    return bool(_LATER.search(rest) or _EXCEPTS.match(following))


def scope_in(block: str) -> str:
    """Return the sentence that limits the rules around it: "This applies to CI.".

    Of "When you deploy, follow this workflow" that is its condition.
    """
    for sentence in re.split(r"(?<=[.!?])\s", block):
        if task := _TASK.match(sentence.strip()):
            return task[1]
        if _SCOPE.search(sentence) and not re.search(
            r"(?i)\b(?:all|every)\b", sentence
        ):
            return sentence.strip()
    return ""


def split_ban(text: str) -> tuple[str, bool]:
    """Split "In production, never:" into its condition, and True for a ban."""
    plain = _title(text, marks=False)
    led = _LED.fullmatch(plain) if LIMITS.match(plain) else None
    return (led[1], True) if led else (text, False)


def with_conditions(conditions: Iterable[str], sentence: str, *, ban: bool) -> str:
    """Return a sentence below its conditions: "In CI, for `a/**`: never run `b`"."""
    parts = [_phrase(condition) for condition in dict.fromkeys(conditions)]
    parts += ["never"] if ban else []
    if not parts:
        return sentence
    head = ", ".join(parts)
    head = f"{head[0].upper()}{head[1:]}"
    if re.match(r"(?i)then\b", sentence):
        return f"{head}, t{sentence[1:]}"
    return f"{head}: {sentence}"


def _phrase(condition: str) -> str:
    plain = _title(condition, marks=False)
    if _KNOWN_LIMITS.match(plain) and not re.search(r"[.!?;](?:\s|$)", plain):
        return plain[0].lower() + plain[1:]
    quoted = plain.replace('"', "'").replace("“", "'").replace("”", "'")
    return f'in "{quoted}"'


def _title(text: str, *, marks: bool = True) -> str:
    plain = _MARKS.sub("", text) if marks else _STRONG.sub(r"\1", text)
    return " ".join(plain.split()).strip(" :：-–—*_")


def _is_ban(words: list[str]) -> bool:
    bans = [word for word in words if word in _BAN_WORDS]
    rest = [word for word in words if word not in _BAN_WORDS]
    return len(bans) == 1 and all(word in _BAN_REST for word in rest)


def _is_pair(words: list[str]) -> bool:
    """Return True for "Do's and Don'ts" and "Always and never"."""
    present = set(words)
    pair = bool(present & {"do", "dos", "do's", "always"}) and "and" in present
    return pair and bool(present & {"don't", "dont", "donts", "don'ts", "never"})


def _stems(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word.lower().replace("'s", "").rstrip("s") for word in words)
