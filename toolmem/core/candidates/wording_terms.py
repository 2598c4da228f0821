"""Read what a sentence demands as terms: words with their polarity and their role.

A frame ("it would be great if you …") asks and says nothing itself. A statement ("the
lockfile keeps changing") gives a reason. What is left are the terms of the order; a
term under a negation is negative, and one in a condition or an exception has the word
that opens it as its role.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from toolmem.core.capture.relate.content import stem
from toolmem.core.capture.text.lists import phrases, word_list, word_lists
from toolmem.core.capture.text.masking import mask_message
from toolmem.core.capture.text.words import ENTITY, QUOTE, tokenize, word_set

IDLE = {stem(word) for word in word_list("wording idle")}
POINTERS = word_set("it that this them those these one ones they")
_ROLES = {
    word: role
    for role, words in word_lists("wording role ").items()
    for word in words
}
_PLACES = word_list("wording places")
"""Prepositions: what follows is neither demanded nor forbidden."""
NEGATIONS = word_list("wording negations")
_DISLIKES = word_list("wording dislikes")
_SAME = {
    tuple(said.split()): tuple(plain.split())
    for said, _, plain in (one.partition(" >") for one in phrases("wording same"))
}
_LONGEST = max(map(len, _SAME))
_EVERY = word_set("every each any all always")
_SUBJECTS = word_set("i we it that this there what my our one prefer")
_ASKING = word_set("i we do would really just also kindly very much rather")
_WANTS = word_set("want need like love expect wish prefer appreciate")
_WISHES = _WANTS | word_set("ask have")
_JOINTS = _WISHES | word_set("if that when for to")
_MODALS = word_set("should must shall will would could always")
_AIDES = word_set("can could would will may might")
_CHAT = word_list("wording opening")
_GREETS = word_list("wording chat") | _CHAT
_OPENERS = _CHAT - {"then"} | word_set("you we")
_REASONS = word_set("because cuz otherwise")
_WHY = word_set("since as so cause")
_VERBS = word_list("wording verbs")
_LIMITS = word_list("wording limits")
"""Words that make a statement more than a reason."""
_DENIALS = word_set("always never")
_RESTRICTS = word_set("only except possible permit other")
_LIKES = word_set("like love hate dislike prefer tired sick fan stand")
_OWN = word_set("the a an my our your his her their that some most")
_SPEAKERS = word_set("i we it they he she nobody everyone this that")
_ASKED = word_set("want need expect would")
_PERSONS = word_set("me us you him her them it")
_AFTER_POINTER = word_set("too first way again either goes applies holds is as so out up off")
_FILLERS = word_set("really actually just honestly simply seriously definitely kindly")
_LOOSE = word_set("in on at for with by via about to as toward towards")
"""Prepositions that a wording may exchange."""
_MOST_FRAME = 16
"""Words of a frame up to its joint."""


class Term(NamedTuple):
    """A stem; ``negative`` is None where a preposition, ``place``, governs it."""

    word: str
    negative: bool | None
    role: str
    place: str = ""


POINTER = "it"
"""Word of a term that refers to something else."""


class Clause(NamedTuple):
    """The words of a clause; ``optional`` ones only greet or give a reason."""

    words: tuple[str, ...]
    optional: bool


def plain_words(text: str) -> list[str]:
    """Return the words of a text, with one spelling for what says the same.

    Literals and names keep their spelling and begin with "=".
    """
    words = [
        f"={text[start:end].strip('`')}" if word in (ENTITY, QUOTE) else word
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


def clauses_of(text: str) -> list[Clause]:
    """Return the clauses of a text without their frames."""
    parts = [one for one in _split(plain_words(text)) if one[1]]
    clauses = []
    for (opens, words), (follows, order) in zip_longest(parts, parts[1:], fillvalue=("", [])):
        plain, changed = _without_frame(words)
        led = follows == "so" and not POINTERS & set(order)
        states = opens == "because" or is_statement(words) or (led and _explains(words))
        clauses.append(Clause(tuple(plain), states and not changed))
    return clauses


def _split(words: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield clauses, each with the punctuation or conjunction before it."""
    opens, clause = "", list[str]()
    for at, word in enumerate(words):
        after = words[at + 1] if at + 1 < len(words) else ""
        wishes = word == "i" and clause[:1] and clause[0] in _ROLES and after in _ASKED
        breaks = wishes or word in _REASONS or (
            word in _WHY
            and (after in _SUBJECTS | _OWN | _VERBS or word == "so")
            and clause[-1:] != ["do"]
        )
        if breaks or not (word[0].isalnum() or word[0] in "=<"):
            yield opens, clause
            reason = breaks and not wishes and (word != "so" or after in _OWN | {"that", "we", "it"})
            opens, clause = "because" if reason else word, ["i"] * bool(wishes)
        else:
            clause.append(word)
    yield opens, clause


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
    if first in ("you", "we") and second in _MODALS:
        return (3 if words[2:3] == ["to"] else 2), False
    if first in _OPENERS or first == "mind" or (first == "that" and second in ("you", "we")) or (first in ("are", "have", "need") and second == "to"):
        return 1, False
    if first in ("my", "our", "one", "what") and "is" in words[2:6]:
        end = words.index("is", 2) + 1
        while end < len(words) and words[end] in ("that", "to", "you", "for"):
            end += 1
        return end, False
    for at in range(1, min(len(words) - 1, _MOST_FRAME)):
        if words[at] in ("you", "we") and words[at - 1] in _JOINTS:
            return _joined(words, at)
        if words[at] == "if" and "would" in words[:at] and first in _SUBJECTS:
            return _joined(words, at)
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
    if not head or head[0] not in _SUBJECTS and not set(head) <= _GREETS:
        return 0, False
    if any(one in _ROLES or one in _RESTRICTS or one[0] == "=" for one in head):
        return 0, False
    pairs = zip(head, head[1:], strict=False)
    if any(one in _PLACES and stem(two) not in IDLE for one, two in pairs):
        return 0, False
    denials = sum(one in NEGATIONS for one in head) + bool(_DISLIKES & set(head))
    end += words[end] in ("you", "we", "if")
    while end < len(words) and words[end] in _AIDES | {"to"}:
        end += 1
    return end, denials % 2 == 1


def _explains(words: Sequence[str]) -> bool:
    """Return whether the clause before "so" gives a reason, and limits nothing."""
    speaks = words[0] in _SPEAKERS or words[0] in _OWN or words[0] == "you"
    verbs = (word in _VERBS or word.endswith(("s", "ed")) for word in words[1:5])
    return (speaks or any(verbs)) and not (_LIKES | set(_ROLES) | _RESTRICTS) & set(words)


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
    if limits and not (limits <= _DENIALS and (likes or first in ("i", "it"))):
        return False
    if likes:
        return first in ("i", "we") and not _PLACES & set(words)
    if first in _SPEAKERS:
        return second in _VERBS or second.endswith(("s", "d", "t")) or first == "i"
    if first in _PLACES or first in _ROLES or first in NEGATIONS:
        return False
    if second.endswith("s") and _PERSONS & set(words[2:4]):
        return True
    start = 1 if first in _OWN else 0
    if start and len(words) > 3 and not _PLACES & set(words):
        return True
    return any(
        word in _VERBS or (start > 0 and word.isalpha() and word.endswith(("s", "ed")))
        for word in words[start + 1 : start + 4]
    )


def terms_of(clauses: Iterable[Clause]) -> list[Term]:
    """Return the terms of clauses, in their order."""
    parts = [clause.words for clause in clauses]
    terms = [list(_terms(words)) for words in parts]
    if parts and parts[-1] and parts[-1][0] in _ROLES:
        role = _ROLES[parts[-1][0]]
        terms[-1] = [
            one._replace(role=f"{role}?") if at > 1 and one.role == role else one
            for at, one in enumerate(terms[-1])
        ]
    return [term for part in terms for term in part]


def _terms(words: Sequence[str]) -> Iterator[Term]:
    prefers = bool({"prefer", "better"} & set(words))
    denied, role, place = words[-1:] == ("never",), "", ""
    lesser = False
    for at, word in enumerate(words):
        after = words[at + 1] if at + 1 < len(words) else ""
        if word == "no" and place:
            yield Term(word, None, role, place)
            continue
        leaves = word == "leave" and "out" in words[at:]
        if word in NEGATIONS or leaves or (word in _DISLIKES and words[0] in "iwe"):
            denied, place = not denied and after != "", ""
            role = "not" if after in _PLACES - {"to"} and not role else role
        elif word == "out" and "leave" in words[:at]:
            place = word
        elif _is_lesser(words, at, prefers):
            lesser, place = True, ""
        elif word in _ROLES:
            if not after:
                continue
            role, denied, lesser, place = _ROLES[word], False, False, ""
            if role not in ("when", "then"):
                yield Term(role, None, "")
        elif word in _MODALS or word in ("is", "are"):
            place = ""
        elif word == "but":
            denied, lesser, place = False, False, ""
        elif word in _PLACES and (word, after) != ("to", "be"):
            place = place if after in _PERSONS else word
            if word not in _LOOSE:
                yield Term(word, None, role)
        elif word in _EVERY:
            if denied and word not in ("any", "always"):
                yield Term(word, None, role)
        elif _carries(word, after, prefers):
            negative = None if place else denied != lesser
            points = word in POINTERS and (word != "this" or not after.isalpha())
            yield Term(POINTER if points else stem_of(word), negative, role, place)


def _is_lesser(words: Sequence[str], at: int, prefers: bool) -> bool:
    """Return whether a word opens what something else is preferred to."""
    word, before = words[at], words[at - 1] if at else ""
    if word == "than":
        other = before.endswith("er") or before in ("more", "less")
        return before in ("better", "rather") or not other
    if word == "instead":
        return "of" in words[at + 1 : at + 2]
    return prefers and word in ("over", "to")


def _carries(word: str, after: str, prefers: bool) -> bool:
    """Return whether a word says something, or refers to something."""
    if word in ("this", "these", "that", "those") and after.isalpha():
        refers = after in _AFTER_POINTER or after in _PLACES or after in _ROLES
        return refers or (word in ("this", "these") and stem(after) not in IDLE)
    if word in POINTERS:
        return True
    return not (word == "better" and prefers) and stem(word) not in IDLE


def stem_of(word: str) -> str:
    return word if word[0] == "=" else "-".join(map(stem, word.split("-")))
