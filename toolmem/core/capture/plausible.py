"""Whether the verb after a head lets it rule: "never again have I …" does not.

Each group of heads may have a test of its own; a group without one rules with
any verb that its phrases admit.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from toolmem.core.capture.lexicon import (
    AGENT_VERBS,
    COGNITION,
    IDIOM_VERBS,
    NO_NOUNS,
)
from toolmem.core.capture.phrases import is_participle
from toolmem.core.capture.smallwords import (
    AUXILIARIES,
    DETERMINERS,
    PREPOSITIONS,
    SUBJECTS,
    word_set,
)
from toolmem.core.capture.stems import stem
from toolmem.core.capture.words import ENTITY, QUOTE, Token

_SENSES = word_set(
    "see hear find read access understand tell remember get feel reproduce"
)
"""What one asks whether somebody can do it: "can you not read it?"."""
_FELT = word_set("see know seem need mean matter want hope wish")
"""What "never" tells of rather than forbids."""
_GOING_ON = word_set("running serving watching listening playing recording")
_PROCESSES = word_set(
    "server app application container process job service watcher simulator emulator"
    " game loop timer build script daemon video music"
)
"""What goes on by itself: to stop it is a step of the task."""
_FINITE = AUXILIARIES | word_set(
    "needed required necessary found exists exist left seems works worked yet there"
    " noticed came went happened"
)
_ENDS = word_set(", ; : . ( - – — unless without")


class _Verb(NamedTuple):
    """A head's words, its verb, and the word after that."""

    tokens: Sequence[Token]
    at: int
    action: int
    verb: str
    after: str

    def between(self) -> set[str]:
        return {token.word for token in self.tokens[self.at : self.action]}

    def first(self) -> str:
        return self.tokens[self.at].word


def plausible(tokens: Sequence[Token], group: str, at: int, action: int) -> bool:
    """Whether the head at a place rules, given the verb at ``action``."""
    verb = tokens[action].word if action < len(tokens) else ""
    after = tokens[action + 1].word if action + 1 < len(tokens) else ""
    if verb == "have" and (is_participle(after) or after == "been"):
        return False  # "we should never have merged that"
    test = _TESTS.get(group)
    return test is None or test(_Verb(tokens, at, action, verb, after))


def forbidden_noun(tokens: Sequence[Token], at: int) -> bool:
    """Whether "no" stands before a noun that is forbidden, not before a finding."""
    if at >= len(tokens) or tokens[at].word in NO_NOUNS | SUBJECTS:
        return False
    word = tokens[at].word
    if not (word[0].isalnum() or word in (ENTITY, QUOTE)):
        return False
    after_noun = False
    for token in tokens[at:]:
        if token.word in _ENDS:
            break
        if token.word in _FINITE or (token.word.endswith("ed") and after_noun):
            return False
        after_noun = token.word not in PREPOSITIONS | DETERMINERS
    return True


def _never(one: _Verb) -> bool:
    if one.verb in ("have", "be") and one.after in SUBJECTS:
        return False  # "never have I seen"
    if one.first() == "nobody" and one.at and one.tokens[one.at - 1].word == "so":
        return False  # "it broke, so nobody can push until …" tells
    if one.first() == "no":
        return forbidden_noun(one.tokens, one.action)
    return one.verb not in _FELT


def _stop(one: _Verb) -> bool:
    ahead = {token.word for token in one.tokens[one.action + 1 : one.action + 5]}
    return one.verb not in _GOING_ON or not ahead & _PROCESSES


def _polite(one: _Verb) -> bool:
    between = one.between()
    if "not" not in between or "please" in between or one.first() != "can":
        return True
    return one.verb not in _SENSES and not between & {"just", "simply", "also"}


def _acts(one: _Verb) -> bool:
    return one.verb not in COGNITION | IDIOM_VERBS | {"avoid"}


def _always(one: _Verb) -> bool:
    if one.verb == "tell" and one.after in ("me", "us"):
        return True
    return one.verb not in _SENSES or one.first() not in ("can", "could")


def _acted_by_me(one: _Verb) -> bool:
    """ "Nobody but me restarts pods", but not "nobody but me knows"."""
    return stem(one.verb) in AGENT_VERBS - COGNITION


_TESTS: dict[str, Callable[[_Verb], bool]] = {
    "never": _never,
    "can-not": lambda one: one.verb not in COGNITION | {"be", "find"},
    "should-not": lambda one: one.verb not in COGNITION,
    "must-not": lambda one: one.verb not in COGNITION,
    "don't": _acts,
    "wish-not": _acts,
    "let's-not": _acts,
    "make-sure-not": _acts,
    "stop": _stop,
    "polite-not": _polite,
    "only": lambda one: stem(one.verb) in AGENT_VERBS or one.verb == ENTITY,
    "prefer": lambda one: one.verb != "not",
    "ensure": lambda one: one.verb not in COGNITION,
    "always": _always,
    "nobody-but": _acted_by_me,
    "only-then": lambda one: not {"it", "this", "that"} & one.between(),
    "must": lambda one: one.verb not in ("have", "be", "do"),
}
