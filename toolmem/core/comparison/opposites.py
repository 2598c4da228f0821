"""Opposite words and signs, words without content, and units: see ``words.txt``."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import permutations, product

from toolmem.core.language.language import ENGLISH
from toolmem.core.package_data import read_data

_SIDES = re.compile(r"\s:\s")
_DENYING = frozenset("un non non- dés".split())
_OF_VERBS = frozenset("de dé des dis dis- de-".split())
"""Prefixes that deny a verb, and mean something else before other words."""
_VERB = re.compile(
    r".{3,}(?:at[ei]|i[sz][ei]|if[iy]|compress|crypt|code|seriali[sz]|alloc|register"
    r"|reference|stabili[sz]|upl)\w*|activ\w+|connect\w*|verrou\w+|instal\w*|abilit\w+"
    r"|charg\w+|chiffr\w+|mont[eé]\w*|claim\w*|joint|similar|honest|trust|agree|continue"
)
_OF_ADJECTIVES = frozenset("in im il ir a".split())
_ADJECTIVE = re.compile(
    r".{2,}(?:[ai]ble|al|ar|ive|ous|[ae]nt|ate|[ae]ct|[du]re|ure|ite|id|plete|ormed"
    r"|metric|typical|chron\w*)"
)
_ROOT = 3
"""Letters of a word that a prefix turns into its opposite, more than."""
_INFLECTIONS = ("en", "er", "es", "em", "e", "s", "n")
"""Endings of adjectives in languages other than English."""


@cache
def section(name: str) -> tuple[str, ...]:
    """Return the lines of a section of the word list."""
    text = read_data("comparison/words.txt").decode("utf-8")
    start = text.index(f"[{name}]\n") + len(name) + 3
    return tuple(text[start:].partition("\n\n")[0].splitlines())


def _words(name: str) -> frozenset[str]:
    return frozenset(" ".join(section(name)).split())


NEGATIONS = _words("negations")
FILLERS = _words("fillers")
"""Words that are left out before two statements are compared."""
SOFT = _words("soft")
"""Words that a negation may replace, or bring with it."""
EVERYONE = _words("everyone")
VERBS = _words("verbs")
"""Common verbs, and those of other languages, before which a subject ends."""
COPULAS = _words("copulas")
CLAUSES = _words("clauses")
"""Words that begin a clause which is subordinate."""
NUMBERED = _words("numbered")
"""Things that a number after them names."""
PLACING = _words("placing") | COPULAS
"""Words after which a name says where something is, or who or what it is."""
SINGLE_OBJECT = _words("single object")
"""Verbs that a statement has one object of."""
OWNING = _words("owning")
"""Stems of verbs of which a statement has one subject."""
SINGULAR = _words("singular")
"""Words for a thing of which there is one."""
ARTICLES = _words("articles")
COMMUTATIVE = _words("commutative")
"""Words around which two things may change places."""
SYMMETRIC = _words("symmetric")
"""Stems of words that say of two things what they say of them in the other order."""
CALENDAR = _words("calendar")
OPENING = _words("opening")
"""Words that begin a phrase which may be at either end of a sentence."""
CIRCUMSTANCES = _words("circumstance")
"""Words after which a thing says where or when, not what."""
REASONS = _words("reason")
"""Words that begin an explanation at the end of a sentence."""
_NUMBER_WORDS = " ".join(section("numbers")).split()
NUMBERS = dict(zip(_NUMBER_WORDS[::2], _NUMBER_WORDS[1::2], strict=True))
UNITS = {
    name: (float(factor), dimension.strip("-"))
    for factor, dimension, *names in map(str.split, section("units"))
    for name in names
}
"""Each spelling of a unit to its factor and dimension."""
MEASURES = frozenset(
    phrase.strip() for row in section("measures") for phrase in row.split(" | ")
)
"""Verbs after which any word names the only one."""
PHRASES = {
    tuple(phrase.split()): tuple(meaning.split())
    for phrase, meaning in (line.split(" =", 1) for line in section("phrases"))
}
"""Words that say together what one word, or two, say."""
LONGEST_PHRASE = max(map(len, PHRASES))


@cache
def _pairs(name: str) -> frozenset[tuple[str, str]]:
    """Return the words or affixes that deny each other, both ways."""
    spoken = _stem if name in ("opposites", "things") else str
    pairs: set[tuple[str, str]] = set()
    for row in section(name):
        groups = [list(map(spoken, side.split())) for side in _SIDES.split(row)]
        for ours, theirs in permutations(groups, 2):
            pairs.update(product(ours, theirs))
    return frozenset(pairs)


def _stem(word: str) -> str:
    return ENGLISH.stem_of(word) if word.isalpha() else word


def are_things(one: str, other: str) -> bool:
    """Return True for nouns of opposite things: "client" and "server"."""
    return (_stem(one), _stem(other)) in _pairs("things")


def are_opposite(one: str, other: str) -> bool:
    """Return True for words or signs, in lower case, of which one denies the other."""
    if any(pair in _pairs("opposites") for pair in product(_forms(one), _forms(other))):
        return True
    if are_things(one, other):
        return True
    if _are_compared_opposites(one, other):
        return True
    pairs = (one, other), (_stem(one), _stem(other))
    return any(
        _is_denied(*sorted(pair, key=len)) or _are_formed_opposites(*pair)
        for pair in pairs
    )


def _forms(word: str) -> Iterator[str]:
    """Yield the stem of a word, and the word without endings of other languages."""
    yield _stem(word)
    yield word
    for ending in _INFLECTIONS:
        if word.endswith(ending) and len(word) > _ROOT + len(ending):
            yield _stem(word.removesuffix(ending))


def _are_compared_opposites(one: str, other: str) -> bool:
    """Return True for "louder" and "quieter", "newest" and "oldest"."""
    for ending in ("er", "est"):
        if one.endswith(ending) and other.endswith(ending):
            ours, theirs = (_positives(word, ending) for word in (one, other))
            return any(pair in _pairs("opposites") for pair in product(ours, theirs))
    return False


def _positives(word: str, ending: str) -> tuple[str, ...]:
    """Return the stems that a word with the ending of a comparison may have."""
    root = word.removesuffix(ending)
    if root.endswith("i"):
        return (_stem(f"{root[:-1]}y"),)
    return _stem(root), _stem(f"{root}e"), _stem(root[:-1])


def _is_denied(short: str, long: str) -> bool:
    """Return True for a word or option and the same one with a prefix that denies."""
    if long == short.replace("--", "--no-", 1):
        return True
    prefix = long.removesuffix(short)
    if len(short) <= _ROOT or prefix + short != long:
        return False
    of_adjective = prefix in _OF_ADJECTIVES and _ADJECTIVE.fullmatch(short)
    of_verb = prefix in _OF_VERBS and _VERB.fullmatch(short)
    return bool(prefix in _DENYING or of_adjective or of_verb)


def _are_formed_opposites(one: str, other: str) -> bool:
    """Return True for "upload" and "download", "caller" and "callee"."""
    return any(
        one.startswith(mine)
        and other.startswith(known)
        and len(one) > len(mine) + _ROOT
        and one[len(mine) :] == other[len(known) :]
        for mine, known in _pairs("prefixes")
    ) or any(
        one.endswith(mine)
        and other.endswith(known)
        and len(one) > len(mine) + _ROOT
        and one.removesuffix(mine) == other.removesuffix(known)
        for mine, known in _pairs("endings")
    )
