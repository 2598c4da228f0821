"""What a reading of a sentence yields: the decrees that it may hold."""

from typing import NamedTuple

from toolmem.core.capture.openings import Opening
from toolmem.core.capture.words import Token

BAN, MANDATE = "ban", "mandate"


class Candidate(NamedTuple):
    """One head or shape of a decree, and the places of its clause and its verb.

    ``sure`` is what the head says by itself; ``mark`` is the mark or word before
    the clause; ``label`` tells that a strange label stands before it.
    """

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
    sentences that rule nothing, as the company of the others.
    """

    tokens: tuple[Token, ...]
    mood: str
    candidates: tuple[Candidate, ...]
    opening: Opening
