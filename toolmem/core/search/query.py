"""Parse a query into the words that matter, and weight them."""

from collections.abc import Iterable
from math import log
from typing import NamedTuple

from toolmem.core import search_limits
from toolmem.core.language.language import ENGLISH, Language
from toolmem.core.text.terms import asked_words


class ParsedQuery(NamedTuple):
    """Words of a query, each with its term in the language of the documents.

    ``cut`` if the text was too long.
    """

    text: str
    words: tuple[tuple[str, str], ...]
    cut: bool = False
    language: Language = ENGLISH


def parse_query(text: str, language: Language = ENGLISH) -> ParsedQuery:
    """Read a query as plain words, without any syntax."""
    head = text[: search_limits.QUERY_CHARS]
    asked = asked_words(head)
    words = [word for word in asked if word not in language.empty] or asked
    terms = distinct(words, language)
    return ParsedQuery(head, terms, len(text) > len(head), language)


def distinct(asked: Iterable[str], language: Language) -> tuple[tuple[str, str], ...]:
    """Return each word whose term is new, with its term, in order."""
    by_stem: dict[str, str] = {}
    for word in asked:
        by_stem.setdefault(language.stem_of(word), word)
    return tuple((word, stem) for stem, word in by_stem.items())


def rarity(documents: int, holding: int) -> float:
    """Return the idf of a term that ``holding`` of the documents contain."""
    return log(1 + (documents - holding + 0.5) / (holding + 0.5))
