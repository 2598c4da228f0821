"""Derive guards from settings, options and pieces of code that a ban names.

An option with a value is one of every program that has it. A piece of code after the
name of a program ("mongosh: never dropDatabase()") is what that program must not be
given.
"""

import re
from collections.abc import Iterator
from typing import Any

from toolmem.core.guard.derivation.objects.phrases import Phrase
from toolmem.core.guard.derivation.programs import PROGRAMS
from toolmem.core.guard.derivation.reading.sentence import Ban, is_code
from toolmem.core.guard.derivation.reading.words import ReadWord, words_of
from toolmem.core.shell.flags import FLAGS
from toolmem.core.shell.options import options_of

_SETTING = re.compile(r"[A-Z][A-Z0-9_]{2,}=[\w.,:/-]{0,40}")
_OPTION = re.compile(r"--[a-z][\w-]+(?:[ =][\w.:/-]+)?")
_LITERAL = re.compile(r"[A-Za-z_$][\w$.]*\(\)?|[A-Z]{4,}(?: [A-Z]+)*")
_PROGRAM_OF = {
    "mongo": ("mongosh", "mongo"), "redis": ("redis-cli",), "postgres": ("psql",),
    "mongosh": ("mongosh", "mongo"), "postgresql": ("psql",), "mariadb": ("mariadb",),
}  # fmt: skip
"""Names of services → the programs that work on them."""
_BEFORE = frozenset(
    """use set setting export skip bypass ignore pass passing call calling run running
    husky hooks the hook with by via an a any option flag ever with get around to
    disable commit touch issue send anything something commands any tests""".split()
)
_MOST_PROGRAMS = 6
_MOST_BEFORE = 5


def setting_phrase(ban: Ban) -> Phrase | None:
    """Return the tests for a setting, an option or a piece of code near the start."""
    for word in words_of(ban.text)[:_MOST_BEFORE]:
        text = ban.text[word.start : word.end]
        text = ban.code(text) if is_code(text) else text
        tables = tuple(_tables(ban, text))
        if tables:
            return Phrase(tables, word.end)
        if word.text not in _BEFORE and word.role not in "A,:":
            return None
    return None


def _tables(ban: Ban, text: str) -> Iterator[dict[str, Any]]:
    if _SETTING.fullmatch(text):
        start = r"(^|[;&|(]\s*|\bexport\s+|\benv\s+)(\w+=\S*\s+)*"
        regex = rf"{start}{re.escape(text)}(\s|;|&|$)"
        yield {"argument": ["command", "cmd", "script"], "regex": regex}
    elif _OPTION.fullmatch(text):
        if lines := list(_lines(text)):
            yield {"command": lines}
    elif _LITERAL.fullmatch(text):
        programs = list(_labelled(ban))
        if programs:
            literal = re.escape(text.rstrip("()"))
            regex = rf"(?i)(^|[^\w-]){literal}([^\w-]|$)"
            yield {"command": [[name] for name in programs], "regex": regex}


def _lines(text: str) -> Iterator[list[str]]:
    """Yield the commands that have an option, if few programs have it."""
    option, *value = re.split("[ =]", text)
    if not value:
        return
    keys = [key for key in FLAGS if option in options_of(key).spellings]
    owners = [key for key in keys if not any(key.startswith(f"{one} ") for one in keys)]
    if len({key.split()[0] for key in owners}) <= _MOST_PROGRAMS:
        yield from ([*key.split(), option, *value] for key in owners)


def _labelled(ban: Ban) -> Iterator[str]:
    """Yield the programs that a ban's sentence begins with: "redis: no FLUSHALL"."""
    label = words_of(ban.about)[:3]
    if not any(word.role in ":-(" or word.role == "i" for word in label):
        return
    yield from _programs(label)


def _programs(words: list[ReadWord]) -> Iterator[str]:
    for word in words:
        name = word.text.lower()
        if name in _PROGRAM_OF:
            yield from _PROGRAM_OF[name]
            return
        if name in PROGRAMS and re.fullmatch(r"[a-z][\w-]{2,}", name):
            yield name
            return
