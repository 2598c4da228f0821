"""Find every ban of a rule: after words that forbid, and in demands."""

import re
from collections.abc import Iterator

from toolmem.core import limits
from toolmem.core.guard.derivation.reading.clauses import bans_of_clauses
from toolmem.core.guard.derivation.reading.demands import demanded_bans
from toolmem.core.guard.derivation.reading.sentence import Ban, masked_text
from toolmem.core.guard.derivation.reading.words import words_of

_ANY_PATH = r"(?:[\ue200-\ue5ff]|[\w.-]*/[\w./-]*)"
_ASKS = r"(?:ask|check|confirm|consult|get (?:my |an? )?(?:ok|approval|permission))"
_USER = r"(?:me|us|the user|a human|someone)"
_PEOPLE = (
    r"(?:teams?|owners?|maintainers?|admins?|humans?|people|bots?|dev(?:eloper)?s?"
    r"|engineers?|folks|pipeline|ops|leads?|managers?)"
)
_FORMS = tuple(
    (re.compile(f"(?i){form}"), ban)
    for form, ban in (
        (
            r"\b(?:leave|leaving|keep|(?:rather|prefer|wish|like)\W[^.;]{0,30}\bleft)\s+"
            r"(?P<what>[^,;]{1,80}?)\s+(?:alone|be(?=$|[.,;])|as[- ]is|untouched"
            r"|unchanged|intact|as (?:they|it) (?:are|is)"
            rf"|(?:up )?to (?:me|us|ci|(?:the|our) (?:[\w-]+ ){{0,2}}{_PEOPLE}))\b",
            "touch {what}",
        ),
        (
            rf"\b{_ASKS}(?:\s+(?:with\s+)?{_USER})?(?:\s+first)?,?\s+(?:before"
            r"|prior to)\s+(?:you\s+)?(?:ever\s+)?(?:(?:run|us|call|execut|do)\w*\s+)?"
            r"(?P<what>[^,.;!?]{1,80})",
            "run {what} without asking",
        ),
        (
            r"(?:^|[.;:!?]\s+)(?:before|prior to)\s+(?P<what>[^,.;:!?]{1,60}?),?\s+"
            r"(?:please\s+|always\s+)*(?:ask|check with|consult|confirm with)\s+"
            rf"{_USER}\b",
            "run {what} without asking",
        ),
        (
            r"(?:^|[.;:!?]\s+)(?P<what>[^,.;:!?]{1,60}?)\s+(?:always\s+)?(?:needs?"
            r"|requires?)\s+(?:my|our|an?|explicit|human|manual|the user['’]s)?\s*"
            r"(?:approval|permission|confirmation|consent|sign-?off|go-ahead"
            r"|ok(?:ay)?)\b",
            "run {what} without asking",
        ),
        (
            r"\b(?:limit|restrict|confine|keep)\s+(?:\w+\s+){0,2}(?:edits|changes|work"
            r"|writes|yourself)\s+(?:to|in|inside|within|under)\s+(?:the\s+)?"
            rf"(?P<what>{_ANY_PATH})",
            "edit files outside {what}",
        ),
        (
            r"\bonly\s+(?:the\s+)?(?:(?:files?|code|stuff|things)\s+(?:in|under"
            rf"|inside)\s+)?(?:the\s+)?(?P<what>{_ANY_PATH})(?:\s+(?:folder|directory"
            r"|tree|dir|package))?\s+(?:are|may|can|is)\s+(?:\w+\s+){0,3}(?:chang|edit"
            r"|touch|modif)\w*",
            "edit files outside {what}",
        ),
        (
            r"\b(?:can|may)\s+(?P<verb>[a-z]+)\s+[^.;]{1,60}?(?P<noun>branch)(?:es)?\b"
            r"[^.;]{0,30}?\b(?:unless|except)\s+(?:if\s+)?(?:it|they|those|the ones)\s+"
            r"(?:that\s+)?(?:starts?|begins?|beginning|starting)\s+with\s+"
            r"(?P<what>[\w./-]+)",
            "{verb} {what}* {noun}",
        ),
        (
            r"\bthe only (?:one|person|human|people|ones) (?:who|that|to|(?:allowed"
            r"|permitted) to)\s+(?:(?:ever|may|can|is allowed to|gets to|should)\s+)*"
            r"(?P<what>[^,.;!?]{1,80}?)\s+(?:is|are)\s+(?!you\b)",
            "{what}",
        ),
        (
            r"\b(?:i['’]?m|i am|we['’]?re|we are) the only (?:one|person|ones|people)"
            r" (?:who|that|to|(?:allowed|permitted) to)\s+(?:(?:ever|may|can) )*"
            r"(?P<what>[^,.;!?]{1,80})",
            "{what}",
        ),
        (
            r"\b(?:may|can|free to|welcome to|allowed to)\s+(?:edit|change|touch"
            r"|modify)\s+(?:anything|everything|all files|any file)"
            rf"\s+(?:but|except(?: for)?|other than)\s+(?P<what>{_ANY_PATH})",
            "edit {what}",
        ),
        (
            r"\b(?:anything|everything|all)\s+(?:but|except(?: for)?|other than|outside"
            rf"(?: of)?)\s+(?:the\s+)?(?P<what>{_ANY_PATH})(?:\s+\w+)?\s+(?:is|are)\s+"
            r"(?:read[- ]only|off[- ]limits|frozen|locked|not yours|forbidden|taboo)",
            "edit files outside {what}",
        ),
        (
            r"(?:^|[.;:!?]\s)(?:(?!\b(?:not|never|no|avoid|unless|stop)\b|n['’]t\b)"
            r"[^.;:!?]){0,40}\b(?:use|run|call|start|invoke|using|running)\s+"
            r"(?P<what>[\ue200-\ue5ff]|[a-z][\w.-]*(?:\s[a-z][\w.-]*){0,2}?)(?:\s(?:freely"
            r"|(?:all|as) you like))?,?\s*(?:but|just|only|though|always)(?: \w+)?,?\s+"
            r"(?:without|never with|not with)\s+(?:the\s+|an?\s+|any\s+)?"
            r"(?P<option>--?[a-z][\w-]*|[\ue200-\ue5ff](?=$|[\s.,;!]))",
            "run {what} {option}",
        ),
    )
)
"""Forms of a sentence that forbid with no word of refusal, and their ban."""
_ASKED = re.compile(r"[^.;!?\n]*\?")
_REQUEST = re.compile(r"(?i)\s*(?:could|can|would|will|please)\b")
_RUN_OF_BLANKS = re.compile(r"\s{2,}")


def _one_blank(blanks: re.Match[str]) -> str:
    return "\n" if "\n" in blanks[0] else " "


def bans_in(rule: str) -> tuple[Ban, ...]:
    """Return the bans of a rule's text: those of its forms, clauses and demands."""
    blanks = _RUN_OF_BLANKS.sub(_one_blank, rule[: 2 * limits.RULE_CHARS])
    text, codes = masked_text(blanks)
    return (
        *_of_forms(text, codes),
        *bans_of_clauses(text, codes),
        *demanded_bans(text, codes, words_of(text)),
    )


def _of_forms(text: str, codes: tuple[str, ...]) -> Iterator[Ban]:
    for form, ban in _FORMS:
        for match in form.finditer(text):
            if _ASKED.match(text, match.end()) and not _REQUEST.match(text):
                continue
            yield Ban(
                ban.format(**match.groupdict()), codes, about=text[: match.start()]
            )
