"""The class of a candidate by its characters: the first of its features."""

import re
from string import ascii_letters

from toolmem.core.secrets.randomness import SYMBOLS
from toolmem.core.secrets.shapes import TOKEN_START
from toolmem.core.secrets.values import (
    Shape,
    is_code_name,
    is_hex,
    is_noise,
    is_placeholder,
    is_uuid,
    shape_of,
)

INVENTED = frozenset(["tailed", "leet", "mixed", "symbols", "signed", "numbered"])
"""Classes of words with digits or signs that a person may have made up."""
WORDS = frozenset(["word", "short", "capitals", "name", "phrase"])
"""Classes of values that consist of words, or that a program may be called by."""
_CODE = re.compile(r"[(){}\[\]<>\\]|\w/|::|&&|=[^=]")
_NUMBER = re.compile(r"\d{4,8}#?|\d{2,5}(?:-\d{2,5}){1,3}")
_FIRST_WORD = re.compile(r"[^\W\d_]{2,}(?:[-'’][^\W\d_]+)*")
_MOST_SPACES = 7
_INNER_DIGIT = re.compile(r"[a-zA-Z]\d{1,2}[a-zA-Z]")
_MIXED = re.compile(r"[A-Z]|[a-z]\d{1,2}[a-z]")
"""Signs of a chosen value; ``web-01`` and ``step_2`` have none."""
_COMPOUND = re.compile(r"[a-z]+(?:-[a-z]+)*-[a-z]+(?:ing|ed)")
"""A description: ``over-counting``, ``read-restricted``."""


def kind_of(value: str, *, is_quoted: bool) -> str:
    """Return the class of a value, ``""`` if it cannot be one."""
    if is_noise(value):
        return "generated"
    if " " in value:
        is_few = is_quoted and value.count(" ") <= _MOST_SPACES
        is_text = is_few and not _CODE.search(value) and _FIRST_WORD.match(value)
        return "phrase" if is_text else ""
    if TOKEN_START.fullmatch(value) and not is_placeholder(value):
        return "generated"
    if _NUMBER.fullmatch(value):
        return "number"
    if len(value) == 3 and value.isalpha():
        return "short"
    shape = shape_of(value)
    if shape is Shape.GENERATED:
        return "generated"
    if shape is Shape.REFERENCE or value.endswith("=") or _CODE.search(value):
        return "uuid" if is_uuid(value) else ""
    if shape is Shape.NAMED:
        return "named"
    return _of_invented(value) if shape is Shape.INVENTED else _of_word(value)


def _of_invented(value: str) -> str:
    if is_hex(value):
        return "hex"
    if SYMBOLS & set(value):
        return "symbols"
    if not value.isalnum():
        return "signed" if _MIXED.search(value) else "numbered"
    if value.lstrip(ascii_letters).isdigit():
        return "tailed"
    return "leet" if _INNER_DIGIT.search(value) else "mixed"


def _of_word(value: str) -> str:
    if is_code_name(value):
        return "name"
    if value.isalpha():
        return "capitals" if value.isupper() else "word"
    return "" if _COMPOUND.fullmatch(value) else "joined"
