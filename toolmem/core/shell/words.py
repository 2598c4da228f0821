"""Parsed shell commands: words, redirects, simple commands."""

import re
from collections.abc import Sequence
from enum import IntEnum
from itertools import pairwise
from typing import NamedTuple

from toolmem.core.shell.programs import program_name

GAP = "\0"
"""Represents text in a word that only the shell knows at run time."""
PLAIN_GAP = "\x01"
"""The same for text that is certainly not an option (a date, a branch, a path)."""
NAME_GAP = "\x05"
"""The same for a piece of one file name, without slashes: a file glob."""
UNSEEN_PIPE = "/dev/fd/63"
"""File name as which a process substitution is passed."""
PIPES = ("|", "|&")
"""Operators that hand the output of a command to the next one."""
_GAPS = re.compile(f"[{GAP}{PLAIN_GAP}{NAME_GAP}]")


class Fit(IntEnum):
    """Certainty of a match; ``MAYBE`` requires a gap to have the right text."""

    NO = 0
    MAYBE = 1
    YES = 2


class Word(NamedTuple):
    """One word as the program gets it.

    ``text`` has gaps where it is unknown, ``many`` means that it may become several
    words or none, ``shape`` is the text with file globs as gaps without slashes.
    """

    text: str
    many: bool = False
    shape: str = ""

    @property
    def known(self) -> bool:
        """True if every character is known."""
        return not has_gap(self.text)


class Redirect(NamedTuple):
    """A file that a command reads or writes: ``>``, ``>>``, ``<``, …"""

    operator: str
    target: Word


class SimpleCommand(NamedTuple):
    """One program call; ``outer`` has the words of the wrappers around it, outermost
    first.

    ``stdin`` is the input from a here-document, a here-string or a constant pipe;
    ``argv`` is empty for the redirects of a group. ``settings`` are the variables of
    its environment, and git's settings that the text makes; ``unsure``: it may or may
    not run; ``equal``: another one has its effect. ``operator`` joins it to the
    previous command (``&&``, ``|``, ``(``, a line end …); ``substituted``: another
    command gets its output as words or as a file.
    """

    argv: tuple[Word, ...]
    redirects: tuple[Redirect, ...] = ()
    outer: tuple[tuple[Word, ...], ...] = ()
    stdin: str = ""
    settings: tuple[tuple[str, str], ...] = ()
    unsure: bool = False
    equal: bool = False
    operator: str = ""
    substituted: bool = False

    @property
    def via(self) -> tuple[str, ...]:
        """Names of the wrappers around it, outermost first."""
        return tuple(program_name(words[0].text) for words in self.outer)


class ShellCommand(NamedTuple):
    """Every simple command of a shell text, and the parts that could not be read.

    ``complete`` is false if the syntax was not understood (for ``reason``). ``opaque``
    describes code that runs but is not in the text; ``code`` has the programs in other
    languages, ``inert`` those that run no other program.
    """

    text: str
    commands: tuple[SimpleCommand, ...]
    complete: bool = True
    reason: str = ""
    opaque: str = ""
    code: tuple[str, ...] = ()
    inert: tuple[str, ...] = ()


def fit_text(text: str, wanted: str) -> Fit:
    """Return whether a word's text, gaps included, is the wanted string."""
    if not has_gap(text):
        return Fit.YES if text == wanted else Fit.NO
    if text[0] == PLAIN_GAP and wanted.startswith("-"):
        return Fit.NO
    head, *middle, tail = _GAPS.split(text)
    if len(head) + len(tail) > len(wanted):
        return Fit.NO
    if not (wanted.startswith(head) and wanted.endswith(tail)):
        return Fit.NO
    at, end = len(head), len(wanted) - len(tail)
    for piece in middle:
        found = wanted.find(piece, at, end)
        if found < 0:
            return Fit.NO
        at = found + len(piece)
    return Fit.MAYBE


def has_gap(text: str) -> bool:
    """Return True if a part of the text is unknown."""
    return GAP in text or PLAIN_GAP in text or NAME_GAP in text


def fill_gaps(text: str, filling: str) -> str:
    """Replace every unknown part of a text."""
    return _GAPS.sub(filling, text) if has_gap(text) else text


def before_gap(text: str) -> str:
    """Return the text before its first unknown part."""
    return _GAPS.split(text, maxsplit=1)[0]


def starts_with_gap(text: str) -> bool:
    """Return True if the text may begin with anything, an option's dash included."""
    return text.startswith(GAP)


def new_path(words: Sequence[Word]) -> str:
    """Return a path like the one that ``mktemp`` prints, of a file that is new."""
    folder, template = "/tmp", "tmp.XXXXXXXXXX"
    texts = [word.text for word in words[1:]]
    for before, text in pairwise(["", *texts]):
        if before == "-p":
            folder = text
        elif text.startswith("--tmpdir="):
            folder = text.partition("=")[2]
        elif not text.startswith("-"):
            folder, template = (folder, text) if "-t" in texts else (".", text)
    return f"{folder}/{template}"
