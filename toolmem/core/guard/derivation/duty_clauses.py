"""Sentences of rules and their clauses, without the words that change nothing."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from toolmem.core.guard.derivation.duty_words import CODE, Text, with_codes

_EMPHASIS = re.compile(
    r"\*\*|(?<![\w/])__(?=\w)|(?<=\w)__(?![\w/])|^[^\w`\"“*./@-]+|^\d+[.)]\s+"
)
_COURTESY = re.compile(
    r"(?i)(?:[\s,–-]+(?:please|pls|plz|thanks|thank you|thx|cheers|ok(?:ay)?|always"
    r"|(?:always )?in (?:that|this) order|every time|each time|without (?:exception"
    r"|fail)|no (?:exceptions?|excuses|matter what)|second))+[\s.!]*$"
)
"""Words at the end of a demand that change nothing of it."""
_REASON = re.compile(
    r"(?i),?\s+(?:because|since|so that|so (?:the|we|it|that|you|i|nobody|no)"
    r"|otherwise|or else|as (?:it|they|this|that|we|i|the))\b[^,;!?\n]*$"
)
_REFERS = re.compile(r"(?i)\b(?:it|that|this)\b")
_SENTENCE_END = re.compile(r"[.!;](?=\s|$)|\n|(?<=\?)\s")
_CLEAN = re.compile(
    r"(?i)\b(?:without(?:\s+any)?|(?:with\s+)?(?:no|zero|0))\s+(?:\w+\s+)?(?:errors?"
    r"|warnings?|complaints?|findings?|failures?|issues?|problems?)\b"
)
"""A state in which a check found nothing."""
_NEVER = re.compile(r"(?i)\b(?:under no circumstances|in no case|at no time)\b")
_DOUBLE = re.compile(
    r"(?i)\b(?:never|do not|don['’]?t|must not)\s+(?:ever\s+)?(?:forget|skip|omit"
    r"|neglect|fail|miss)\b(?:\s+to\b)?"
)


class Clause(NamedTuple):
    """A clause: how it is joined to the sentence, and its words.

    ``joint`` is empty for a main clause. ``only``: the joint comes after "only".
    """

    joint: str
    words: str
    only: bool = False


_JOINTS = re.compile(
    r"(?i)(?<![\w-])(?P<only>only\s+)?(?:(?:right|immediately|directly|shortly"
    r"|straight|always|comes?|goes|(?:every|each) time(?=\s+(?:before"
    r"|after)))\s+)?(?:(?P<before>before|prior to|ahead of)|(?P<until>until|till"
    r"|unless)|(?P<without>without)|(?P<after>after|following|when(?:ever)?|once|if"
    r"|as soon as|in case|the moment|(?:each|every|any)\s*time(?:\s+that)?|(?:with|on"
    r"|for|at|upon)(?=\s+(?:(?:each|every|any|all|changing|editing|touching|modifying"
    r"|updating)\b|(?:[\w-]+\s+)?(?:changes|edits|modifications)\b)))"
    r"|(?P<then>(?:and\s+)?(?:only\s+)?(?:then|afterwards)))(?![\w-])\s*"
    r"|(?P<mark>(?:[,;:](?=\s|$)|\s(?:[-–—]{1,2}|->|=>|→)(?=\s)|[()])(?:\s*(?:and|so"
    r"|but)(?=\s))?\s*)"
)
"""Words that join a clause to its sentence, and marks between clauses."""


def text_of(rule: str) -> Text:
    """Return the text of a rule without its emphasis, with its code taken out."""
    return with_codes(_EMPHASIS.sub("", rule))


_TOPIC = re.compile(
    r"(?i)(?!(?:is|are|was|were|do|does|did|can|could|should|would|will|have|has|why"
    r"|what|how|who|when|where|which)\b)\w+(?:ing|ed)?\b.*\?$"
)
"""A question that names a case: "Changed Y?"."""


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text; a case before one belongs to it."""
    start, case = 0, ""
    for end in [*(m.span() for m in _SENTENCE_END.finditer(text)), (len(text), 0)]:
        sentence = text[start : end[0]].strip(" -*•\t.!")
        start = end[1]
        if sentence.endswith("?"):
            case = f"if {sentence[:-1]}, " if _TOPIC.match(sentence) else ""
        elif sentence:
            yield _plain(case + sentence)
            case = ""


def _plain(sentence: str) -> str:
    """Return a sentence without courtesy and reasons, and with one "never"."""
    plain = _explained(_COURTESY.sub("", _REASON.sub("", sentence)))
    return _DOUBLE.sub("", _NEVER.sub("never", _CLEAN.sub("clean", plain)))


def _explained(sentence: str) -> str:
    """Return what "X is mandatory: run it before Y" explains, with X for "it"."""
    head, mark, tail = sentence.partition(": ")
    named = re.findall(CODE, head)
    if not mark or len(named) != 1 or re.search(CODE, tail):
        return sentence
    said, count = _REFERS.subn(named[0], tail, count=1)
    return said if count else sentence


def clauses_of(text: Text, sentence: str) -> list[Clause]:
    """Return the clauses of a sentence, in order."""
    clauses = []
    joint, start, only = "", 0, False
    for match in _JOINTS.finditer(sentence):
        if match["mark"] and _is_list(text, sentence, match):
            continue
        clauses.append(Clause(joint, sentence[start : match.start()].strip(), only))
        joint = "" if match["mark"] else str(match.lastgroup)
        only, start = "only" in match[0].lower().split(), match.end()
    clauses.append(Clause(joint, sentence[start:].strip(), only))
    return [one for one in clauses if one.words or one.joint]


def _is_list(text: Text, sentence: str, mark: re.Match[str]) -> bool:
    """Return True for a comma in a list of commands or of files, or an aside."""
    if "(" in mark[0] or ")" in mark[0]:
        return True
    before = re.search(rf"({CODE})$", sentence[: mark.start()])
    after = re.match(rf"({CODE})", sentence[mark.end() :])
    if not (before and after and mark[0][0] == ","):
        return False
    names = text.code(before[1]), text.code(after[1])
    first, second = ("/" in name or ("." in name and " " not in name) for name in names)
    return first == second
