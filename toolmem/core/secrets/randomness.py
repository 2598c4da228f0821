"""Measures of how random a word looks: character pairs, classes and shape.

A word that a person chose (a name, an identifier) consists mostly of letter pairs that
are frequent in words. A generated one has rare pairs and many changes between letters,
digits and cases.
"""

import re
from itertools import pairwise

_COMMON = dict(
    row.split(":")
    for row in """
    a:bcdgiklmnprstuvwy b:aeilorsu c:acehiklortu d:adegiorsu e:acdefgilmnprstvwxy
    f:aefilortu g:aeghiorsu h:aeiotu i:abcdefglmnoprstv j:aou k:aeis l:adefilostuy
    m:aeimopu n:acdefgiknostuv o:abcdfgklmnoprstuvwy p:aehiloprstu q:u r:acdegikmnorstuy
    s:acehiklmopqstuwy t:acehilorstuwy u:bcegilmnprst v:aeio w:aehior x:aipt y:eops
    z:aeoz
    """.split()
)
"""The letter pairs that make up about nine tenths of those in English words."""

SYMBOLS = frozenset("!@#$%^&*+?~=")
"""Characters that passwords have and names have not."""

ODD_WORD, ODD_LONG_WORD = 0.5, 0.42
"""Share of unusual neighbours from which a word looks generated (see ``oddness``)."""

_PIECES = re.compile(r"[A-Za-z0-9]+")
_CLASSES = (re.compile("[a-z]"), re.compile("[A-Z]"), re.compile("[0-9]"))


def oddness(text: str) -> float:
    """Return the share of odd neighbours in a text, from 0 (words) to 1 (random).

    A pair of two digits or with a separator does not count; a capital after a small
    letter counts half, as in ``camelCase``, and so does a symbol inside a word.
    """
    odd = usual = 0.0
    for first, second in pairwise(text):
        weight, is_odd = _judge(first, second)
        odd += weight * is_odd
        usual += weight * (1 - is_odd)
    return odd / (odd + usual) if odd + usual else 0.0


def _judge(first: str, second: str) -> tuple[float, float]:
    if not (first.isalnum() and second.isalnum()):
        return (0.5, 1.0) if SYMBOLS & {first, second} else (0.0, 0.0)
    if first.isdigit() or second.isdigit():
        return (0.0, 0.0) if first.isdigit() == second.isdigit() else (1.0, 1.0)
    if first.islower() and second.isupper():
        return 0.5, 1.0
    usual = second.lower() in _COMMON.get(first.lower(), "")
    return 1.0, 0.0 if usual else 1.0


def classes(text: str) -> int:
    """Return how many of small letters, capitals and digits a text has."""
    return sum(bool(pattern.search(text)) for pattern in _CLASSES)


def longest_piece(text: str) -> str:
    """Return the longest run of letters and digits."""
    return max(_PIECES.findall(text), key=len, default="")
