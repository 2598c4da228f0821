"""Note that shows candidates to an agent, in at most 80 tokens."""

from collections.abc import Sequence
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.candidates.limits import (
    NOTE_CANDIDATES,
    NOTE_SENTENCE_CHARS,
    NOTE_TOKENS,
)
from toolmem.core.text import tokens
from toolmem.core.text.safetext import one_line, visible

MARK = "toolmem: "
"""Prefix of every note, by which it is recognised in a transcript."""
_TAIL = "Not if for this task only, about the product, or quoted."
ID_CHARS = 5
"""Characters of a candidate's id in a note: commands take a unique prefix."""
_SHORTEST = 24


class NotedCandidate(NamedTuple):
    """A candidate as the note shows it.

    ``rules`` are the ids it may take back; ``place`` says where its rule would apply,
    and ``tools`` are those that it would be about.
    """

    id: str
    sentence: str
    rules: tuple[str, ...] = ()
    place: str = ""
    tools: tuple[str, ...] = ()


def render_note(candidates: Sequence[NotedCandidate]) -> str:
    """Render the note of a message; empty without candidates.

    Sentences are shortened until it fits; if that is not enough, the last candidates
    are left out.
    """
    shown = list(candidates[:NOTE_CANDIDATES])
    while shown:
        if len(shown) == 1 and not _fits(_note(shown, NOTE_SENTENCE_CHARS)):
            shown = [shown[0]._replace(place="")]
        for chars in range(NOTE_SENTENCE_CHARS, _SHORTEST - 1, -8):
            text = _note(shown, chars)
            if _fits(text):
                return text
        shown.pop()
    return ""


def _note(candidates: Sequence[NotedCandidate], chars: int) -> str:
    if len(candidates) == 1:
        return _single(candidates[0], chars)
    backs = [candidate for candidate in candidates if candidate.rules]
    ordered = [*backs, *(candidate for candidate in candidates if not candidate.rules)]
    listed = "; ".join(
        f"{_id(candidate)} {_quoted(candidate.sentence, chars)}"
        for candidate in ordered
    )
    back = " (or retract)" if backs else ""
    if len(backs) == 1 and len(candidates) == 2:
        new = ordered[1]
        return (
            f"{MARK}{listed}. If the first takes back rule "
            f"{backs[0].rules[0][: limits.ID_SHOWN]} and the other replaces it: "
            f"toolmem rule retract {_id(backs[0])} {_id(new)}. {_TAIL}"
        )
    return (
        f"{MARK}standing rules? {listed}. For each that is not for this task only: "
        f"toolmem rule keep{back} ID"
    )


def _single(candidate: NotedCandidate, chars: int) -> str:
    quotation = _quoted(candidate.sentence, chars)
    if candidate.rules:
        ids = [rule[: limits.ID_SHOWN] for rule in candidate.rules[:2]]
        which = " --which ID" if len(ids) > 1 else ""
        return (
            f"{MARK}does this take back rule {' or '.join(ids)}? {quotation} If so, "
            f"run: toolmem rule retract {_id(candidate)}{which}. Otherwise ignore this."
        )
    tools = f", for {', '.join(candidate.tools)}" if candidate.tools else ""
    place = candidate.place
    where = f"It applies {place}{tools} (--scope). " if place else ""
    return (
        f"{MARK}a standing rule? {quotation} If the user wants it in later sessions, "
        f"run: toolmem rule keep {_id(candidate)}. {where}{_TAIL}"
    )


def _fits(note: str) -> bool:
    return tokens.estimate_tokens(note) <= NOTE_TOKENS


def _id(candidate: NotedCandidate) -> str:
    return candidate.id[:ID_CHARS]


def _quoted(sentence: str, chars: int) -> str:
    line = visible(one_line(sentence)).replace('"', "'")
    if len(line) > chars:
        line = line[: chars - 1].rstrip() + "…"
    return f'"{line}"'
