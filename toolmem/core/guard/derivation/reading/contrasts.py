"""Find what is to be done in a text, and what it replaces."""

import re
from collections.abc import Iterator, Sequence

from toolmem.core.guard.derivation.programs import is_name, is_program
from toolmem.core.guard.derivation.reading.bodies import completed
from toolmem.core.guard.derivation.reading.cues import Cue, cues_in
from toolmem.core.guard.derivation.reading.read_text import ReadText
from toolmem.core.guard.derivation.reading.sentence import Ban
from toolmem.core.guard.derivation.reading.vocabulary import PRONOUNS

_DEMANDS = frozenset(
    "use using prefer take pick always run running call go going just only".split()
)
_WEAK = frozenset("run running call with via through by only take".split())
_CASE = re.compile(
    r"(?i)(?P<case>(?:when(?:ever)?|if)\s[^.;:,]{1,80}?),?\s+"
    r"(?=(?:always |please )*(?:use|run|prefer|take)\s)"
)
"""The case of a demand: "when you need a field use x, not y"."""


_REPLACES = re.compile(
    r"(?i)[\s*•-]*(?:always |please |we (?:only |always )?)*(?:use|run|prefer|commit"
    r"|push|post|install|write|deploy|search|take|pick)\b"
)


def replaced_ones(text: ReadText, cues: Sequence[Cue]) -> Iterator[Ban]:
    """Find "use Y, not X", "Y instead of X", "prefer Y over X"."""
    case = _CASE.match(text.text)
    start = case.end() if case else 0
    for at in range(1, len(text.words)):
        end = _contrast(text, at)
        taken = any(cue.first <= at < cue.last for cue in cues)
        if end < 0 or taken or not _is_replaced(text, at, end, start):
            continue
        rest = text.text[text.start(end) :]
        about = text.text[: text.start(at)]
        whole = completed(text, Cue("", at, end), rest)
        before = case["case"] if case else text.condition_before(at)
        banned = whole if whole != rest else f"use {rest}"
        yield Ban(banned, text.codes, before, about=about, form="contrast")
        return


def _contrast(text: ReadText, at: int) -> int:
    """Return the end of words before what is replaced; −1 for other words."""
    role, word = text.roles[at], text.words[at].text
    end = at + 1
    if role == "t" and word == "not":
        linked = text.roles[at - 1] in ",;-bowVp" or text.words[at - 1].text == "and"
        return end if linked and not _ends(text, end) else -1
    if role != "I" and word not in ("over", "to"):
        return -1
    if role == "I" and end < len(text.words) and text.words[end].text in (
        "running", "using", "calling"):  # fmt: skip
        end += 1
    while end < len(text.words) and text.words[end].text in (
        "plain",
        "raw",
        "bare",
    ):
        end += 1
    return -1 if _ends(text, end) else end


def _is_program(text: str) -> bool:
    name = text.split()[0].lower()
    return is_program(name) and is_name(name)


def _ends(text: ReadText, at: int) -> bool:
    return at >= len(text.words) or text.roles[at] in ".,;:!?)"


def _is_replaced(text: ReadText, at: int, end: int, start: int) -> bool:
    """Return True if the words after are what another thing replaces."""
    word = text.words[at].text
    over = word in ("over", "to")
    back = at - 1
    while back > 0 and text.roles[back] in ",;-b":
        back -= 1
    if text.words[end].text in PRONOUNS and not over:
        return True
    after, before = (_is_program(text.code(text.words[n].text)) for n in (end, back))
    clause = text.text[: text.words[at].start]
    prefers = re.search(r"(?i)\bprefer\b[^,.;]*\Z", clause)
    if over:
        return after and (bool(prefers) or (before and word == "over"))
    if _REPLACES.match(text.text, start):
        return True
    first = text.words[0].text
    if first in ("i", "he", "she", "they", "it", "there", "this", "that") or not after:
        return False
    return word != "not" or before


def demanded(text: ReadText) -> Iterator[str]:
    """Yield the texts that begin with what is to be done: "use X", "through X"."""
    words, roles = text.words, text.roles
    cues = list(cues_in(words))
    others = [
        (at, end) for at in range(1, len(words)) if (end := _contrast(text, at)) >= 0
    ]
    forbids = [*((cue.first, cue.last) for cue in cues if cue.kind != "after"), *others]
    starts = [cue.first for cue in cues] + [at for at, _ in others]
    for at, word in enumerate(words):
        allowed = re.compile("BA*G").match(roles, at)
        if allowed:
            first = max((n + 1 for n in range(at) if roles[n] in ".,;:!?(b"), default=0)
            yield text.slice(first, at)
        if word.text not in _DEMANDS | _WEAK and word.text != "through":
            continue
        ends = [last for _, last in forbids if last <= at]
        if ends and at - max(ends) <= 1 and ".;!?".find(roles[at - 1]) < 0:
            continue
        stop = next((n for n in sorted(starts) if n > at), len(words))
        wanted = text.slice(at + 1, stop)
        begins = at == 0 or roles[at - 1] in ".,;:(-yA"
        comma = at > 0 and roles[at - 1] == ","
        instead = begins and (
            not comma or re.match(r"(?i)[^,.;:]{0,80}\binstead\b", wanted)
        )
        if wanted and (instead or not (ends and word.text in _WEAK)):
            yield wanted
