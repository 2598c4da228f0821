"""Literals in the words of a rule: pieces of code, comments and markers."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from toolmem.core.guard.derivation.files import is_pathlike
from toolmem.core.guard.derivation.programs import ENGLISH, PROGRAMS
from toolmem.core.guard.derivation.reading.sentence import SPAN, Ban

_CODE_LIKE = re.compile(r"[.()@#$:;/\[\]{}!=<>_*\\&|%^~+]|[a-z][A-Z]|[^\x00-\x7f]")
_HYPHENED = re.compile(r"[a-z]+(?:-[a-z]+)+")
TRAILER = re.compile(r"[A-Z]\w+(?:-\w+)*-(?:[Bb]y|[A-Z]\w*)(?::.*)?")
_MARKERS = r"TODO|FIXME|XXX+|HACK|WIP|TBD|BUG|NOCOMMIT"
_IDIOMS = {
    "tab": ("\t",), "tabs": ("\t",), "tab characters": ("\t",),
    "lorem ipsum": ("lorem ipsum",), "select *": ("SELECT *",),
    "console logs": ("console.log",), "debugger statements": ("debugger",),
    "todos": ("TODO",), "fixmes": ("FIXME",), "em dashes": ("—",), "em-dashes": ("—",),
    "wildcard imports": ("import *",), "star imports": ("import *",),
    "print statements": ("print(",),
}  # fmt: skip
"""Literals that have a name."""
_IDIOM = "|".join(map(re.escape, sorted(_IDIOMS, key=len, reverse=True)))
_MARKED = (
    r"(?:\#|//|--|/\*|;;)\s?[\w@][\w@:-]*(?:\s+(?!(?:in|from|into|to|on|anywhere"
    r"|comments?|directives?|lines?|markers?|is|are|must|should|has|have|does|do"
    r"|please|or|and)\b)[\w:\[\]-]+)?"
)
_MENTION = re.compile(
    rf"(?P<code>{SPAN})|(?<![\w/.-])(?:(?P<idiom>(?i:{_IDIOM}))(?![\w-])"
    rf"|(?P<marked>{_MARKED})|(?P<marker>(?:{_MARKERS})(?![\w-]))"
    rf"|(?P<trailer>{TRAILER.pattern.partition('(?::')[0]})"
    r"|(?P<plain>(?P<bracket>\[[\w ]+\])|import\s+(?P<module>@?[\w-]+(?:[./][\w-]+)*)"
    r"|(?:using|as)\s+\w+\s+\w+;|(?!\()[^\s,]*(?:[^\s\w,'’-]|[a-z][A-Z]"
    r"|\w_\w)[^\s,]*(?:\s=(?=\s|$))?|[a-z]+(?:-[a-z]+)+(?=\s+(?:comments?|directives?"
    r"|annotations?|suppressions?|pragmas?)\b)))"
)
_JOINED = re.compile(
    r"(?i)\s*(?:,|/|\bor\b|\band\b|\bnor\b|…|\.\.\.)\s*(?:(?:specifically|especially"
    r"|the|any|use|a)\s+)*"
)
_IS_CODE = re.compile(r"[^\w\s'’-]|^[a-z]\w*[A-Z]|\w_\w|\s")
"""A bare word that is code: no name of a language or a product."""
_NOUN_NEXT = re.compile(
    r"\s+(?:comments?|directives?|annotations?|suppressions?|pragmas?)\b"
)
_SUFFIXES = frozenset(
    "env md txt json yml yaml toml lock py js ts go rs rb sh css html sql cfg ini csv"
    " pem key xml java kt tsx jsx".split()
)
_NO_MODULES = frozenset(
    "data it them anything everything things stuff files modules packages from".split()
)


class Mention(NamedTuple):
    """Literals of a clause that belong together, and their place in it.

    ``sure``: they are in code style, or have a name. ``is_idiom``: they have a name, or
    mark comments.
    """

    texts: tuple[str, ...]
    start: int
    end: int
    sure: bool
    is_module: bool = False
    is_idiom: bool = False


def mentions_in(text: Ban, words: str) -> Iterator[Mention]:
    """Yield the literals that a clause mentions, those of a list as one."""
    group: Mention | None = None
    for match in _MENTION.finditer(words):
        mention = _mention(text, match)
        if mention is None:
            continue
        joint = words[group.end : mention.start] if group else ""
        if group and _JOINED.fullmatch(joint) and mention.sure == group.sure:
            texts = (*group.texts, *mention.texts)
            group = mention._replace(texts=texts, start=group.start)
            continue
        if group:
            yield group
        group = mention
    if group:
        yield group


def _mention(text: Ban, match: re.Match[str]) -> Mention | None:
    start, end = match.span()
    if match["code"]:
        code = text.code(match["code"])
        is_marker = re.fullmatch(_MARKERS, code) is not None
        return Mention((code,), start, end, sure=True, is_idiom=is_marker)
    if match["idiom"]:
        texts = _IDIOMS[match["idiom"].lower()]
        return Mention(texts, start, end, sure=True, is_idiom=True)
    if match["module"]:
        if match["module"].lower() in _NO_MODULES:
            return None
        start = match.start("module")
        return Mention((match["module"],), start, end, sure=True, is_module=True)
    literal = match[0]
    if match["plain"] and not match["bracket"]:
        literal = re.sub(r"(?<=.)[.,:;!?]+$|(?<=\w)\)$", "", literal)
        if literal.count("(") < literal.count(")"):
            literal = literal.removesuffix(")")
        end = start + len(literal)
    is_named = _NOUN_NEXT.match(match.string, match.end())
    if match["plain"] and not (is_named or _IS_CODE.search(literal)):
        return None
    whole = literal[:1] != "(" and literal.strip("\"'“”‘’…-–—&*")
    return Mention((literal,), start, end, sure=False) if whole else None


def is_word(literal: str) -> bool:
    """Return True for a word that prose may have, too, and for white space."""
    if literal.isspace():
        return True
    return literal.isalpha() and (literal.islower() or literal.isupper())


def is_literal(text: str, *, sure: bool) -> bool:
    """Return True for a piece of code or of a message; False for a plain word, for a
    command and for a path."""
    words = text.split()
    first = words[0] if words else ""
    is_path = "/" in first and is_pathlike(text) and re.search("[A-Za-z]", text)
    if not first or first.startswith("~/") or (is_path and not text.startswith("//")):
        return False
    is_command = first in PROGRAMS and (len(words) > 1 or first not in ENGLISH)
    if first.startswith("-") or is_command:
        return False
    if (
        re.search(r"\.[a-z]{2,4}$", first)
        and len(words) == 1
        and first.rpartition(".")[2] in _SUFFIXES
    ):
        return False
    if len(words) > 1 and not _CODE_LIKE.search(text):
        return sure and len(words) <= 4
    if _HYPHENED.fullmatch(text) or TRAILER.fullmatch(text):
        return True
    return bool(_CODE_LIKE.search(text) or re.fullmatch(r"[A-Z]{3,}", text)) or (
        sure and text.isidentifier() and text not in PROGRAMS
    )


def shortened(literal: str) -> str:
    """Return a literal as it is found: a call with any arguments for ``eval()``."""
    if literal.endswith("()"):
        return literal.removesuffix(")")
    return literal.removesuffix(";") if literal[:-1].isidentifier() else literal
