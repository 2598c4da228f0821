"""Which decrees a message of a user holds.

The way of a message: ``spans`` masks what the user did not say, ``sentences``
splits the rest, ``reading`` and ``shapes`` find the heads and shapes of decrees
in each sentence, ``grading`` weighs the best of them in the company of the
whole message, ``trimming`` cuts the rule out of it, ``permission`` sees what is
taken back. A find at ``limits.CAPTURE_APPLY`` or above is sure, one at
``limits.CAPTURE_PROPOSE`` or above is plausible, and there are none below.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.capture.grading import Company, Grade, forbids_work, grade
from toolmem.core.capture.lexicon import BAN_LEADS, MANDATE_LEADS
from toolmem.core.capture.moods import adopts
from toolmem.core.capture.permission import read_permission
from toolmem.core.capture.reading import BAN, MANDATE, Candidate, Reading, read
from toolmem.core.capture.sentences import Sentence, sentences_of
from toolmem.core.capture.shapes import shapes
from toolmem.core.capture.spans import Prose, own_prose
from toolmem.core.capture.trimming import collapse, trim_end
from toolmem.core.capture.words import QUOTE, tokenize


@dataclass(frozen=True, slots=True)
class Find:
    """One decree: the rule's text, and the message from ``start`` to ``end``.

    ``text`` is that piece of the message on one line (after ``lead`` and a
    colon where the head of a list says half of the rule). ``effect`` is ``add``,
    ``revoke`` or ``exception``; ``why`` names the group of the grammar.
    """

    text: str
    sentence: str
    start: int
    end: int
    polarity: str
    lasting: bool
    confidence: float
    effect: str = "add"
    why: str = ""


def find_decrees(message: str) -> tuple[Find, ...]:
    """The decrees of one message of a user, in their order."""
    prose = own_prose(message)
    parts = [part for one in sentences_of(prose) for part in _parts(prose, one)]
    companies = _companies(parts)
    finds = []
    for part, company in zip(parts, companies, strict=True):
        find = _find(prose, part, company)
        if find and find.confidence >= limits.CAPTURE_PROPOSE:
            finds.append(find)
    return tuple(finds)


class _Part(NamedTuple):
    """A sentence, or a piece of it between semicolons that rules by itself."""

    sentence: Sentence
    start: int
    end: int
    reading: Reading
    candidates: tuple[Candidate, ...]


def _parts(prose: Prose, sentence: Sentence) -> Iterator[_Part]:
    bounds = [sentence.start]
    at = prose.masked.find("; ", sentence.start, sentence.end)
    while at >= 0:
        bounds.append(at + 1)
        at = prose.masked.find("; ", at + 1, sentence.end)
    bounds.append(sentence.end)
    pieces = [
        piece
        for start, end in zip(bounds, bounds[1:], strict=False)
        if (piece := _part(prose, sentence, start, end))
    ]
    ruling = [piece for piece in pieces if _rules_alone(piece)]
    if len(ruling) >= 2 or (len(pieces) == 2 and pieces[0].reading.mood == "chat"):
        yield from _together(prose, sentence, pieces)
    elif whole := _part(prose, sentence, sentence.start, sentence.end):
        yield whole


def _rules_alone(part: _Part) -> bool:
    return any(one.sure >= 0.5 and one.group != "contrast" for one in part.candidates)


def _together(
    prose: Prose, sentence: Sentence, pieces: Sequence[_Part]
) -> Iterator[_Part]:
    """The pieces, each with what follows it and rules nothing by itself."""
    start = pieces[0].start
    for n, piece in enumerate(pieces):
        if n + 1 < len(pieces) and not _rules_alone(pieces[n + 1]) and _rules_alone(piece):
            continue
        end = piece.end
        if part := _part(prose, sentence, start, end):
            yield part
        start = end


def _part(prose: Prose, sentence: Sentence, start: int, end: int) -> _Part | None:
    tokens = tokenize(prose.masked, start, end)
    words = sentence.text.split()
    if len(words) > 1 and all(word.endswith((".", "!")) for word in words):
        tokens = tuple(token for token in tokens if token.word not in (".", "!"))
    if not tokens:
        return None
    reading = read(tokens)
    found = (
        *reading.candidates,
        *shapes(tokens, sentence.kind, sentence.lead, reading.mood == "question"),
    )
    return _Part(sentence, start, end, reading, found)


def _companies(parts: Sequence[_Part]) -> list[Company]:
    """For each sentence whether another one asks something or sets a task."""
    moods = [
        "" if max((one.sure for one in part.candidates), default=0) >= _WEAK
        else part.reading.mood
        for part in parts
    ]  # fmt: skip
    brief = any(_opens_brief(part) for part in parts)
    tasks, questions = moods.count("task"), moods.count("question")
    companies = []
    for mood in moods:
        other_tasks = tasks - (mood == "task")
        others = other_tasks + questions - (mood == "question")
        alone = not others and not brief
        companies.append(Company(alone, brief, not alone and not other_tasks))
    return companies


_WEAK = 0.5


def _opens_brief(part: _Part) -> bool:
    words = [token.word for token in part.reading.tokens[:4]]
    return words[:2] in (["task", ":"], ["goal", ":"], ["objective", ":"]) or (
        words[:1] == ["your"] and words[1:2] in (["task"], ["goal"], ["job"])
    )


def _find(prose: Prose, part: _Part, company: Company) -> Find | None:
    """The best candidate of a sentence, graded."""
    listed = _listed(prose, part)
    if listed:
        return listed
    graded = [(grade(one, part.reading, company, part.sentence.lead), one) for one in part.candidates]
    best, candidate = max(
        [pair for pair in graded if forbids_work(part.reading.tokens, pair[1])] or graded,
        key=lambda pair: (pair[0].confidence, pair[1].polarity == BAN),
        default=(_NOTHING, None),
    )
    taken_back = read_permission(part.reading.tokens, part.reading.mood == "question")
    ruled = best.confidence >= limits.CAPTURE_APPLY and candidate is not None
    if taken_back and not (ruled and candidate.group not in _YIELDING):
        weighed = Grade(taken_back.confidence, True)
        find = _cut(prose, part, BAN, weighed, taken_back.kind, taken_back.start)
        return replace(find, effect=taken_back.effect)
    if candidate is None or best.confidence < limits.CAPTURE_PROPOSE:
        return _adopted(prose, part)
    return _cut(prose, part, candidate.polarity, best, candidate.group)


def _adopted(prose: Prose, part: _Part) -> Find | None:
    """A quotation that the user makes a rule of: "… is what I want you to follow"."""
    tokens = part.reading.tokens
    if part.reading.mood == "question" or not adopts(tokens):
        return None
    for token in tokens:
        if token.word == QUOTE:
            said = prose.text[token.start + 1 : token.end - 1]
            inner = read(tokenize(own_prose(said).masked)).candidates
            best = max(inner, key=lambda one: one.sure, default=None)
            if best and best.sure >= limits.CAPTURE_PROPOSE:
                return _cut(prose, part, best.polarity, Grade(0.85, True), "adopted")
    return None


_CODE_AFTER = re.compile(r":[ \t]*\n+[ \t]*```[^\n`]*\n([^\n`]{1,200})\n[ \t]*```")
"""A line of code that "Never run this:" speaks of."""
_YIELDING = frozenset({"habit", "usual", "contrast", "must", "whenever"})
"""Shapes that "you can use sudo from now on" has as well: it permits."""
_NOTHING = Grade(0.0, False)


def _listed(prose: Prose, part: _Part) -> Find | None:
    """An item of a list headed "Never:" or "Always:", with its head."""
    lead = part.sentence.lead
    if part.sentence.kind != "item" or part.candidates and part.candidates[0].sure > 0.6:
        return None
    polarity = BAN if lead in BAN_LEADS else MANDATE if lead in MANDATE_LEADS else ""
    if not polarity:
        return None
    find = _cut(prose, part, polarity, Grade(0.85, True), "listed")
    return Find(
        f"{lead.capitalize()}: {find.text}", find.sentence, find.start, find.end,
        polarity, True, 0.85, "add", "listed",
    )  # fmt: skip


def _cut(
    prose: Prose, part: _Part, polarity: str, graded: Grade, why: str, first: int = 99
) -> Find:
    tokens = part.reading.tokens
    chaff = min(part.reading.opening.chaff, first, len(tokens) - 1)
    start = tokens[chaff].start
    if not chaff and not prose.text[part.start : start].strip(" \t*_(["):
        start = part.start
    piece = prose.text[start : part.end]
    start += len(piece) - len(piece.lstrip())
    end = start + trim_end(piece.strip())
    text = collapse(prose.text[start:end])
    code = _CODE_AFTER.match(prose.text, end - 1) if text.endswith(":") else None
    if code:
        text, end = f"{text} `{code[1].strip()}`", code.end()
    return Find(
        text, part.sentence.text, start, end,
        polarity, graded.lasting, graded.confidence, "add", why,
    )  # fmt: skip
