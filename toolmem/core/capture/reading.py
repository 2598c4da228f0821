"""Which heads of decrees a sentence holds, and what sentence it is.

A reading looks at one sentence alone. It finds the clauses, passes over what
may stand before a head, rules out questions, suppositions, idioms and reported
speech, and keeps each head with the place of its verb. How sure a candidate is,
and whether it holds for longer than the task, is for ``grading``.
"""

from collections.abc import Iterator, Sequence

from toolmem.core.capture.bans import BANS
from toolmem.core.capture.candidates import BAN, MANDATE, Candidate, Reading
from toolmem.core.capture.clauses import clause_starts, governed
from toolmem.core.capture.idioms import IDIOMS
from toolmem.core.capture.lexicon import TASK_VERBS
from toolmem.core.capture.mandates import MANDATES
from toolmem.core.capture.moods import (
    asks,
    asks_politely,
    reported,
    supposes,
    tag,
)
from toolmem.core.capture.openings import Opening, read_opening
from toolmem.core.capture.phrases import Table
from toolmem.core.capture.plausible import forbidden_noun, plausible
from toolmem.core.capture.smallwords import (
    AUXILIARIES,
    PUNCTUATION,
    SUBJECTS,
    word_set,
)
from toolmem.core.capture.words import Token

_BANS, _MANDATES, _IDIOMS = Table(BANS), Table(MANDATES), Table(IDIOMS)
_SUBORDINATE = word_set(
    "if when whenever before after while unless once for in on during every each any"
    " until as anytime with"
)
_MAKING = word_set(
    "create add write make update implement build draft generate design extend"
)
_MADE = word_set(
    "task test tests spec issue ticket page function script feature rule doc docs todo"
    " hook check validation option flag command section endpoint job workflow class"
    " component method prompt skill agent plan story bead note"
)
_CHECKED = word_set(
    "lint linter eslint ruff validation validator firewall test tests check checks"
    " schema constraint trigger message error warning label"
)


def read(tokens: tuple[Token, ...]) -> Reading:
    """Read one sentence."""
    opening = read_opening(tokens, 0)
    mood = _mood(tokens, opening.head)
    if supposes(tokens, opening.head) or opening.head >= len(tokens):
        return Reading(tokens, mood, (), opening)
    found = tuple(_candidates(tokens, opening.head, mood == "question"))
    return Reading(tokens, mood, found, opening)


def _mood(tokens: Sequence[Token], at: int) -> str:
    if at >= len(tokens) or all(not t.word[0].isalnum() for t in tokens[at:]):
        return "chat"
    if tokens[-1].word == "?" or asks(tokens, at):
        return "question"
    word = tokens[at].word
    if word in TASK_VERBS or (word == "let" and at + 1 < len(tokens)):
        return "task"
    words = [token.word for token in tokens[at : at + 4]]
    wishes = words[0] in ("i", "we") and {"want", "need", "like"} & set(words)
    return "task" if wishes else "statement"


def _candidates(
    tokens: Sequence[Token], first: int, question: bool
) -> Iterator[Candidate]:
    """Each head that fits at the beginning of a clause."""
    seen: set[int] = set()
    for start, mark in (*clause_starts(tokens), *_unmarked(tokens, first)):
        opening = read_opening(tokens, start)
        at = opening.head
        if at in seen or at >= len(tokens):
            continue
        seen.add(at)
        said = reported(tokens, start) if start else ""
        if said == "said" or (question and not _asked(tokens, start, at)):
            continue
        if governed(tokens, start, mark) or _made(tokens, first, start, mark):
            continue
        if at == first:
            yield from _no(tokens, opening, mark, said == "label")
        yield from _heads(tokens, opening, mark, said == "label")


def _made(tokens: Sequence[Token], first: int, start: int, mark: str) -> bool:
    """After "create a task to …," the rest is what the task shall say, and after
    "add a linter rule:" what the linter shall."""
    words = [token.word for token in tokens[first:start]]
    if not words or words[0] not in _MAKING:
        return False
    if mark == ":":
        return bool(_CHECKED & set(words[1:]))
    if mark != ",":
        return False
    return bool(_MADE & set(words[1:6])) and bool({"to", "that", "which"} & set(words))


def _unmarked(tokens: Sequence[Token], first: int) -> list[tuple[int, str]]:
    """Heads in the middle of "when you push never force", which has no comma."""
    if tokens[first].word not in _SUBORDINATE:
        return []
    found = []
    for at in range(first + 2, len(tokens) - 1):
        word, before = tokens[at].word, tokens[at - 1].word
        ruling = word in ("never", "always") or (
            word == "do" and tokens[at + 1].word == "not"
        )
        if ruling and before not in SUBJECTS | AUXILIARIES | {"you", "to", "that"}:
            found.append((at, "unmarked"))
    return found


def _asked(tokens: Sequence[Token], start: int, at: int) -> bool:
    """Whether a clause of a question is a polite command, or has a plea behind it."""
    if asks_politely(tokens, at):
        return True
    ending = tag(tokens)
    if ending == "plea":
        return not asks(tokens, at)
    if ending == "check" or start > 0:
        return False
    commas = [n for n in range(at, len(tokens)) if tokens[n].word in (",", "-", ";")]
    return any(asks(tokens, n + 1) for n in commas)


def _no(
    tokens: Sequence[Token], opening: Opening, mark: str, label: bool
) -> Iterator[Candidate]:
    """ "No emojis in commits", which has no verb; two bare words say less."""
    at = opening.head
    after = tokens[at + 1].word if at + 1 < len(tokens) else ""
    if tokens[at].word == "no" and after != "more" and forbidden_noun(tokens, at + 1):
        bare = all(token.word in PUNCTUATION for token in tokens[at + 2 :])
        sure = 0.6 if bare else 0.7
        yield Candidate("no", BAN, sure, at, at + 1, opening, mark, label)


def _heads(
    tokens: Sequence[Token], opening: Opening, mark: str, label: bool
) -> Iterator[Candidate]:
    at = opening.head
    if any(True for _ in _IDIOMS.at(tokens, at)):
        return
    for table, polarity in ((_BANS, BAN), (_MANDATES, MANDATE)):
        for group, _, action in table.at(tokens, at):
            if plausible(tokens, group, at, action):
                sure = float(table.groups[group])
                yield Candidate(group, polarity, sure, at, action, opening, mark, label)
