"""What a shell command is once it is read: words, redirects, simple commands."""

from enum import IntEnum

from toolmem.core.lazy_pattern import lazy_pattern
from toolmem.core.named_tuple import NamedTuple

GAP = "\0"
"""Stands in a word for text that only the shell knows when it runs."""
PLAIN_GAP = "\x01"
"""The same for text that is certainly no option (a date, a branch, a path)."""
NAME_GAP = "\x05"
"""The same for a piece of one file name: a file glob, which holds no slash."""
UNSEEN_PIPE = "/dev/fd/63"
"""The file that a process substitution is passed as."""
_GAPS = lazy_pattern(f"[{GAP}{PLAIN_GAP}{NAME_GAP}]")


class Fit(IntEnum):
    """How surely something matches; ``MAYBE`` needs a gap to hold the right text."""

    NO = 0
    MAYBE = 1
    YES = 2


class Word(NamedTuple):
    """One word as the program gets it.

    ``text`` has gaps where it is not known, ``many`` says that it may become
    several words or none, ``shape`` is the text with file globs as gaps, none of
    which holds a slash.
    """

    text: str
    many: bool = False
    shape: str = ""

    @property
    def known(self) -> bool:
        """Whether every character is known."""
        return not has_gap(self.text)


class Redirect(NamedTuple):
    """A file that a command reads or writes: ``>``, ``>>``, ``<``, …"""

    operator: str
    target: Word


class SimpleCommand(NamedTuple):
    """One program call; ``via`` names the wrappers around it, outermost first.

    ``stdin`` is what a here-document, a here-string or a constant on the other
    side of a pipe hands in; ``argv`` is empty for the redirects of a group. ``runs``
    are shell texts that it is handed in its environment, ``unsure``: it may run.
    ``operator`` joins it to the command before it (``&&``, ``|``, ``(``, a line end …);
    ``substituted``: another command gets its output as words or as a file.
    """

    argv: tuple[Word, ...]
    redirects: tuple[Redirect, ...] = ()
    via: tuple[str, ...] = ()
    stdin: str = ""
    runs: tuple[str, ...] = ()
    unsure: bool = False
    operator: str = ""
    substituted: bool = False


class ShellCommand(NamedTuple):
    """Every simple command of a shell text, and what could not be seen.

    ``complete`` is false where the syntax was not understood (``reason`` says
    why). ``opaque`` says what runs code that is not in the text; ``code``
    holds programs in other languages that it does run, ``inert`` those of them that
    run no other program.
    """

    text: str
    commands: tuple[SimpleCommand, ...]
    complete: bool = True
    reason: str = ""
    opaque: str = ""
    code: tuple[str, ...] = ()
    inert: tuple[str, ...] = ()


def fit_text(text: str, wanted: str) -> Fit:
    """Whether a word's text, gaps and all, is the wanted string."""
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
    """Whether a part of the text is unknown."""
    return GAP in text or PLAIN_GAP in text or NAME_GAP in text


def fill_gaps(text: str, filling: str) -> str:
    """The text with something else for every unknown part."""
    return _GAPS.sub(filling, text) if has_gap(text) else text


def before_gap(text: str) -> str:
    """What is known of a text up to its first unknown part."""
    return _GAPS.split(text, maxsplit=1)[0]


def starts_with_gap(text: str) -> bool:
    """Whether the text may begin with anything, an option's dash included."""
    return text.startswith(GAP)
