"""Compare texts with ``contains``, ``glob`` and ``regex``, in linear time."""

import re
import unicodedata
from functools import lru_cache

from toolmem.core.patterns import automaton, regex
from toolmem.core.shell.words import Fit, has_gap
from toolmem.core.text.normal_form import normal_form

_PERCENT = re.compile(r"(?:%[0-9a-fA-F]{2})+")
_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212"), "-")
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_LONGER_BEFORE = re.compile(r"(?:\w|\w[.+-])\Z")
_STARTS = re.compile(r"(?:\\(?:[nrt]|u[0-9a-f]{4}|x[0-9a-f]{2})|(?<!\S)-[a-z])\Z")
"""Ends of what is before an address and no part of it: an escape, a short option."""
_BEFORE_CHARS = 6
_LONGER_AFTER = re.compile(r"[.-]?\w")
_SET = re.compile(r"\[(!|\^)?(\]?[^\]]*)\]")


def fold(text: str) -> str:
    """Normalise a text for guards: no case, plain compatibility forms, no invisible
    characters."""
    if text.isascii():
        return text.lower()
    visible = "".join(c for c in text if unicodedata.category(c) != "Cf")
    return normal_form("NFKC", visible).casefold()


def fold_marks(text: str) -> str:
    """Remove invisible characters and make dashes and letters plain."""
    visible = "".join(c for c in text if unicodedata.category(c) != "Cf")
    return normal_form("NFKC", visible).translate(_DASHES)


def percent_decoded(text: str) -> str:
    """Decode ``%40``; bytes that are not UTF-8 stay encoded."""
    return _PERCENT.sub(_decode_run, text) if "%" in text else text


def readings(text: str, *, shell: bool = False) -> tuple[str, ...]:
    """Return the ways to read a value: as it is, percent-decoded, and for a shell text
    without its quotes and backslashes."""
    folded = fold(text)
    found = [folded]
    if "%" in folded:
        found.append(fold(percent_decoded(text)))
    if shell and re.search(r"['\"\\]", folded):
        found.append(re.sub(r"\\\n|['\"\\]", "", folded))
    return tuple(found)


def fit_contains(texts: tuple[str, ...], wanted: str) -> Fit:
    """Return whether one of a value's readings contains a text, ignoring case.

    An e-mail address matches only as a whole one, not as a part of a longer address.
    """
    needle = fold(wanted)
    whole = _MAIL.fullmatch(needle) is not None
    best = Fit.NO
    for text in texts:
        if needle in text and (not whole or _has_address(text, needle)):
            return Fit.YES
        if has_gap(text):
            best = Fit.MAYBE
    return best


def _has_address(text: str, address: str) -> bool:
    at = text.find(address)
    while at >= 0:
        before = text[max(0, at - _BEFORE_CHARS) : at]
        longer = _LONGER_BEFORE.search(before) and not _STARTS.search(before)
        if not longer and not _LONGER_AFTER.match(text, at + len(address)):
            return True
        at = text.find(address, at + 1)
    return False


def fit_glob(texts: tuple[str, ...], wanted: str) -> Fit:
    """Return whether one of a value's readings matches a glob as a whole.

    ``*`` is any text, ``?`` one character, ``[ab]`` and ``[!ab]`` a set.
    """
    glob = fold(wanted)
    return max(fit_whole(text, glob) for text in texts)


def fit_whole(text: str, glob: str) -> Fit:
    """Match one text and a glob that are folded already."""
    return certainly(glob_automaton(glob).fit(text))


def fit_regex(text: str, wanted: str) -> Fit:
    """Return whether a regular expression occurs in a value, case-sensitively."""
    return certainly(regex_automaton(wanted).fit(text))


def certainly(fit: Fit | None) -> Fit:
    """Convert a match that is too expensive to decide to a possible one."""
    return Fit.MAYBE if fit is None else fit


@lru_cache(maxsize=1024)
def regex_automaton(text: str) -> "automaton.Automaton":
    """Return the automaton of a regular expression; ``ValueError`` if it is refused."""
    return regex.compile_regex(text)


@lru_cache(maxsize=1024)
def glob_automaton(text: str) -> "automaton.Automaton":
    """Return the automaton of a glob that must match a whole value."""
    parts: list[automaton.Pattern] = [automaton.Edge("A")]
    any_char = automaton.Chars(negated=True)
    at = 0
    while at < len(text):
        char = text[at]
        members = _SET.match(text, at)
        if char == "*":
            parts.append(automaton.Repeat(any_char, 0, None))
            at = len(text) - len(text[at:].lstrip("*"))
            continue
        if members:
            parts.append(char_set(members[2], negated=bool(members[1])))
            at = members.end()
            continue
        parts.append(any_char if char == "?" else automaton.Chars(frozenset(char)))
        at += 1
    whole = automaton.Sequence((*parts, automaton.Edge("Z")))
    return automaton.Automaton(whole)


def char_set(members: str, *, negated: bool, besides: str = "") -> "automaton.Chars":
    """Return the set of a glob's ``[…]``; ``besides``: further exclusions of a negated
    one."""
    ranges = re.findall(r"(.)-(.)", members, re.DOTALL)
    singles = re.sub(r".-.", "", members, flags=re.DOTALL)
    singles += besides if negated else ""
    return automaton.Chars(frozenset(singles), tuple(ranges), negated=negated)


def _decode_run(run: re.Match[str]) -> str:
    try:
        return bytes.fromhex(run[0].replace("%", "")).decode("utf-8")
    except UnicodeDecodeError:
        return run[0]
