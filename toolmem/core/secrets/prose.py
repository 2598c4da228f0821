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

from toolmem.core.secrets.randomness import SYMBOLS
from toolmem.core.secrets.values import Shape, is_code_name, is_commit, is_hex, shape_of

_NOUN = r"""(?x)
    (?<![A-Za-z0-9_./@$%{<-])
    (?: (?P<password> (?i: passwords? | passwd | passphrases? | passcodes? | pwd | pw
        | pass (?= \s* [:=] ) | passwort | kennwort | mot[ ]de[ ]passe | contrase[nñ]a
        | senha | wachtwoord | пароль | credentials? | logins? (?= \s ) )
        | [A-Z][A-Z0-9_]{0,40} _ (?: PASS | PASSWORD | PASSWD | PWD ) )
      | (?P<token> (?i: tokens? | secrets? | jwt
        | (?: api | access | auth | secret | private | signing | encryption | account
          | master | storage | licen[sc]e | recovery | activation | unseal | backup
          | shared | deploy | session | hmac | webhook )
          [ _-]? (?: access [ _-]? )? (?: keys? | codes? ) )
        | [A-Z][A-Z0-9_]{0,40} _ (?: TOKEN | SECRET | KEY ) )
      | (?P<key> (?i: keys? ) ) )
    (?![A-Za-z0-9_/@(]|-[A-Za-z]|\.\w)
    | (?P<cjk> 密码|密碼|口令|令牌|密钥|パスワード|비밀번호|토큰 )
"""
_HAS_NOUN = (
    "pass pw token secret credential login key jwt kennwort contrase senha wachtwoord"
    " recovery code пароль 密 口令 令牌 パスワード 비밀번호 토큰"
).split()
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
_LINK_BACK = r"[\s\"'`),]*(?:(?:as|is|was|:|it's)\s)(?:[\w']+\s){0,3}\Z"
"""A gap that makes the word before the noun its value: ``as the …``, ``is my …``."""
_ENDS = re.compile(
    r"\s*(?:[.,;!?)]|\Z|\b(?:for|on|in|to|of|when|if|and|everywhere|only|until)\b)"
)
_AS_THE = re.compile(r"[\"'`]?\sas\s(?:(?:the|my|our|a|its)\s)?")
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
_PARTS = re.compile(r"[A-Za-z0-9]+(?:[-_.+][A-Za-z0-9]+){2,9}")


class _Noun(NamedTuple):
    """A credential noun; ``kind`` is ``password``, ``token`` or ``key``."""

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


def spoken_credentials(text: str, lowered: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each credential that a sentence names."""
    if not any(part in lowered for part in _HAS_NOUN):
        return
    nouns = [
        _Noun(match.lastgroup or "", match.start(), match.end())
        for match in _compiled(_NOUN).finditer(text)
    ]
    if not nouns:
        return
    ends = [match.end() for match in _compiled(_SENTENCE_END).finditer(text)]
    starts = [noun.start for noun in nouns]
    for match in _compiled(_WORD).finditer(text):
        before, after = _adjacent(nouns, starts, ends, match.start(), match.end())
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
    nouns: Sequence[_Noun],
    starts: Sequence[int],
    ends: Sequence[int],
    start: int,
    end: int,
) -> tuple[_Noun | None, _Noun | None]:
    """Return the last noun before a word and the first after it, in its sentence."""
    at = bisect_left(starts, start)
    before = nouns[at - 1] if at else None
    if before is not None and (
        start - before.end > NOUN_BEFORE
        or start < before.end
        or _apart(ends, before.end, start)
    ):
        before = None
    at = bisect_left(starts, end)
    after = nouns[at] if at < len(nouns) else None
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
        return before.kind in ("password", "cjk") and _is_invented(value)
    if after is None:
        return False
    gap = word.text[word.end : after.start]
    if after.kind == "password" and _AS_THE.fullmatch(gap):
        is_whole = _ENDS.match(word.text, after.end) is not None
        return is_whole and not is_code_name(value)
    return bool(_compiled(_LINK_BACK).match(gap)) and _is_invented(value)


def _is_linked(gap: str) -> bool:
    """Return whether the gap after a noun makes the next word its value."""
    tail = gap[-24:]
    return bool(_compiled(_GLUE).match(gap) or _compiled(_LINK).search(tail))


def _is_invented(value: str) -> bool:
    """Return whether a word looks like a password that a person made up."""
    digits = sum(char.isdigit() for char in value)
    if digits < 2 or digits == len(value) or not any(map(str.isalpha, value)):
        return False
    if SYMBOLS & set(value):
        return True
    if _PARTS.fullmatch(value):
        parts = re.split(r"[-_.+]", value)
        capital = {part[:1].isupper() for part in parts if part.isalpha()}
        return capital == {True, False} and any(map(str.isdigit, parts))
    return value.isalnum()
