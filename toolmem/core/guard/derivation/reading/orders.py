"""When words that forbid are an order, and no report, question or release."""

import re
from collections.abc import Sequence

from toolmem.core.guard.derivation.reading.cues import Cue
from toolmem.core.guard.derivation.reading.vocabulary import (
    BEING,
    NOT_ALONE,
    REFRAINS,
    RUNTIME,
)
from toolmem.core.guard.derivation.reading.words import ReadWord, roles_of, verb_of

_HOOKS = frozenset("hook hooks pre-commit husky".split())


def is_order(words: Sequence[ReadWord], cue: Cue, end: int) -> bool:
    """Return False if words that forbid are reported, past, a question or no ban.

    ``end`` is the end of what they are about.
    """
    roles = roles_of(words)
    stop = next((n for n in range(cue.last, len(words)) if roles[n] in ".;!?"), -1)
    is_asked = words[cue.first].role == "?"
    if stop >= 0 and roles[stop] == "?" and not (is_asked or _is_request(words, cue)):
        return False
    start = max((roles.rfind(mark, 0, cue.first) for mark in ".;!?:,-"), default=-1) + 1
    said = roles[start : cue.last]
    said = "" if said[:1] == "c" else said  # "unless told otherwise"
    if ("R" in said or "P" in roles[start : cue.last + 1]) and not words[
        cue.first
    ].text.startswith(("rather", "prefer")):
        return False
    subject = [word for word in words[start : cue.first] if word.role not in "MAD"]
    if cue.kind == "" and subject and subject[-1].text in RUNTIME:
        return False
    if _is_void(words, cue.last, stop if stop >= 0 else len(words)):
        return False
    if cue.kind == "after":
        return True
    follows = words[cue.last].text if cue.last < len(words) else ""
    if cue.kind == "nothing" and follows in ("has", "have", "had"):
        return False
    if words[cue.first].text == "does":  # says how something is, unless it has a place
        return any(
            verb_of(word.text) in BEING for word in words[cue.last : cue.last + 2]
        )
    return _forbids(words, cue, end)


def _is_request(words: Sequence[ReadWord], cue: Cue) -> bool:
    """Return True for an order in the form of a question: "could you avoid x?"."""
    start = next(
        (n for n in range(cue.first, 0, -1) if words[n - 1].role in ".;!?:"), 0
    )
    texts = [word.text for word in words[start : start + 4] if word.role not in "A,"]
    return texts[:1] == ["mind"] or (
        texts[0] in ("could", "can", "would", "will") and texts[1:2] in (["you"], ["u"])
    )


def _forbids(words: Sequence[ReadWord], cue: Cue, end: int) -> bool:
    """Return False for words that forbid only to leave something, or to do it alone."""
    follows = [word for word in words[cue.last : end] if word.role not in "A,:TS"]
    if not follows:
        return True
    first = follows[0]
    verb = verb_of(first.text)
    if {words[cue.last - 1].text, first.text} & NOT_ALONE:
        return False
    second = follows[1].role if len(follows) > 1 else ""
    linked = [word.role for word in words[cue.last + 1 : cue.last + 2]] == ["T"]
    if first.text in ("have to", "need to") or (first.text == "have" and second == "p"):
        return False
    if first.text in ("need", "have") and linked:
        return False
    stops = first.text in ("stop", "quit")
    if verb not in REFRAINS and (first.role != "v" or stops):
        return True
    objects = [word.text for word in follows[:5]]
    hooks = any(word in _HOOKS or "-no-verify" in word for word in objects)
    settings = any(word.role == "o" and "=" in word.text for word in follows[:5])
    return (hooks or settings) and verb in ("skip", "bypass", "ignore")


def _is_void(words: Sequence[ReadWord], start: int, end: int) -> bool:
    """Return True for a ban that is said to be in effect no longer."""
    text = " ".join(word.text for word in words[start:end])
    return re.search(
        r"\b(?:is|are) (?:now |long )?(?:outdated|obsolete|not true"
        r"|no longer (?:true|valid|needed|enforced|the case))"
        r"|\bbut (?:it|that|this) is (?:\w+ )?(?:fine|ok|okay|allowed)\b", text
    ) is not None  # fmt: skip
