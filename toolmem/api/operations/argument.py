"""Descriptions of arguments, for every surface."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

TEXT, FILE, JSON, DOCUMENT, FIELDS = "text", "file", "json", "document", "fields"


class Argument(NamedTuple):
    """Description of an argument.

    ``choices`` returns all of its values, ``known`` are some; ``offers`` names the
    completion from the vault. ``flags`` are other spellings on the command line.

    ``reads`` is what the command line passes on: the ``TEXT`` itself, or standard input
    for ``-``; the text of a ``FILE``; a ``JSON`` object; a ``DOCUMENT``, a file of JSON
    or YAML. ``FIELDS`` is a flag: the text is a JSON object. ``stdin`` is the argument
    that takes standard input in place of this one, if it is ``-``; an ``optional`` one
    is ``-`` if it is left out.
    """

    about: str = ""
    metavar: str = "NAME"
    offers: str = ""
    choices: Callable[[], Sequence[str]] = tuple
    known: Sequence[str] = ()
    flags: tuple[str, ...] = ()
    reads: str = ""
    stdin: str = ""
    optional: bool = False
    least: float | None = None
    most: float | None = None

    @property
    def help(self) -> str:
        """Return its description for a command line."""
        text = self.about or f"{listed(self.choices())}."
        if not (self.stdin or self.reads in (TEXT, FILE, JSON, DOCUMENT)):
            return text
        dash = "- (the default)" if self.optional else "-"
        return f"{text.removesuffix('.')}; {dash} reads standard input."


def listed(words: Sequence[str]) -> str:
    """Return words as ``a, b or c``."""
    return " or ".join((", ".join(words[:-1]), words[-1]) if words[1:] else words)
