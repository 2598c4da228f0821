"""Find credentials in sentences: a noun such as ``password``, and a word close to it.

``Never commit the password …`` has no ``=`` or ``:`` to go by. In a sentence with a
credential noun, a generated-looking word is the credential wherever it is close to the
noun; a word that looks like an invented password counts only where the grammar makes it
one (``the password is …``). The work is linear in the text.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from toolmem.core.secrets.nouns import Noun
from toolmem.core.secrets.values import Shape, is_code_name, is_commit, is_hex, shape_of

_OTHER_NOUN = re.compile(
    r"(?i)(?<![\w./@$%{<-])(?:(?P<password>credentials?|logins?(?=\s))"
    r"|(?P<token>jwt)|(?P<key>keys?))(?![\w/@(]|-[a-z]|\.\w)"
)
"""Nouns that give a value only in a sentence."""
NOUN_BEFORE, NOUN_AFTER = 100, 60
"""Characters from a word such as ``password`` to its value, and the other way."""
_WORD = r"[!-~]{6,}"
_SENTENCE_END = r"[.!?;]+(?=\s)|\n"
_STRIPPED = "\"'`()[]{}<>,;:"
_LINK = r"""(?ix)
    (?: (?<!\w) (?: is | was | are | were | be | been | to | from | with | as | equals?
      | named | use | take | try | first | still | now | answer | and | or | stays?
      | lautet | ist | est | es | è | e | é | war )
    | [:=–—/,(-] | -> | => )
    [\s"'`(]* \Z
"""
"""The end of a gap that makes the next word the noun's value."""
_LINK_BACK = (
    r"[\s\"'`),]*(?:(?:that|which)\s)?(?:(?:is|was|:|it's)\s)(?:[\w']+\s){0,3}\Z"
)
"""A gap that makes the word before the noun its value: ``is my …``."""
_TYPED = r"(?i)\b(?:type|enter|typing|entering|paste)\s[\"'`]?\Z"
_GLUE = r"[\s\"'`(:=,>—–-]*\Z"
"""A gap without a word: the value follows the noun directly."""
_NAMED_ID = r"""(?ix)
    \b (?: u?uid | guid | ids? | commit | rev (?:ision)? | sha\d* | digest | hash | md5
    | checksum | fingerprint | etag | branch | tag | build | version | ticket | issue
    | release | migration | page | room | host | file | column | class | function
    | method | profile | namespace | cluster | instance | image | request | name[ds]?
    | called | (?: public | primary | foreign | cache | sort | partition | object | s3
      | registry ) \s key s? )
    [\s"'`(:=]* (?: is \s )? [\s"'`(]* \Z
"""
"""Text before a word that makes it the name of something else."""


class _Noun(NamedTuple):
    """A credential noun; ``kind`` is ``password``, ``pin``, ``token`` or ``key``."""

    kind: str
    start: int
    end: int


class _Word(NamedTuple):
    """A word that may be a credential, in the text that it was read from."""

    text: str
    start: int
    end: int

    @property
    def value(self) -> str:
        """The word itself."""
        return self.text[self.start : self.end]


def spoken_credentials(text: str, found: Sequence[Noun]) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each credential that a sentence names."""
    named = [
        *(_Noun(*noun[:3]) for noun in found if noun.kind != "loose"),
        *(
            _Noun(match.lastgroup or "", *match.span())
            for match in _OTHER_NOUN.finditer(text)
        ),
    ]
    if not named:
        return
    named.sort(key=lambda noun: noun.start)
    ends = [match.end() for match in _compiled(_SENTENCE_END).finditer(text)]
    starts = [noun.start for noun in named]
    for match in _compiled(_WORD).finditer(text):
        before, after = _adjacent(named, starts, ends, match.start(), match.end())
        if before is None and after is None:
            continue
        word = _trimmed(text, match.start(), match.end())
        if len(word.value) >= 6 and _is_credential(word, before, after):
            yield word.start, word.end


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compile at first use: most texts need none of the patterns."""
    return re.compile(pattern)


def _adjacent(
    named: Sequence[_Noun],
    starts: Sequence[int],
    ends: Sequence[int],
    start: int,
    end: int,
) -> tuple[_Noun | None, _Noun | None]:
    """Return the last noun before a word and the first after it, in its sentence."""
    at = bisect_left(starts, start)
    before = named[at - 1] if at else None
    if before is not None and (
        start - before.end > NOUN_BEFORE
        or start < before.end
        or _apart(ends, before.end, start)
    ):
        before = None
    at = bisect_left(starts, end)
    after = named[at] if at < len(named) else None
    if after is not None and (
        after.start - end > NOUN_AFTER or _apart(ends, end, after.start)
    ):
        after = None
    return before, after


def _apart(ends: Sequence[int], start: int, end: int) -> bool:
    at = bisect_left(ends, start)
    return at < len(ends) and ends[at] <= end


def _trimmed(text: str, start: int, end: int) -> _Word:
    """Return a word without the quotes, brackets and stops around it."""
    while start < end and text[start] in _STRIPPED:
        start += 1
    while start < end and text[end - 1] in _STRIPPED + ".":
        end -= 1
    return _Word(text, start, end)


def _is_credential(word: _Word, before: _Noun | None, after: _Noun | None) -> bool:
    value = word.value
    shape = shape_of(value)
    if shape < Shape.INVENTED or is_commit(word.text, word.start, word.end):
        return False
    lead = word.text[max(0, word.start - 40) : word.start]
    if _compiled(_NAMED_ID).search(lead):
        return False
    linked = before is not None and _is_linked(word.text[before.end : word.start])
    kinds = {noun.kind for noun in (before, after) if noun}
    is_named = linked or (kinds != {"key"} and len(value) >= 10 and not is_hex(value))
    if shape is Shape.GENERATED:
        return is_named
    if before is not None and linked and len(value) >= 8:
        return before.kind == "password" and _is_invented(value)
    if after is None:
        return False
    gap = word.text[word.end : after.start]
    if after.kind == "password" and _compiled(_TYPED).search(lead):
        return _is_invented(value)
    return bool(_compiled(_LINK_BACK).match(gap)) and _is_invented(value)


def _is_linked(gap: str) -> bool:
    """Return whether the gap after a noun makes the next word its value."""
    tail = gap[-24:]
    return bool(_compiled(_GLUE).match(gap) or _compiled(_LINK).search(tail))


def _is_invented(value: str) -> bool:
    """Return whether a word looks like a password that a person made up."""
    return 1 < sum(map(str.isdigit, value)) < len(value) and not is_code_name(value)
