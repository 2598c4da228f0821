"""Decide which words of a sentence or a setting are credentials.

A credential is a candidate close to a noun such as ``password`` whose features,
weighed and added, say that it is the noun's value and no statement about it.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from toolmem.core.language.empty_words import empty_words
from toolmem.core.package_data import read_data
from toolmem.core.secrets.candidates import PossibleValue, candidates
from toolmem.core.secrets.features import features, states
from toolmem.core.secrets.kinds import INVENTED, kind_of
from toolmem.core.secrets.nouns import Noun
from toolmem.core.secrets.values import is_commit, is_noise

FILE = "secrets/weights.txt"
BIAS = "bias"
_ASSIGN = re.compile(
    r"\\?(?:\[\])?[\"'`*\]]{0,3}[ \t]{0,4}(?::=|=>|=|:|>)[ \t]{0,4}[*@\\\"'`]{0,3}"
)
_LISTED = re.compile(r"[\"'`\s:=,(@\[\]]{0,8}(?:is\s)?[\"'`]?")
_IS = re.compile(r"[ \t]{1,4}(?:is|was)[ \t:]{1,4}[\"'`*]{0,3}")
_CERTAIN = frozenset(["generated", "symbols", "leet"])
"""Kinds of values that no one gives a password in words but its own."""
_LONGEST_GAP, _LEAST_LOOSE = 16, 20
_OPTION = re.compile(r"[ =][\"']?")
_ASKS = re.compile(r"\b(?:mysql|mariadb)[^\n|;&]{0,80}\Z")
"""Clients that ask for a password unless it is joined to its option."""
_ASSIGNED = {
    "password": INVENTED | {"generated", "hex"},
    "token": frozenset(["generated"]),
    "key": frozenset(["generated"]),
    "loose": frozenset(["generated", "mixed", "leet"]),
}
_NEXT_WORD = re.compile(
    r"[ -](?:[^\W\d_]{2,}|\d+)(?![\w(:/.])|[ -][^\W\d_]{2,}(?=\.(?:\s|\Z))"
)
_MOST_WORDS = 8
LEAST_SCORE = 0.85
"""A higher one flags fewer harmless sentences and misses more credentials."""


def spoken_credentials(text: str, nouns: Sequence[Noun]) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each value that a noun of the text has."""
    weights = _weights()
    for candidate in candidates(text, nouns):
        if not _is_assigned(text, candidate):
            names = features(text, candidate)
            score = weights[BIAS] + sum(weights.get(name, 0.0) for name in names)
            if not names or score <= LEAST_SCORE:
                continue
        yield candidate.start, _phrase_end(text, candidate.start, candidate.end)


def _is_assigned(text: str, candidate: PossibleValue) -> bool:
    """Return True for what no one writes behind ``=`` but a credential.

    That is a generated value, and letters with digits or signs for a password.
    """
    noun, start, end = candidate.before, candidate.start, candidate.end
    if noun is None or start - noun.end > _LONGEST_GAP or is_commit(text, start, end):
        return False
    kind = kind_of(text[start:end], is_quoted=candidate.is_quoted)
    takes_uuid = noun.is_api or (noun.kind == "token" and noun.is_option)
    if is_noise(text[start:end]) or (takes_uuid and kind == "uuid"):
        return _LISTED.fullmatch(text, noun.end, start) is not None
    assign = _OPTION if noun.is_option else _ASSIGN
    if kind not in _ASSIGNED.get(noun.kind, ()):
        return False
    if noun.kind == "key" and text[noun.start : noun.end] != "KEY":
        return False
    if noun.is_option and text[noun.end] == " " and _asks(text, noun.start):
        return False
    if (
        noun.kind == "password"
        and kind in _CERTAIN
        and _IS.fullmatch(text, noun.end, start)
    ):
        return True
    is_long = noun.kind != "loose" or end - start >= _LEAST_LOOSE
    return is_long and assign.fullmatch(text, noun.end, start) is not None


def _asks(text: str, option: int) -> bool:
    return _ASKS.search(text, max(0, option - 100), option) is not None


def _phrase_end(text: str, start: int, end: int) -> int:
    """Return the end of the words that begin with a plain one: ``correct horse``."""
    if not text[start:end].isalpha():
        return end
    for _ in range(_MOST_WORDS):
        match = _NEXT_WORD.match(text, end)
        if match is None or _ends_phrase(match[0][1:].lower()):
            break
        end = match.end()
    return end


def _ends_phrase(word: str) -> bool:
    return word in empty_words("en") or states(word)


@cache
def _weights() -> dict[str, float]:
    """Return the weights of the features, which the file has in hundredths."""
    parts = read_data(FILE).decode("utf-8").split()
    pairs = zip(parts[::2], parts[1::2], strict=True)
    return {name: int(weight) / 100 for name, weight in pairs}
