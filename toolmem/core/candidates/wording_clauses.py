"""Read the clauses of a sentence: what it orders, and what it only says around that.

A frame ("it would be great if you …") asks and says nothing itself. A statement ("the
lockfile keeps changing") gives a reason, unless it limits or demands something.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise, zip_longest
from typing import NamedTuple

from toolmem.core.capture.relate.content import stem
from toolmem.core.capture.text.lists import phrases, word_list, word_lists
from toolmem.core.capture.text.masking import mask_message
from toolmem.core.capture.text.words import ENTITY, QUOTE, tokenize, word_set

IDLE = {stem(word) for word in word_list("wording idle")}
POINTERS = word_set("it that this them those these one ones they")
ROLES = {
    word: role for role, words in word_lists("wording role ").items() for word in words
}
PLACES = word_list("wording places")
"""Prepositions: what follows is neither demanded nor forbidden."""
NEGATIONS = word_list("wording negations")
DISLIKES = word_list("wording dislikes")
_SAME = {
    tuple(said.split()): tuple(plain.split())
    for said, _, plain in (phrase.partition(" >") for phrase in phrases("wording same"))
}
_LONGEST = max(map(len, _SAME))
_SUBJECTS = word_set("i we it that this there what my our one prefer")
_ASKING = word_set("i we do would really just also kindly very much rather")
_WANTS = word_set("want need like love expect wish prefer appreciate")
_WISHES = _WANTS | word_set("ask have")
_JOINTS = _WISHES | word_set("if that when for to think")
MODALS = word_set("should must shall will would could always")
_AIDES = word_set("can could would will may might")
_CHAT = word_list("wording opening")
_GREETS = word_list("wording chat") | _CHAT
_OPENERS = _CHAT - {"then"} | word_set("you we mind")
_OPENING_PAIRS = {
    ("that", "you"), ("that", "we"), ("are", "to"), ("have", "to"), ("need", "to")
}  # fmt: skip
_REASONS = word_set("because cuz otherwise")
_WHY = word_set("since as so cause")
_VERBS = word_list("wording verbs")
_LIMITS = word_list("wording limits")
"""Words that make a statement more than a reason."""
_DENIALS = word_set("always never")
_NEEDS = word_set("may need")
_RESTRICTS = word_set("only except possible permit other")
_LIKES = word_list("wording likes")
_OWN = word_set("last yesterday the a an my our your his her their that some most")
_SPEAKERS = word_list("wording speakers")
_ASKED = word_set("want need expect would")
PERSONS = word_set("me us you him her them it")
_FILLERS = word_set("really actually just honestly simply seriously definitely kindly")
_MARKS = "`'\"“”"
"""Marks around a literal: a shell lets an agent type only some of them."""
_MOST_FRAME = 16
"""Words of a frame up to its joint."""


class WordingClause(NamedTuple):
    """The words of a clause; ``optional`` ones only greet or give a ``reason``."""

    words: tuple[str, ...]
    optional: bool
    reason: bool = False


def plain_words(text: str) -> list[str]:
    """Return the words of a text, with one spelling for what says the same.

    Literals and names keep their spelling and begin with "=".
    """
    words = [
        f"={text[start:end].strip(_MARKS)}" if word in (ENTITY, QUOTE) else word
        for word, start, end in tokenize(mask_message(text).masked)
        if word not in _FILLERS
    ]
    plain: list[str] = []
    at = 0
    while at < len(words):
        size = next(
            (n for n in range(_LONGEST, 0, -1) if tuple(words[at : at + n]) in _SAME), 0
        )
        plain += _SAME[tuple(words[at : at + size])] if size else words[at : at + 1]
        at += size or 1
    return plain


def clauses_of(text: str) -> list[WordingClause]:
    """Return the clauses of a text without their frames."""
    parts = [part for part in _split(plain_words(text)) if part[1]]
    clauses = []
    for (opens, words), (follows, order) in zip_longest(
        parts, parts[1:], fillvalue=("", [])
    ):
        plain, changed = _without_frame(words)
        led = follows == "so" and not POINTERS & set(order)
        states = opens == "because" or is_statement(words) or (led and _explains(words))
        optional = states and not changed
        clauses.append(WordingClause(tuple(plain), optional, opens == "because"))
    return clauses


def _split(words: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield clauses, each with the punctuation or conjunction before it."""
    opens, clause = "", list[str]()
    for at, word in enumerate(words):
        after = words[at + 1] if at + 1 < len(words) else ""
        wishes = word == "i" and clause[:1] and clause[0] in ROLES and after in _ASKED
        reason = _gives_reason(word, after) and clause[-1:] != ["do"]
        if (
            wishes
            or reason
            or word == "so"
            or not (word[0].isalnum() or word[0] == "=")
        ):
            yield opens, clause
            opens, clause = "because" if reason else word, ["i"] * bool(wishes)
        else:
            clause.append(word)
    yield opens, clause


def _gives_reason(word: str, after: str) -> bool:
    """Return whether a conjunction opens a reason or a purpose."""
    if word == "so":
        return after in _OWN or after in ("that", "we", "it")
    opens = after in _SUBJECTS or after in _OWN or after in _VERBS
    return word in _REASONS or (word in _WHY and opens)


def _without_frame(words: list[str]) -> tuple[list[str], bool]:
    """Return a clause without the words that only ask, and whether it had some."""
    changed = False
    for _ in range(6):
        size, negates = _frame(words)
        if not size:
            break
        words = ["never"] * negates + words[size:]
        changed = changed or size > 1
    return words, changed


def _frame(words: Sequence[str]) -> tuple[int, bool]:
    """Return the number of words of a frame, and whether it negates the rest."""
    first, second = (*words[:2], "", "")[:2]
    if first in _AIDES and second in ("you", "we", "i"):
        return 2, False
    if first in ("you", "we") and second in MODALS:
        return (3 if words[2:3] == ["to"] else 2), False
    if first in _OPENERS or (first, second) in _OPENING_PAIRS:
        return 1, False
    if first in ("my", "our", "one", "what") and "is" in words[2:6]:
        end = words.index("is", 2) + 1
        while end < len(words) and words[end] in ("that", "to", "you", "for"):
            end += 1
        return end, False
    for at in range(1, min(len(words) - 1, _MOST_FRAME)):
        if words[at] in ("you", "we") and words[at - 1] in _JOINTS:
            return _joined(words, at)
        head = set(words[:at])
        if words[at] == "if" and "would" in head and first in _SUBJECTS | {"would"}:
            return _joined(words, at)
        if words[at] == "that" and at > 1 and head <= _GREETS | IDLE:
            return at + 1, False
    return _wish(words) if first in ("i", "we") else (0, False)


def _wish(words: Sequence[str]) -> tuple[int, bool]:
    """Return the head of a wish ("I really want"), unless it is a preference."""
    size = 1
    while size < len(words) and words[size] in _ASKING | _WANTS:
        size += 1
    wishes = set(words[:size]) & _WANTS
    if not wishes or size == len(words):
        return 0, False
    if words[size] == "to":
        return size + 1 + (words[size + 1 : size + 2] == ["be"]), False
    prefers = "prefer" in wishes or (wishes == {"like"} and "would" not in words)
    return (0 if prefers else size), False


def _joined(words: Sequence[str], end: int) -> tuple[int, bool]:
    """Return the size of a frame that ends at a joint, if it restricts nothing."""
    head = words[: end - (words[end - 1] in _JOINTS)]
    speaks = head and head[0] in _SUBJECTS | {"would"}
    if not head or not (speaks or set(head) <= _GREETS):
        return 0, False
    if any(word in ROLES or word in _RESTRICTS or word[0] == "=" for word in head):
        return 0, False
    if any(one in PLACES and stem(two) not in IDLE for one, two in pairwise(head)):
        return 0, False
    denials = sum(word in NEGATIONS for word in head) + bool(DISLIKES & set(head))
    end += words[end] in ("you", "we", "if")
    while end < len(words) and words[end] in _AIDES | {"to"}:
        end += 1
    return end, denials % 2 == 1


def _explains(words: Sequence[str]) -> bool:
    """Return whether the clause before "so" gives a reason, and limits nothing."""
    if any(word in _LIKES or word in ROLES or word in _RESTRICTS for word in words):
        return False
    if words[0] in _SPEAKERS or words[0] in _OWN or words[0] == "you":
        return True
    return any(word in _VERBS or word.endswith(("s", "ed")) for word in words[1:5])


def is_statement(clause: Sequence[str]) -> bool:
    """Return whether a clause only states something, and neither asks nor limits."""
    words = [word for word in clause if word not in _CHAT]
    if len(words) < 3:
        return words[:1] == ["thanks"] or set(clause) <= _GREETS
    first, second = words[:2]
    if first in ("thanks", "thank"):
        return True
    likes = bool(_LIKES & set(words))
    limits = _LIMITS & set(words)
    if (first, second) in (("i", "may"), ("i", "might")) and limits <= _NEEDS:
        return True
    if limits and not (limits <= _DENIALS and (likes or first in ("i", "it"))):
        return False
    if likes:
        return first in ("i", "we") and not PLACES & set(words)
    if first in _SPEAKERS:
        return second in _VERBS or second.endswith(("s", "d", "t")) or first == "i"
    if first in PLACES or first in ROLES or first in NEGATIONS:
        return False
    if second.endswith("s") and PERSONS & set(words[2:4]):
        return True
    start = 1 if first in _OWN else 0
    if start and len(words) > 3 and not PLACES & set(words):
        return True
    return any(
        word in _VERBS or (start > 0 and word.isalpha() and word.endswith(("s", "ed")))
        for word in words[start + 1 : start + 4]
    )
