"""Roles of the words of a statement: the thing that it is about, and what it says.

A few rules about the place of the verb, not a grammar of English. They only decide
whether two different statements are about the same thing.
"""

from collections.abc import Sequence

from toolmem.core.comparison.grammar import (
    AUXILIARIES,
    CHOOSING,
    CONDITIONS,
    DAYS_AND_MONTHS,
    DETERMINERS,
    EXCLUSIVE,
    FUNCTION_WORDS,
    GENERIC_SUBJECTS,
    IMPERATIVES,
    OPENING_CLAUSES,
    OPENING_PHRASES,
    PASTS,
    PREPOSITIONS,
    VERBS,
)
from toolmem.core.comparison.tokens import CODE, NEGATION, NUMBER, WORD, ComparedToken

WHICH = "which"
"""Words that name the thing that a statement is about."""
VERB = "verb"
VALUE = "value"
"""Words of the predicate."""
WHEN = "when"
"""Words that say when, or for what, a statement applies."""
Roles = list[str]
_LABEL_WORDS = 6
_PEOPLE = frozenset({"user", "team"})
_NARROWING = frozenset({"in", "on", "about"})
_ADVERBS = frozenset("always usually often must remember note never also".split())


def roles_of(tokens: Sequence[ComparedToken]) -> Roles:
    """Return the role of each token."""
    roles = [VALUE] * len(tokens)
    start = _after_opening(tokens, roles)
    start = _after_label(tokens, roles, start)
    while start < len(tokens) and (
        tokens[start].key in _ADVERBS or tokens[start].key == NEGATION
    ):
        start += 1
    if start >= len(tokens):
        return roles
    generic = _is_generic(tokens, start)
    if generic:
        start += 1
        while start < len(tokens) and _is_auxiliary(tokens[start]):
            start += 1
        if start >= len(tokens):
            return roles
    verb = None if generic else verb_place(tokens, start)
    if verb is None and (generic or _is_imperative(tokens, start)):
        _imperative(tokens, roles, start)
    elif verb is None:
        if roles[0] != WHICH:
            _label(tokens, roles, start)
    else:
        _sentence(tokens, roles, start, verb)
    return roles


def _is_generic(tokens: Sequence[ComparedToken], start: int) -> bool:
    """Return True if the subject does not identify a thing."""
    if tokens[start].key in GENERIC_SUBJECTS:
        return True
    after = tokens[start + 1] if start + 1 < len(tokens) else None
    spoken = after is not None and (_is_auxiliary(after) or after.key in VERBS)
    return tokens[start].key in _PEOPLE and spoken


def is_exclusive(tokens: Sequence[ComparedToken], roles: Roles) -> bool:
    """Return True if the statement's verb allows only one subject, such as an owner."""
    return any(
        token.key in EXCLUSIVE and role == VERB
        for token, role in zip(tokens, roles, strict=True)
    )


def _after_opening(tokens: Sequence[ComparedToken], roles: Roles) -> int:
    """Skip "To build the site, …" and "If it fails, …"."""
    first = tokens[0].key
    if first not in OPENING_PHRASES | OPENING_CLAUSES | DAYS_AND_MONTHS:
        return 0
    end = next((n for n, t in enumerate(tokens) if t.ends in (",", "，")), None)
    if end is None or end + 1 >= len(tokens):
        return 0
    role = WHEN if first in OPENING_CLAUSES else WHICH
    roles[: end + 1] = [role] * (end + 1)
    return end + 1


def _after_label(tokens: Sequence[ComparedToken], roles: Roles, start: int) -> int:
    for at in range(start, min(start + _LABEL_WORDS, len(tokens) - 1)):
        if tokens[at].ends in (":", "："):
            roles[start : at + 1] = [WHICH] * (at + 1 - start)
            return at + 1
    return start


def _is_auxiliary(token: ComparedToken) -> bool:
    return token.word in AUXILIARIES and token.kind == WORD


def verb_place(tokens: Sequence[ComparedToken], start: int) -> int | None:
    """Find the verb of a statement with a subject; None without one."""
    first = tokens[start]
    command = _is_imperative(tokens, start)
    loose: int | None = None
    for at in range(start + 1, len(tokens)):
        token, before = tokens[at], tokens[at - 1]
        if command and (token.word in PREPOSITIONS or before.ends):
            return None
        if _is_auxiliary(token):
            return at
        if command and at > start + 1:
            continue
        if token.kind != WORD or token.article or token.capital:
            continue
        if before.word in PREPOSITIONS and before is not first:
            continue
        if _is_verb_form(token, before, tokens[start:at]):
            return at
        if command:
            continue
        if loose is None and not start and _looks_like_verb(tokens, at):
            loose = at
    return loose


def _is_verb_form(
    token: ComparedToken, before: ComparedToken, subject: Sequence[ComparedToken]
) -> bool:
    if token.word in PASTS:
        return True
    if token.word == token.key:
        many = any(one.word != one.key for one in subject)
        return token.key in VERBS and (many or before.capital)
    return token.key in VERBS


def _looks_like_verb(tokens: Sequence[ComparedToken], at: int) -> bool:
    """Return True for an unknown word with a verb's ending, where one is possible."""
    token, before = tokens[at], tokens[at - 1]
    if token.word.endswith("ed"):
        return True
    if token.word == token.key or not token.word.endswith("s"):
        return False
    if before.word in DETERMINERS:
        return False
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    return (
        after is None
        or before.kind in (NUMBER, CODE)
        or (
            after.article
            or after.capital
            or after.kind != WORD
            or after.word in PREPOSITIONS
            or before.capital
            or not (after.word.endswith("s") or after.key in VERBS)
        )
    )


def _is_imperative(tokens: Sequence[ComparedToken], start: int) -> bool:
    first = tokens[start]
    return first.word in IMPERATIVES and not first.article and first.kind != CODE


def _imperative(tokens: Sequence[ComparedToken], roles: Roles, start: int) -> None:
    """Assign roles in ``VERB object preposition phrase …``."""
    roles[start] = VERB
    choosing = tokens[start].key in CHOOSING
    role = VALUE if choosing else WHICH
    for at in range(start + 1, len(tokens)):
        token = tokens[at]
        if token.word in PREPOSITIONS and token.kind == WORD:
            narrows = token.word in CONDITIONS or token.word in _NARROWING
            number = at + 1 < len(tokens) and tokens[at + 1].kind == NUMBER
            role = WHICH if choosing and narrows and not number else VALUE
        number = token.kind not in (WORD, CODE) and not choosing
        roles[at] = VALUE if number else role


def _label(tokens: Sequence[ComparedToken], roles: Roles, start: int) -> None:
    """Assign roles without a verb: the first words name the thing."""
    end = len(tokens) - 1
    for at in range(start + 1, len(tokens)):
        if tokens[at].word in PREPOSITIONS or tokens[at].kind == NUMBER:
            end = at
            break
    roles[start:end] = [WHICH] * (end - start)


def _sentence(
    tokens: Sequence[ComparedToken], roles: Roles, start: int, verb: int
) -> None:
    roles[start:verb] = [WHICH] * (verb - start)
    while verb + 1 < len(tokens) and _is_auxiliary(tokens[verb + 1]):
        verb += 1
    roles[verb] = VERB
    choosing = tokens[verb].key in CHOOSING
    role, objects = VALUE, 0
    for at in range(verb + 1, len(tokens)):
        token = tokens[at]
        if token.word in PREPOSITIONS and token.kind == WORD:
            role = _phrase_role(tokens, at, choosing) if objects else VALUE
        elif token.word not in FUNCTION_WORDS and token.key != NEGATION:
            objects += 1
        roles[at] = role


def _phrase_role(tokens: Sequence[ComparedToken], at: int, choosing: bool) -> str:
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    if tokens[at].word in CONDITIONS:
        number = after is not None and after.kind == NUMBER
        if number:
            return VALUE
        return WHICH if choosing and tokens[at].word == "for" else WHEN
    if tokens[at].word in ("on", "in") and after and after.key in DAYS_AND_MONTHS:
        return WHEN
    return VALUE
