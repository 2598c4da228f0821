"""Where the clauses of a sentence begin and end, and whose clause each is.

A clause that goes on with the subject before it ("the bot reads the queue and
never answers") commands nobody.
"""

from collections.abc import Sequence

from toolmem.core.capture.lexicon import PROCESS_NOUNS, TASK_VERBS
from toolmem.core.capture.moods import asks
from toolmem.core.capture.phrases import is_base
from toolmem.core.capture.products import describes
from toolmem.core.capture.smallwords import (
    BREAKS,
    COORDINATORS,
    DETERMINERS,
    MODALS,
    SUBJECTS,
    word_set,
)
from toolmem.core.capture.words import ENTITY, Token

_MOST_CLAUSES = 48
"""Clauses of a sentence that are read: beyond them nobody lays down a rule."""


def clause_starts(tokens: Sequence[Token]) -> list[tuple[int, str]]:
    """Each place where a clause may begin, with the mark or word before it."""
    starts = [(0, "")]
    for at, token in enumerate(tokens[:-1]):
        word = token.word
        if word == "," and tokens[at + 1].word in COORDINATORS:
            continue
        if word in BREAKS:
            starts.append((at + 1, word))
        elif word in COORDINATORS:
            marked = at > 0 and tokens[at - 1].word in BREAKS
            starts.append((at + 1, word + "," if marked else word))
        elif word == "please" and at and tokens[at - 1].word not in ("you", "we", "i"):
            starts.append((at, "please"))
        if len(starts) >= _MOST_CLAUSES:
            break
    return starts


def governed(tokens: Sequence[Token], at: int, mark: str) -> bool:
    """Whether a coordinate clause goes on with somebody else's subject.

    ``at`` is where the clause begins, ``mark`` what stands before it.
    """
    if mark == ",":  # "the bot must only buy, never hold …"
        before = tokens[_clause_before(tokens, at) : at]
        return describes(before) or _of_thing([token.word for token in before])
    bare = mark.rstrip(",")
    if bare == "so" and tokens[0].word in ("it", "they") and len(tokens) > 1:
        return tokens[1].word in MODALS  # "it must be undone, so don't …"
    if bare not in COORDINATORS or (bare in ("so", "but") and mark.endswith(",")):
        return False
    if bare == "so":
        return False
    start = _clause_before(tokens, at)
    words = [token.word for token in tokens[start:at]]
    if not words or words[0] == "you":
        return False
    if asks(tokens, start):
        return words[0] not in ("can", "could", "would", "will")
    if MODALS & set(words) and words[0] not in ("if", "when", *MODALS):
        return True
    if words[0] in SUBJECTS or words[0] in DETERMINERS or words[0] in ("to", "this"):
        return True
    return not is_base(words[0]) and words[0] not in TASK_VERBS | {"let", "if", "when"}


def _of_thing(words: Sequence[str]) -> bool:
    """ "The default should be CSV": what a thing is, that is no work of the agent."""
    if not words or words[0] in SUBJECTS | {"you", "if", "when"}:
        return False
    return bool({"should", "must"} & set(words[1:4])) and not (
        PROCESS_NOUNS & set(words[:4])
    )


def _clause_before(tokens: Sequence[Token], at: int) -> int:
    """Where the clause begins that the coordinate clause at ``at`` goes on with."""
    start = 0
    for n in range(at - 2, 0, -1):
        if tokens[n - 1].word in (",", ";", ":", ".", "!", "?", "-", "–", "—"):
            first = tokens[n].word
            if first in SUBJECTS | DETERMINERS or is_base(first):
                start = n
                break
    while start < at and tokens[start].word in (*COORDINATORS, "please", "just", ","):
        start += 1
    return start


def clause_end(tokens: Sequence[Token], at: int) -> int:
    """Where what is said in a clause ends and its reason or another subject begins."""
    for n in range(at, len(tokens)):
        word = tokens[n].word
        after = tokens[n + 1].word if n + 1 < len(tokens) else ""
        if word in (";", "(", "—", "–", "-"):
            return n
        if word in ("because", "since", "otherwise") and n > at:
            return n
        if word == "," and (after in SUBJECTS or after in _NEW_CLAUSE):
            return n
    return len(tokens)


_NEW_CLAUSE = word_set(
    "it its that this thats because since as so but you tell just the there give"
    " explain show let help please ask"
)


def commands(tokens: Sequence[Token], at: int) -> bool:
    """Whether the clause at this place begins with the verb of a command."""
    if at >= len(tokens):
        return False
    word = tokens[at].word
    if word == "do" and at + 1 < len(tokens) and tokens[at + 1].word == "not":
        return False
    return word == ENTITY or (word in TASK_VERBS and is_base(word))
