"""How a new find stands to the rules that are known already.

Rules and finds are compared by their content words (see ``content``).

*same*        the words are those of a known rule, up to one slip of the pen
*revokes*     a permission covers what a rule forbids, or a rule is named
*amends*      it covers only a part: the rule stays, an exception is proposed
*contradicts* the opposite of a known rule is ruled
*new*         none of these; *none* for a permission that meets no rule
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from toolmem.core.capture.candidates import BAN
from toolmem.core.capture.content import (
    Words,
    content_of,
    narrowed,
    parts_of_things,
    sequence,
    sides,
    spelled,
    words_of,
)
from toolmem.core.capture.decree import Find
from toolmem.core.capture.permission import RESTRICTING, Permission, read_permission
from toolmem.core.capture.phrases import is_gerund
from toolmem.core.capture.reading import read
from toolmem.core.capture.smallwords import word_set
from toolmem.core.capture.words import tokenize

_EXCEPTIONS = word_set("unless except excluding")
_CONCEDING = word_set("though however even")
_PRONOUNS = word_set("it that her him them this those")
_SLIP_LETTERS = 6
"""Shorter words are one slip away from too many others."""
_OF_ANY_KIND = word_set(
    "command dependency file folder library message package people person thing tool"
)
"""What a rule about any thing of a kind speaks of; one of them may be let off."""
_NEARLY_ALL = 0.6
"""Share of a rule's words from which a permission speaks of the same thing."""


class KnownRule(NamedTuple):
    """A rule in force: its id, tool and text; ``polarity`` where it is known."""

    id: str
    tool: str
    text: str
    polarity: str = ""


class Relation(NamedTuple):
    """How a find stands to known rules; if not ``sure``, propose and do not act."""

    kind: str
    ids: tuple[str, ...] = ()
    sure: bool = True


def relate(find: Find, rules: Sequence[KnownRule]) -> Relation:
    """Compare a find with the known rules of the same scope and tool."""
    if find.effect == "add":
        return _added(find, rules)
    permission = read_permission(words_of(find.text).tokens, question=False)
    if permission is None:
        return Relation("none")
    scope = _scope(words_of(find.text, ruling=permission.kind != "dropped"), permission)
    if permission.kind == "dropped":
        return _dropped(scope, rules)
    if permission.kind == "except":
        return _excepted(scope, rules)
    return _permitted(find, scope, rules)


# A rule that is added ----------------------------------------------------


def _added(find: Find, rules: Sequence[KnownRule]) -> Relation:
    new = sequence(find.text)
    for rule in rules:
        if _same(new, sequence(rule.text), find.text, rule.text):
            return Relation("same", (rule.id,))
    kernel = _without_exception(find.text)
    if kernel != find.text:
        core = sequence(kernel)
        for rule in rules:
            if _same(core, sequence(_without_exception(rule.text)), kernel, rule.text):
                return Relation("amends", (rule.id,), sure=False)
    against = tuple(rule.id for rule in rules if _contradicts(find, rule))
    return Relation("contradicts", against, sure=False) if against else Relation("new")


def _without_exception(text: str) -> str:
    for token in tokenize(text):
        if token.word in _EXCEPTIONS:
            return text[: token.start].rstrip(" ,;(")
    return text


def _same(new: Sequence[str], old: Sequence[str], new_text: str, old_text: str) -> bool:
    """Equal sequences, but for one slip of the pen in a long plain word."""
    if len(new) != len(old):
        return False
    pairs = zip(new, old, strict=True)
    different = [(a, b) for a, b in pairs if a.lower() != b.lower()]
    if not different:
        return True
    names = spelled(new_text) | spelled(old_text)
    return (
        len(different) == 1 and not names & set(different[0]) and _slip(*different[0])
    )


def _slip(one: str, other: str) -> bool:
    """Whether long words differ by a letter left out or doubled, or two swapped.

    A letter that was replaced makes another word too often (*latest*, *fastest*).
    """
    short, long = sorted((one, other), key=len)
    if len(short) < _SLIP_LETTERS or not (short.isalpha() and long.isalpha()):
        return False
    same = [a == b for a, b in zip(short, long, strict=False)]
    at = same.index(False) if False in same else len(short)
    if at == 0:
        return False
    if len(long) == len(short) + 1:
        return short[at:] == long[at + 1 :]
    swapped = short[:at] + short[at + 1 : at + 2] + short[at : at + 1] + short[at + 2 :]
    return len(long) == len(short) and swapped == long


def contradict(one: KnownRule, other: KnownRule) -> bool:
    """Whether one rule demands, in the main, what the other forbids."""
    demanded, forbidden = _sides(one)
    demanded_too, forbidden_too = _sides(other)
    return _meets(demanded, forbidden_too) or _meets(demanded_too, forbidden)


def _contradicts(find: Find, rule: KnownRule) -> bool:
    demanded, forbidden = sides(find.text)
    demanded_before, forbidden_before = _sides(rule)
    return _meets(demanded, forbidden_before) or _meets(demanded_before, forbidden)


def _sides(rule: KnownRule) -> tuple[frozenset[str], frozenset[str]]:
    """What a rule demands and forbids; its polarity decides where its words do not."""
    demanded, forbidden = sides(rule.text)
    if not forbidden and (rule.polarity or _polarity(rule.text)) == BAN:
        return frozenset(), demanded
    return demanded, forbidden


def _polarity(text: str) -> str:
    """What the grammar takes a rule's text for: "keep off …" is a ban, too."""
    candidates = read(words_of(text).tokens).candidates if text.strip() else ()
    best = max(candidates, key=lambda one: one.sure, default=None)
    return best.polarity if best else ""


def _meets(demanded: frozenset[str], forbidden: frozenset[str]) -> bool:
    """Whether what is demanded is, in the main, what is forbidden."""
    if not forbidden or not forbidden <= demanded:
        return False
    return len(demanded) <= len(forbidden) + 2


# A rule that is taken back -----------------------------------------------


class _Scope(NamedTuple):
    """What a permission is about, and what narrows it.

    ``waives``: a duty falls away; ``for_good``: it says so ("again").
    """

    core: frozenset[str]
    limits: frozenset[str]
    waives: bool
    for_good: bool


def _scope(words: Words, permission: Permission) -> _Scope:
    tokens = words.tokens
    core = set(words.among(permission.start, permission.topic))
    before = words.among(0, permission.start)
    limits = set() if permission.context else set(before)
    if permission.context and _PRONOUNS & {token.word for token in tokens}:
        core |= before
    narrowing = False
    for at in range(permission.topic, permission.end):
        word = tokens[at].word
        if word in RESTRICTING and core:
            narrowing = True
        (limits if narrowing else core).update(words.content[at])
    shown = {token.word for token in tokens}
    waives = permission.kind == "needless" or "without" in shown
    return _Scope(frozenset(core), frozenset(limits), waives, permission.for_good)


def _dropped(scope: _Scope, rules: Sequence[KnownRule]) -> Relation:
    """A rule that is named by what it is about."""
    topic = scope.core | scope.limits
    if not topic:
        only = tuple(rule.id for rule in rules) if len(rules) == 1 else ()
        return Relation("revokes", only, sure=False) if rules else Relation("none")
    best = _nearest(topic, rules)
    if not best:
        return Relation("none")
    count = len(topic & _broadly(best[0]))
    ids = tuple(rule.id for rule in best)
    sure = _say_the_same(best) and count * 2 >= len(topic)
    limits = scope.limits - _broadly(best[0])
    if limits and scope.core & _broadly(best[0]):
        return Relation("amends", ids, sure=False)
    return Relation("revokes", ids, sure)


def _nearest(topic: frozenset[str], rules: Iterable[KnownRule]) -> list[KnownRule]:
    """The rules that share most words with a topic."""
    counted = [(len(topic & _broadly(rule)), rule) for rule in rules]
    most = max((count for count, _ in counted), default=0)
    return [rule for count, rule in counted if count == most] if most else []


def _say_the_same(rules: Iterable[KnownRule]) -> bool:
    """Whether they are one decree: about several tools, a rule was made for each."""
    return len({sequence(rule.text) for rule in rules}) == 1


def _broadly(rule: KnownRule) -> frozenset[str]:
    return content_of(rule.text) | parts_of_things(rule.text)


def _excepted(scope: _Scope, rules: Sequence[KnownRule]) -> Relation:
    best = _nearest(scope.core | scope.limits, rules)
    if not best and len(rules) == 1:
        best = list(rules)
    if not best:
        return Relation("none")
    return Relation("amends", tuple(rule.id for rule in best), sure=False)


def _permitted(find: Find, scope: _Scope, rules: Sequence[KnownRule]) -> Relation:
    """An act that is allowed, or need not be done any more."""
    verdicts = {rule.id: _cover(scope, rule, find.text) for rule in rules}
    revoked = tuple(key for key, one in verdicts.items() if one.kind == "revokes")
    amended = tuple(key for key, one in verdicts.items() if one.kind == "amends")
    if revoked:
        sure = _say_the_same(rule for rule in rules if rule.id in revoked)
        return Relation("revokes", revoked, sure and verdicts[revoked[0]].sure)
    return Relation("amends", amended, sure=False) if amended else Relation("none")


def _cover(scope: _Scope, rule: KnownRule, text: str) -> Relation:
    """How a permission covers one rule."""
    forbidden = _sides(rule)[1]
    ruled = content_of(rule.text)
    scope = _below(scope, ruled)
    said = scope.core | scope.limits
    met, extra = scope.core & ruled, scope.core - ruled
    narrower = scope.limits - _broadly(rule)
    if (met and _concedes(text)) or (extra and forbidden and ruled <= said):
        return Relation("amends", sure=False)
    if extra and _waived(scope, rule):
        return Relation("amends" if narrower else "revokes", sure=False)
    if not met or not (forbidden & said or scope.waives):
        return Relation("none")
    if not extra:
        return _covered(scope, rule, ruled)
    if not extra - parts_of_things(rule.text):
        # "Sarah" may well be sarah@example.com: ask
        return Relation("amends" if narrower else "revokes", sure=False)
    if _carved_out(scope, rule, text):
        return Relation("amends", sure=False)
    if len(met) < 2 or len(extra) > 1 or extra & spelled(text):
        return Relation("none")
    return Relation("amends" if scope.limits - ruled else "revokes", sure=False)


def _concedes(text: str) -> bool:
    """ "You may book trains with it, though", "… even on weekends"."""
    return bool(_CONCEDING & {token.word for token in tokenize(text)})


def _carved_out(scope: _Scope, rule: KnownRule, text: str) -> bool:
    """Whether it allows one case of what is forbidden: that act, or one of a kind."""
    forbidden, ruled = _sides(rule)[1], content_of(rule.text)
    if forbidden and forbidden <= scope.core | scope.limits:
        return True
    if _first_act(text) & forbidden:
        return True
    return len(scope.core - ruled) == 1 and ruled - scope.core <= _OF_ANY_KIND


def _waived(scope: _Scope, rule: KnownRule) -> bool:
    """Whether a duty is named by parts of its things: "drop the clippy run"."""
    broad = _broadly(rule)
    beside = scope.core - broad - content_of("drop")
    return scope.waives and not beside and len((scope.core | scope.limits) & broad) > 1


def _first_act(text: str) -> frozenset[str]:
    """What is done by "posting release notes is fine"."""
    tokens = tokenize(text)
    if not tokens or not is_gerund(tokens[0].word):
        return frozenset()
    return words_of(text).among(0, 1)


def _below(scope: _Scope, ruled: frozenset[str]) -> _Scope:
    """The scope with what lies below a ruled folder as a limit to that folder."""
    parents = {
        thing: folder
        for thing in scope.core - ruled
        for folder in ruled
        if "/" in folder and thing.startswith(folder.rstrip("/") + "/")
    }
    core = (scope.core - set(parents)) | set(parents.values())
    return scope._replace(core=core, limits=scope.limits | set(parents))


def _covered(scope: _Scope, rule: KnownRule, ruled: frozenset[str]) -> Relation:
    """A permission for what a rule speaks of: for all of it, or with limits."""
    said = scope.core | scope.limits
    narrower = scope.limits - ruled
    share = len(said & ruled) / len(ruled)
    limits = narrowed(rule.text)
    elsewhere = bool(limits) and not limits & said and share < _NEARLY_ALL
    if elsewhere and not scope.waives and (narrower or not scope.for_good):
        return Relation("none")  # the rule is about another way to do the same
    if narrower:
        return Relation("amends", sure=False)
    return Relation("revokes", sure=share == 1 or (scope.for_good and share >= 0.5))
