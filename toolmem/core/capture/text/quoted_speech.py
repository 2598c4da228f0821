"""Find text that a message passes on, written by someone else.

"Translate this:", "Here is an email I got:", "The customer wrote:": text after the
colon is not the user's, whatever it commands. On the same line it ends with its
paragraph; below it, with the next line of dashes or the like if one opens it, else with
the message. A line about rules, or about every case, announces the user's own words.
"""

from collections.abc import Sequence

from toolmem.core.capture.text.lists import word_list
from toolmem.core.capture.text.words import RULE_LEADS, word_set

_HEAD_CHARS = 120
"""Maximum length of a line that announces something."""
_POLITE = word_list("quoted_speech polite")
_OWN = RULE_LEADS | word_set(
    "all always any each every if memory never remember when whenever claude.md"
    " agents.md gemini.md .cursorrules"
)
_TEXTS = word_list("quoted_speech texts")
_REWORDS = word_list("quoted_speech rewords")
"""Verbs that only apply to a text: "translate this"."""
_TREATS = word_list("quoted_speech treats")
_POINTING = word_set("below following it that these this")
_SHOWS = word_set("attached below here here's heres this i")
_REPORTS = word_list("quoted_speech told")
_REMARKS = word_set("comments notes feedback remarks findings review transcript")
_MINE = word_set("my our me us")
_USER = word_set("i we you")
_PUTS = word_set("add append insert paste prepend put write")
_PLACES = word_list("quoted_speech places")
_DELIMITERS = frozenset("-=*_~#\"'")


def quoted_speech(text: str) -> tuple[int, int]:
    """Return the span of the passed-on text; 0, 0 without one."""
    start = 0
    for line in text.split("\n"):
        colon = line.find(": ", 0, _HEAD_CHARS)
        if colon < 0 and line[:_HEAD_CHARS].rstrip().endswith(":"):
            colon = line.rstrip().rfind(":")
        if colon > 0 and _hands_over(_words(line[:colon])):
            begin = start + colon + 1
            return begin, _end(text, begin)
        start += len(line) + 1
    return 0, 0


def _words(head: str) -> list[str]:
    plain = head.lower().replace("’", "'")
    return [word.strip("*_`\"'(),!") for word in plain.split()]


def _hands_over(words: Sequence[str]) -> bool:
    present = set(words)
    rest = _after_politeness(words)
    verb = rest[0] if rest else ""
    text, points = bool(present & _TEXTS), bool(present & _POINTING)
    if (verb in _TREATS and text and points) or (
        present & _REMARKS and present & {"from", "by", "left"} and not present & _MINE
    ):
        return True
    if present & _OWN:
        return False
    if verb in _REWORDS or (_REPORTS & set(words[1:][-4:]) and not present & _USER):
        return True
    if verb in _TREATS and text:
        return True
    if verb in _PUTS and points and any(map(_is_place, words)):
        return True
    if {"i", "we"} & present and not {"got", "received"} & present:
        return False
    if {"my", "our"} & present:
        return False
    shown = text and words[0] in _SHOWS and [*words[:1], *words[2:3]] != ["this", "is"]
    return shown or bool(_REPORTS & set(words[1:][-2:]))


def _after_politeness(words: Sequence[str]) -> Sequence[str]:
    at = 0
    while at < len(words) and (words[at] in _POLITE or (at and words[at] == "to")):
        at += 1
    return words[at:]


def _is_place(word: str) -> bool:
    name, dot, ending = word.rpartition(".")
    return word in _PLACES or bool(name and dot and ending.isalnum())


def _end(text: str, begin: int) -> int:
    lines = text[begin:].split("\n")
    if lines[0].strip():
        blank = next((at for at, line in enumerate(lines) if not line.strip()), None)
        return begin + len("\n".join(lines[:blank]))
    first = next((line.strip() for line in lines if line.strip()), "")
    if len(first) < 3 or set(first) - _DELIMITERS:
        return len(text)
    marks = [at for at, line in enumerate(lines) if line.strip() == first]
    if len(marks) < 2:
        return len(text)
    return begin + sum(len(line) + 1 for line in lines[: marks[1]]) + len(first)
