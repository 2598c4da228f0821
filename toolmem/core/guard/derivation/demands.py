"""Find every ban of a rule: after words that forbid, and in demands."""

import re
from collections.abc import Iterator

from toolmem.core import limits
from toolmem.core.guard.derivation.clauses import bans_of_clauses
from toolmem.core.guard.derivation.sentence import (
    CODE_START,
    SPAN,
    Ban,
    is_code,
    masked_text,
)

OPTION = (
    rf"(?:an?\s+|the\s+)?(?P<option>{SPAN}|--?[A-Za-z][\w-]*(?:[ =](?=[\w.:=-]*[\d=])"
    r"[\w.:=-]*\w)?)(?:\s+(?:option|flag|switch))?"
)
COMMAND = (
    rf"(?P<command>{SPAN}|[a-z][\w.-]*(?:\s+(?!(?:with|or|so|when|if|otherwise|because"
    r"|and|always|only|must|needs?|should|commands?|calls?|runs?|too|please|it|an?|the"
    r"|something|anything|stuff|things)\b)[\w:.-]*\w){0,2})(?=\s*(?:$|[,.;!)]|\b))"
)
_ONLY_IN = re.compile(
    r"(?i)\bonly (?:ever )?(?:run|use|call|execute)\s+(?P<what>[^,.;]{1,60}?)\s+"
    r"(?:in|inside|within|under|from)\s+(?P<where>[^\s,;]{1,80}?)(?=[,;]|[.](?:\s|$)|\s"
    r"|$)"
)
_LEFT_ALONE = re.compile(
    r"(?i)\b(?:leave|keep)\s+(?P<what>[^,;]{1,80}?)\s+(?:alone|as[- ]is|untouched"
    r"|unchanged|intact|as (?:they|it) (?:are|is))\b"
)
_START = (
    r"(?i)(?:(?<=^)|(?<=[.;:!?,(\n-] )|(?<=\bplease )|(?<=\balways )|(?<=\bnow on ))"
    r"(?:(?:every|each|all|any)\s+)?"
)
_DEMANDED_OPTIONS = tuple(
    re.compile(_START + form)
    for form in (
        rf"(?:pass|use|add|set|include|supply|give)\s+{OPTION}\s+"
        r"(?:to|with|for|on|when (?:you )?(?:run|us|call|invok)\w*"
        r"|(?:when(?:ever)?|(?:each|every|any) time)(?: you)?(?: (?:run|call)\w*)?)"
        rf"\s+(?:(?:every|each|any|all)\s+)?{COMMAND}",
        rf"{COMMAND}\s+(?:must|should|needs?|ha(?:s|ve) to)\s+[^.;:,]{{1,60}}[:,;]\s+"
        rf"(?:so\s+|please\s+)?(?:always\s+)?(?:use|pass|add|set)\s+{OPTION}",
        rf"give\s+{COMMAND}\s+(?=an?\s|the\s|-|{SPAN}){OPTION}",
        rf"(?:run|use|call|invoke)\s+{COMMAND}\s+with\s+{OPTION}",
        rf"when(?:ever)?\s+(?:you |we )?(?:run|us|call|show|mak|do)\w*\s+(?:me\s+)?"
        rf"{COMMAND},?\s*(?:always\s+)?(?:use|pass|add|set|give it)\s+{OPTION}",
        rf"{COMMAND}\s+(?:must|should|needs?|requires?|ha(?:s|ve) to)\s+(?:always\s+)?"
        rf"(?:to\s+)?(?:(?:be (?:run|called|used) with|have|get|take|use)\s+)?"
        rf"{OPTION}",
        rf"{COMMAND}\s+(?:(?:commands?|calls?|runs?)\s+)?(?:only|always)\s+(?:ever\s+)?"
        rf"with\s+(?:an?\s+)?(?:explicit\s+)?{OPTION}",
    )
)
_ALSO = re.compile(rf"(?i)(?:\s*,(?:\s*(?:and|or)\b)?|\s+(?:and|or)\b)\s*{COMMAND}")
_NOUNS = {"diffs": "git diff", "a diff": "git diff", "commits": "git commit"}
_ASKED = re.compile(
    r"(?i)\b(?:ask|check|confirm|consult|get (?:my |an? )?(?:ok|approval|permission))"
    r"(?:\s+(?:with\s+)?(?:me|us|the user|a human|someone))?(?:\s+first)?,?\s+before\s+"
    r"(?:you\s+)?(?:ever\s+)?(?:(?:run|us|call|execut"
    r"|do)\w*\s+)?(?P<what>[^,.;!?]{1,80})"
    r"|(?:^|[.;:!?]\s+)(?P<subject>[^,.;:!?]{1,60}?)\s+(?:always\s+)?(?:needs?"
    r"|requires?)\s+"
    r"(?:my|our|an?|explicit|human|manual|the user['’]s)?\s*"
    r"(?:approval|permission|confirmation|consent|sign-?off|go-ahead|ok)\b"
)


def bans_in(rule: str) -> tuple[Ban, ...]:
    """Return the bans of a rule's text, in order."""
    text, codes = masked_text(rule[: 2 * limits.RULE_CHARS])
    left = (Ban(f"touch {one['what']}", codes) for one in _LEFT_ALONE.finditer(text))
    asked = (
        Ban(f"run {one['what'] or one['subject']} without asking", codes)
        for one in _ASKED.finditer(text)
    )
    return (
        *left,
        *bans_of_clauses(text, codes),
        *asked,
        *_only_in(text, codes),
        *_options(text, codes),
    )


def _only_in(text: str, codes: tuple[str, ...]) -> Iterator[Ban]:
    """Read "only run X inside Y" as a ban on X outside of Y."""
    for found in _ONLY_IN.finditer(text):
        yield Ban(f"run {found['what']} outside {found['where']}", codes)


def _options(text: str, codes: tuple[str, ...]) -> Iterator[Ban]:
    """Read the demand of an option as a ban on the command without it."""
    for form in _DEMANDED_OPTIONS:
        for found in form.finditer(text):
            option, named = found["option"], found["command"]
            option = codes[ord(option) - CODE_START] if is_code(option) else option
            words = option.split()
            if not option.startswith("-") or len(words) > 2:
                continue
            shown = words[0] if words[1:] and words[1].isdecimal() else option
            span = chr(CODE_START + len(codes))
            more = _ALSO.match(text, found.end())
            for command in (named, *([more["command"]] if more else [])):
                known = _NOUNS.get(command.lower(), command)
                banned = f"run {known} without {span}"
                yield Ban(banned, (*codes, shown), option=option)
