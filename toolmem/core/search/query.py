"""Parse a query into the words that matter, and weight them."""

from collections.abc import Iterable
from math import log

from toolmem.core import limits
from toolmem.core.named_tuple import NamedTuple
from toolmem.core.search.terms import asked_words, stem_of

_EMPTY = """
    a about am an and any are as at be because been being between both but by
    can could d did do does doing don during each ever for from had has have
    having he her here hers herself him himself his how i if in into is it its
    itself just ll m me might more most must my myself no nor not of on once
    or other our ours ourselves please re s shall she should so some such t
    than that the their theirs them themselves then there these they this those
    through to too until us ve very want was we were what when where which
    while who whom whose why will with would you your yours yourself yourselves
"""
_EMPTY_WORDS = frozenset(_EMPTY.split())
"""Question words, pronouns, articles, auxiliaries and the like. Verbs such as "find"
are not in the list: they name tools.
"""


def is_empty_word(word: str) -> bool:
    """Return True for a word that says nothing of the subject."""
    return word in _EMPTY_WORDS


class ParsedQuery(NamedTuple):
    """Words of a query, each with its term; ``cut`` if the text was too long."""

    text: str
    words: tuple[tuple[str, str], ...]
    cut: bool = False


def parse_query(text: str) -> ParsedQuery:
    """Read a query as plain words, without any syntax."""
    head = text[: limits.QUERY_CHARS]
    found = asked_words(head)
    words = [word for word in found if word not in _EMPTY_WORDS] or found
    return ParsedQuery(head, distinct(words), len(text) > len(head))


def distinct(found: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return each word whose term is new, with its term, in order."""
    by_stem: dict[str, str] = {}
    for word in found:
        by_stem.setdefault(stem_of(word), word)
    return tuple((word, stem) for stem, word in by_stem.items())


def rarity(documents: int, holding: int) -> float:
    """Return the idf of a term that ``holding`` of the documents contain."""
    return log(1 + (documents - holding + 0.5) / (holding + 0.5))
