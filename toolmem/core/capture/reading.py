"""Which decrees a sentence may hold: every head of the grammar that fits a clause.

A reading looks at one sentence alone. It finds the clauses, passes over what
may stand before a head, rules out questions, suppositions, idioms and reported
speech, and keeps each head with the place of its verb. How sure a candidate is,
and whether it holds for longer than the task, is for ``grading``.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from toolmem.core.capture.bans import BANS
from toolmem.core.capture.idioms import IDIOMS
from toolmem.core.capture.lexicon import (
    AGENT_VERBS,
    AUXILIARIES,
    COGNITION,
    DETERMINERS,
    NO_NOUNS,
    PREPOSITIONS,
    SUBJECTS,
    TASK_VERBS,
)
from toolmem.core.capture.mandates import MANDATES
from toolmem.core.capture.moods import (
    asks,
    clause_starts,
    governed,
    reported,
    supposes,
    tag,
)
from toolmem.core.capture.openings import Opening, read_opening
from toolmem.core.capture.phrases import Table, is_base, is_participle
from toolmem.core.capture.stems import stem
from toolmem.core.capture.words import ENTITY, Token

BAN, MANDATE = "ban", "mandate"
_BANS, _MANDATES, _IDIOMS = Table(BANS), Table(MANDATES), Table(IDIOMS)
SURE = {
    **{name: (BAN, float(sure)) for name, sure in _BANS.groups.items()},
    **{name: (MANDATE, float(sure)) for name, sure in _MANDATES.groups.items()},
}
"""Each group of heads with its polarity and sureness."""
_POLITE = frozenset(
    "can could would will may might do any mind is how did have if".split()
)
_SENSES = frozenset("see hear find read access understand tell remember get feel reproduce".split())
_SUBORDINATE = frozenset(
    "if when whenever before after while unless once for in on during every each any"
    " until as anytime with".split()
)
_FINITE = AUXILIARIES | frozenset(
    "needed required necessary found exists exist left seems works worked yet there"
    " exists anymore noticed came went happened".split()
)


class Candidate(NamedTuple):
    """One head in a sentence: its group, and where clause, head and verb stand."""

    group: str
    polarity: str
    sure: float
    clause: int
    action: int
    opening: Opening
    mark: str = ""
    label: bool = False


class Reading(NamedTuple):
    """A sentence as words: what it may rule, and what else it is.

    ``mood`` is ``question``, ``task``, ``chat`` or ``statement``; it counts for
    sentences without candidates, as the company of the others.
    """

    tokens: tuple[Token, ...]
    mood: str
    candidates: tuple[Candidate, ...]
    opening: Opening


def read(tokens: tuple[Token, ...]) -> Reading:
    """Read one sentence."""
    opening = read_opening(tokens, 0)
    mood = _mood(tokens, opening.head)
    if supposes(tokens, opening.head) or opening.head >= len(tokens):
        return Reading(tokens, mood, (), opening)
    found = tuple(_candidates(tokens, mood == "question"))
    return Reading(tokens, mood, found, opening)


def _mood(tokens: Sequence[Token], at: int) -> str:
    if at >= len(tokens) or all(not t.word[0].isalnum() for t in tokens[at:]):
        return "chat"
    if tokens[-1].word == "?" or asks(tokens, at):
        return "question"
    word = tokens[at].word
    if word in TASK_VERBS or (word == "let" and tokens[at + 1 : at + 2]):
        return "task"
    words = [token.word for token in tokens[at : at + 4]]
    wishes = words[0] in ("i", "we") and {"want", "need", "like"} & set(words)
    return "task" if wishes else "statement"


def _candidates(tokens: Sequence[Token], question: bool) -> Iterator[Candidate]:
    """Each head that fits at the beginning of a clause."""
    seen: set[int] = set()
    starts = clause_starts(tokens)
    if tokens[0].word in _SUBORDINATE or read_opening(tokens, 0).head < len(tokens):
        starts += _unmarked(tokens)
    for start, mark in starts:
        opening = read_opening(tokens, start)
        at = opening.head
        if at in seen or at >= len(tokens):
            continue
        seen.add(at)
        if question and not _allowed_in_question(tokens, start, at):
            continue
        said = reported(tokens, start) if start else ""
        if said == "said" or governed(tokens, start, mark):
            continue
        if start and _of_deliverable(tokens, start, mark):
            continue
        yield from _heads(tokens, at, opening, mark, said == "label")


def _of_deliverable(tokens: Sequence[Token], start: int, mark: str) -> bool:
    """After "create a task to …," the rest is what the task shall say."""
    at = read_opening(tokens, 0).head
    words = [token.word for token in tokens[at:start]]
    if mark != "," or words[:1] == [] or words[0] not in _MAKING:
        return False
    return bool(_MADE & set(words[1:6])) and bool({"to", "that", "which"} & set(words))


_MAKING = frozenset(
    "create add write make update implement build draft generate design extend".split()
)
_MADE = frozenset(
    "task test tests spec issue ticket page function script feature rule doc docs todo"
    " hook check validation option flag command section endpoint job workflow class"
    " component method prompt skill agent plan story bead note".split()
)


def _unmarked(tokens: Sequence[Token]) -> list[tuple[int, str]]:
    """Heads in the middle of "when you push never force", which has no comma."""
    first = read_opening(tokens, 0).head
    if first >= len(tokens) or tokens[first].word not in _SUBORDINATE:
        return []
    found = []
    for at in range(first + 3, len(tokens) - 1):
        word, before = tokens[at].word, tokens[at - 1].word
        ruling = word in ("never", "always") or (
            word == "do" and tokens[at + 1].word == "not"
        )
        if ruling and before not in SUBJECTS | AUXILIARIES | {"you", "to", "that"}:
            found.append((at, "unmarked"))
    return found


def _allowed_in_question(tokens: Sequence[Token], start: int, at: int) -> bool:
    """A question may be a polite command, or a command with a plea at its end."""
    if tokens[at].word in _POLITE and asks_politely(tokens, at):
        return True
    ending = tag(tokens)
    if ending == "plea":
        return not asks(tokens, at)
    if ending == "check" or start > 0:
        return False
    commas = [n for n in range(at, len(tokens)) if tokens[n].word in (",", "-", ";")]
    return any(asks(tokens, n + 1) for n in commas)


def asks_politely(tokens: Sequence[Token], at: int) -> bool:
    """Whether the words at this place can open a polite command."""
    after = tokens[at + 1].word if at + 1 < len(tokens) else ""
    return after in ("you", "we", "i", "chance", "not", "it", "about", "many", "please")


def _heads(
    tokens: Sequence[Token], at: int, opening: Opening, mark: str, label: bool
) -> Iterator[Candidate]:
    if any(True for _ in _IDIOMS.at(tokens, at)):
        return
    first = at == read_opening(tokens, 0).head
    more = at + 1 < len(tokens) and tokens[at + 1].word == "more"
    if tokens[at].word == "no" and first and not more and _bare_noun(tokens, at + 1):
        yield Candidate("no", BAN, 0.7, at, at + 1, opening, mark, label)
    for table in (_BANS, _MANDATES):
        for group, _, action in table.at(tokens, at):
            if _plausible(tokens, group, at, action):
                polarity, sure = SURE[group]
                yield Candidate(group, polarity, sure, at, action, opening, mark, label)


def _plausible(tokens: Sequence[Token], group: str, at: int, action: int) -> bool:
    """Whether the verb after a head lets it rule at all."""
    verb = tokens[action].word if action < len(tokens) else ""
    if verb == "have" and action + 1 < len(tokens):
        after = tokens[action + 1].word
        if is_participle(after) or after == "been":
            return False  # "we should never have merged that"
    if group == "don't":
        return verb not in COGNITION
    if group == "stop" and verb in _GOING_ON and action + 1 < len(tokens):
        return tokens[action + 1].word not in DETERMINERS
    if group == "never":
        return tokens[at].word != "no" or _bare_noun(tokens, action)
    if group == "polite-not":
        between = {token.word for token in tokens[at:action]}
        if "not" in between and "please" not in between and tokens[at].word == "can":
            return verb not in _SENSES and not between & {"just", "simply", "also"}
        return True
    if group == "only":
        return stem(verb) in AGENT_VERBS or verb == ENTITY
    if group == "prefer":
        return verb != "not"
    if group == "ensure":
        return verb not in COGNITION
    if group == "always" and tokens[at].word in ("can", "could"):
        return verb not in _SENSES
    if group in ("must", "always") and verb in ("have", "be", "do"):
        return group == "always"
    return True


_GOING_ON = frozenset("running serving watching listening playing recording".split())
"""What a process does: to stop it is a step of the task."""


def _bare_noun(tokens: Sequence[Token], at: int) -> bool:
    """Whether "no" stands before a noun that is forbidden, not before a finding."""
    if at >= len(tokens) or tokens[at].word in NO_NOUNS or tokens[at].word in SUBJECTS:
        return False
    word = tokens[at].word
    if not (word[0].isalnum() or word == ENTITY):
        return False
    after_noun = False
    for token in tokens[at:]:
        if token.word in (",", ";", ":", ".", "(", "-", "–", "—", "unless", "without"):
            break
        if token.word in _FINITE or (token.word.endswith("ed") and after_noun):
            return False
        after_noun = token.word not in PREPOSITIONS | DETERMINERS
    return True


def commands(tokens: Sequence[Token], at: int) -> bool:
    """Whether the clause at this place begins with the verb of a command."""
    if at >= len(tokens):
        return False
    word = tokens[at].word
    if word == "do" and at + 1 < len(tokens) and tokens[at + 1].word == "not":
        return False
    return word == ENTITY or (word in TASK_VERBS and is_base(word))
