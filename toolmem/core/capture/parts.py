"""Which parts of a message rule by themselves, and in what company each stands.

A part is a sentence, or a piece of it between semicolons if several of its
pieces rule; what rules nothing by itself goes with the piece before it.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from toolmem.core.capture.candidates import BAN, MANDATE, Candidate, Reading
from toolmem.core.capture.leads import announces_rules
from toolmem.core.capture.lexicon import BAN_LEADS, MANDATE_LEADS
from toolmem.core.capture.products import describes, orders_text
from toolmem.core.capture.reading import read
from toolmem.core.capture.sentences import Sentence, sentences_of
from toolmem.core.capture.shapes import shapes
from toolmem.core.capture.spans import Prose
from toolmem.core.capture.statements import statements
from toolmem.core.capture.weighed import WEAK, Company
from toolmem.core.capture.words import Token, tokenize

_MOST_TOKENS = 500
"""Words of a part that are read: what runs on longer than that rules nothing more."""
_HAMMERED = 60
"""Characters within which words are hammered in one by one, if they are."""


class Part(NamedTuple):
    """A part of a message, as it was read."""

    sentence: Sentence
    start: int
    end: int
    reading: Reading
    candidates: tuple[Candidate, ...]


def parts_of(prose: Prose) -> list[Part]:
    """The parts of a message, in their order."""
    return [part for one in sentences_of(prose) for part in _split(prose, one)]


def _split(prose: Prose, sentence: Sentence) -> Iterator[Part]:
    pieces = [
        piece
        for start, end in pairwise(_bounds(prose.masked, sentence))
        if (piece := _part(prose, sentence, start, end))
    ]
    ruling = sum(map(_rules, pieces))
    if ruling >= 2 or (len(pieces) == 2 and pieces[0].reading.mood == "chat"):
        yield from _together(prose, sentence, pieces)
    elif whole := _part(prose, sentence, sentence.start, sentence.end):
        yield whole


def _bounds(masked: str, sentence: Sentence) -> list[int]:
    bounds = [sentence.start]
    at = masked.find("; ", sentence.start, sentence.end)
    while at >= 0:
        bounds.append(at + 1)
        at = masked.find("; ", at + 1, sentence.end)
    return [*bounds, sentence.end]


def _rules(part: Part) -> bool:
    return any(one.sure >= WEAK and one.group != "contrast" for one in part.candidates)


def _together(
    prose: Prose, sentence: Sentence, pieces: Sequence[Part]
) -> Iterator[Part]:
    """The pieces, each with what follows it and rules nothing by itself."""
    start = pieces[0].start
    for piece, after in zip(pieces, (*pieces[1:], None), strict=True):
        if after and _rules(piece) and not _rules(after):
            continue
        if part := _part(prose, sentence, start, piece.end):
            yield part
        start = piece.end


def _part(prose: Prose, sentence: Sentence, start: int, end: int) -> Part | None:
    tokens = _tokens(prose, start, end)
    if not tokens:
        return None
    reading = read(tokens)
    if reading.mood == "question":
        return Part(sentence, start, end, reading, reading.candidates)
    opening = reading.opening
    found = (
        *reading.candidates,
        *shapes(tokens, sentence.kind, sentence.lead, opening),
        *statements(tokens, opening),
    )
    return Part(sentence, start, end, reading, found)


def _tokens(prose: Prose, start: int, end: int) -> tuple[Token, ...]:
    """The tokens of a part; in "NEVER. SKIP. TESTS." the stops mean nothing."""
    tokens = tokenize(prose.masked, start, end)[:_MOST_TOKENS]
    words = prose.text[start : min(end, start + _HAMMERED)].split()
    if len(words) > 1 and all(word.endswith((".", "!")) for word in words):
        return tuple(token for token in tokens if token.word not in (".", "!"))
    return tokens


def companies(parts: Sequence[Part]) -> list[Company]:
    """For each part whether another one asks something or sets a task."""
    moods = ["" if _rules_at_all(part) else part.reading.mood for part in parts]
    brief = any(map(_opens_brief, parts))
    tasks, questions = moods.count("task"), moods.count("question")
    of_product, of_text = _of_product(parts), _of_text(parts)
    found = []
    for at, mood in enumerate(moods):
        other_tasks = tasks - (mood == "task")
        others = other_tasks + questions - (mood == "question")
        alone = not others and not brief
        asked = not alone and not other_tasks
        found.append(Company(alone, brief, asked, at in of_product, at in of_text))
    return found


def listed_under(part: Part) -> str:
    """The polarity of the list that a part is an item of: "Never:", "Always:"."""
    if part.sentence.kind != "item":
        return ""
    lead = part.sentence.lead
    return BAN if lead in BAN_LEADS else MANDATE if lead in MANDATE_LEADS else ""


def _rules_at_all(part: Part) -> bool:
    return bool(listed_under(part)) or any(one.sure >= WEAK for one in part.candidates)


def _opens_brief(part: Part) -> bool:
    """ "Task: …", "Your task is …": the whole message is one piece of work."""
    words = [token.word for token in part.reading.tokens[:3]]
    if "feature" in words[:2] and words[-1] == ":":
        return True
    words = words[:2]
    if words[1:] == [":"]:
        return words[0] in ("task", "goal", "objective")
    return words[:1] == ["your"] and words[1:] in (["task"], ["goal"], ["job"])


def _of_product(parts: Sequence[Part]) -> set[int]:
    """The parts that go on with what a product does.

    That is what stands right behind a sentence about one, and the whole list of
    which an item is about one.
    """
    found: set[int] = set()
    about = False
    for at, part in enumerate(parts):
        said = describes(part.reading.tokens)
        if about and not said:
            found.add(at)
        about = said or (about and _rules_at_all(part))
    for items in _lists(parts):
        if any(describes(parts[at].reading.tokens) for at in items):
            found.update(items)
    return found


def _lists(parts: Sequence[Part]) -> Iterator[range]:
    """The items of each list without a heading of rules."""
    start = 0
    for at in range(len(parts) + 1):
        if at < len(parts) and parts[at].sentence.kind == "item":
            continue
        if at > start and not announces_rules(parts[start].sentence.lead):
            yield range(start, at)
        start = at + 1


def _of_text(parts: Sequence[Part]) -> set[int]:
    """The parts behind an order to write a text that others shall obey."""
    first = next(
        (at for at, one in enumerate(parts) if orders_text(one.reading.tokens)),
        len(parts),
    )
    return set(range(first + 1, len(parts)))
