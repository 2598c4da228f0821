"""Which decrees a message of a user holds.

The way of a message: ``spans`` masks what the user did not say, ``sentences``
and ``parts`` split the rest, ``reading``, ``shapes`` and ``statements`` find the
heads and shapes of decrees in each part, ``grading`` and ``lasting`` weigh them in
the company of the whole message, ``permission`` sees what is taken back,
``trimming`` cuts the rule out of it.

The grammar itself is data: ``bans``, ``mandates``, ``permits``, ``idioms``,
``openers`` and ``marks``, written in the notation of ``phrases``.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.capture.candidates import BAN, Candidate
from toolmem.core.capture.clauses import clause_end
from toolmem.core.capture.grading import Grade, grade
from toolmem.core.capture.lasting import forbids_work
from toolmem.core.capture.moods import adopts
from toolmem.core.capture.parts import Part, companies, listed_under, parts_of
from toolmem.core.capture.permission import read_permission
from toolmem.core.capture.reading import read
from toolmem.core.capture.smallwords import word_set
from toolmem.core.capture.spans import Prose, own_prose
from toolmem.core.capture.trimming import collapse, trim_end
from toolmem.core.capture.weighed import Company
from toolmem.core.capture.words import QUOTE, Token, tokenize

_CODE_AFTER = r":[ \t]*\n+[ \t]*```[^\n`]*\n([^\n`]{1,200})\n[ \t]*```"
"""A line of code that "Never run this:" speaks of."""
_CODE_CHARS = 300
_YIELDING = word_set("habit repeated contrast must whenever")
"""Shapes that "you can use sudo from now on" has as well: it permits."""
_SURE = Grade(0.85, True)
"""What a head of a list or an adopted quotation is worth."""


class Find(NamedTuple):
    """One decree: the rule's text, and its place in the message.

    ``text`` is the message from ``start`` to ``end`` on one line; before an item
    of a list headed "Never:" stands that head, and after "Never run this:" the
    line of code that follows. ``sentence`` is the whole sentence. ``effect`` is
    ``add``, or ``revoke`` or ``exception`` for what is taken back (``relate``
    tells from what). ``lasting`` is false for a decree about this one task.
    ``why`` names the group of the grammar that decided.
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
    """The decrees of one message of a user, in their order; never raises.

    A find at ``limits.CAPTURE_APPLY`` or above is sure, one at
    ``limits.CAPTURE_PROPOSE`` or above is plausible; there are none below.
    """
    prose = own_prose(message)
    parts = parts_of(prose)
    finds = (
        _find(prose, part, company)
        for part, company in zip(parts, companies(parts), strict=True)
    )
    return tuple(
        find for find in finds if find and find.confidence >= limits.CAPTURE_PROPOSE
    )


def _find(prose: Prose, part: Part, company: Company) -> Find | None:
    """What one part of a message rules or takes back."""
    if listed := _listed(prose, part):
        return listed
    best, candidate = _best(part, company)
    question = part.reading.mood == "question"
    taken_back = read_permission(part.reading.tokens, question)
    ruled = candidate and best.confidence >= limits.CAPTURE_APPLY
    if taken_back and not (ruled and candidate and candidate.group not in _YIELDING):
        weighed = Grade(taken_back.confidence, True)
        find = _cut(prose, part, BAN, weighed, taken_back.kind, taken_back.start)
        return find._replace(effect=taken_back.effect)
    if candidate is None or best.confidence < limits.CAPTURE_PROPOSE:
        return None if question else _adopted(prose, part)
    find = _cut(prose, part, candidate.polarity, best, candidate.group)
    if len(find.text) <= limits.RULE_CHARS:
        return find
    return _clause(prose, part, candidate, find)


def _best(part: Part, company: Company) -> tuple[Grade, Candidate | None]:
    """The candidate of a part that counts: the surest, of equals a ban.

    Where the work itself is forbidden, that says what the sentence is about.
    """
    graded = [
        (grade(one, part.reading, company, part.sentence.lead), one)
        for one in part.candidates
    ]
    off = [pair for pair in graded if forbids_work(part.reading.tokens, pair[1])]
    return max(
        off or graded,
        key=lambda pair: (pair[0].confidence, pair[1].polarity == BAN),
        default=(Grade(0.0, False), None),
    )


def _listed(prose: Prose, part: Part) -> Find | None:
    """An item of a list headed "Never:" or "Always:", with its head."""
    polarity = listed_under(part)
    own = any(one.sure > 0.6 and one.group != "announced" for one in part.candidates)
    if not polarity or own:
        return None
    find = _cut(prose, part, polarity, _SURE, "listed")
    return find._replace(text=f"{part.sentence.lead.capitalize()}: {find.text}")


def _adopted(prose: Prose, part: Part) -> Find | None:
    """A quotation that the user makes a rule of: "… is what I want you to follow"."""
    if not adopts(part.reading.tokens):
        return None
    for token in part.reading.tokens:
        if token.word == QUOTE:
            inner = read(_quoted(prose.text, token)).candidates
            best = max(inner, key=lambda one: one.sure, default=None)
            if best and best.sure >= limits.CAPTURE_PROPOSE:
                return _cut(prose, part, best.polarity, _SURE, "adopted")
    return None


def _quoted(text: str, token: Token) -> tuple[Token, ...]:
    return tokenize(own_prose(text[token.start + 1 : token.end - 1]).masked)


def _cut(
    prose: Prose,
    part: Part,
    polarity: str,
    graded: Grade,
    why: str,
    first: int | None = None,
) -> Find:
    """The find that a part is; ``first`` is a token that must not be cut off."""
    start = _start(prose, part, part.reading.tokens, first)
    piece = prose.text[start : part.end]
    start += len(piece) - len(piece.lstrip())
    end = start + trim_end(piece.strip())
    text = collapse(prose.text[start:end])
    after = prose.text[end - 1 :][:_CODE_CHARS]
    code = re.match(_CODE_AFTER, after) if text.endswith(":") else None
    if code:
        text, end = f"{text} `{code[1].strip()}`", end - 1 + code.end()
    return Find(
        text,
        part.sentence.text,
        start,
        end,
        polarity,
        graded.lasting,
        graded.confidence,
        why=why,
    )


def _clause(prose: Prose, part: Part, candidate: Candidate, find: Find) -> Find:
    """Only the clause of a decree, where its whole sentence is too long for a rule."""
    tokens = part.reading.tokens
    start = tokens[candidate.clause].start
    last = clause_end(tokens, candidate.action) - 1
    piece = prose.text[start : tokens[max(last, candidate.clause)].end]
    end = start + trim_end(piece)
    return find._replace(text=collapse(prose.text[start:end]), start=start, end=end)


def _start(prose: Prose, part: Part, tokens: Sequence[Token], first: int | None) -> int:
    """Where the rule begins: after the chaff, and with the emphasis before it."""
    last = len(tokens) - 1 if first is None else min(first, len(tokens) - 1)
    chaff = min(part.reading.opening.chaff, last)
    start = tokens[chaff].start
    while start > part.start and prose.text[start - 1] in "*_[":
        start -= 1
    return start
