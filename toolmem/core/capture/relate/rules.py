"""Relation of a decree to the rules that are known already.

*same*        the text is that of a known rule (see ``comparison.same``)
*amends*      the known rule with an exception
*contradicts* the opposite of a known rule
*revokes*     a known rule is taken back
*new*         none of these; *none* for a taking-back without a known rule
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from toolmem.core.capture.relate.content import (
    content_of,
    content_words,
    parts_of_things,
    sides,
)
from toolmem.core.capture.text.lists import word_list
from toolmem.core.capture.text.words import tokenize, word_set
from toolmem.core.comparison.same import same_text

_EXCEPTIONS = word_set("unless except excluding")
_NARROWING = word_list("rules narrowing")
"""Words after which a permission is limited to a case."""
_FORBIDS = word_list("rules forbids")
_KEEP_OFF = word_set("off away")
_MOST_RELATED = 5


class KnownRule(NamedTuple):
    """A rule in force: its id, tool and text."""

    id: str
    tool: str
    text: str


class RuleRelation(NamedTuple):
    """Relation of a text to known rules; if not ``sure``, propose and do not act."""

    kind: str
    ids: tuple[str, ...] = ()
    sure: bool = True


def relate_new(text: str, rules: Sequence[KnownRule]) -> RuleRelation:
    """Compare the text of a new rule with the known rules of its scope and tool."""
    for rule in rules:
        if same_text(text, rule.text):
            return RuleRelation("same", (rule.id,))
    kernel = without_exception(text)
    if kernel != text:
        for rule in rules:
            if same_text(kernel, without_exception(rule.text)):
                return RuleRelation("amends", (rule.id,), sure=False)
    against = tuple(r.id for r in rules if contradict(KnownRule("", "", text), r))
    if against:
        return RuleRelation("contradicts", against, sure=False)
    return RuleRelation("new")


def without_exception(text: str) -> str:
    """Return a rule's text up to its exception, if it has one."""
    for token in tokenize(text):
        if token.word in _EXCEPTIONS:
            return text[: token.start].rstrip(" ,;(")
    return text


def contradict(one: KnownRule, other: KnownRule) -> bool:
    """Return whether one rule demands, in the main, what the other forbids."""
    demanded, forbidden = _sides(one)
    demanded_too, forbidden_too = _sides(other)
    return _conflicts(demanded, forbidden_too) or _conflicts(demanded_too, forbidden)


def _sides(rule: KnownRule) -> tuple[frozenset[str], frozenset[str]]:
    demanded, forbidden = sides(rule.text)
    if not forbidden and forbids(rule.text):
        return frozenset(), demanded
    return demanded, forbidden


def forbids(text: str) -> bool:
    """Return whether the text of a rule bans something, as "keep off …" does too."""
    words = [token.word for token in tokenize(text)]
    return bool(_FORBIDS & set(words)) or bool(
        words[:1] in (["keep"], ["stay"], ["hands"]) and _KEEP_OFF & set(words[1:3])
    )


def _conflicts(demanded: frozenset[str], forbidden: frozenset[str]) -> bool:
    if not forbidden or not forbidden <= demanded:
        return False
    return len(demanded) <= len(forbidden) + 2


# Rules that are taken back -------------------------------------------------


def relate_back(text: str, rules: Sequence[KnownRule]) -> RuleRelation:
    """Return the rules that a taking-back or an exception may concern.

    Sure only where one rule (or one text, for several tools) contains all that the
    text names and is limited by nothing that the rule does not say.
    """
    words = content_words(text, ruling=False)
    topic = words.among(0, len(words.tokens))
    if not topic:
        return RuleRelation("none")
    ranked = _ranked(topic, rules)
    if not ranked:
        return RuleRelation("none")
    share, best = ranked[0]
    first = [rule for count, rule in ranked if count == share]
    limited = _limited(text, best)
    one_text = all(same_text(best.text, rule.text) for rule in first)
    sure = one_text and topic <= _broad(best.text) and not limited
    others = tuple(rule.id for _, rule in ranked[:_MOST_RELATED])
    ids = tuple(rule.id for rule in first) if one_text else others
    return RuleRelation("amends" if limited else "revokes", ids, sure)


def _ranked(
    topic: frozenset[str], rules: Iterable[KnownRule]
) -> list[tuple[int, KnownRule]]:
    """Return the rules that share words with a topic, those that share most first."""
    counted = [(len(topic & _broad(rule.text)), rule) for rule in rules]
    met = [pair for pair in counted if pair[0]]
    return sorted(
        met, key=lambda pair: (-pair[0], len(content_of(pair[1].text)), pair[1].id)
    )


def _limited(text: str, rule: KnownRule) -> bool:
    """Return whether a permission mentions less than the rule: "… for docs"."""
    words = content_words(text, ruling=False)
    known = _broad(rule.text)
    narrowing = False
    for at, token in enumerate(words.tokens):
        if token.word in _NARROWING and at:
            narrowing = True
        elif narrowing and set(words.content[at]) - known:
            return True
    return False


def _broad(text: str) -> frozenset[str]:
    return content_of(text) | parts_of_things(text)
