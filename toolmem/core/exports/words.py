"""Express a guard's commands in other programs' terms: plain words and one option."""

import re
from typing import NamedTuple

from toolmem.core.shell.options import options_of

_PLAIN = re.compile(r"[\w./:@=+,-]+")
"""Words without special meaning in patterns and shells."""


class RuledCommand(NamedTuple):
    """A command that a rule covers.

    ``words`` are its first words; ``option`` has the spellings of an option that may
    come later, none if the words are sufficient.
    """

    words: tuple[str, ...]
    option: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        """Command line as one would type it."""
        return " ".join((*self.words, *self.option[:1]))


def plain_line(words: tuple[str, ...]) -> RuledCommand | str:
    """Return a guard's command line for other programs, or why it is not possible."""
    if not all(map(_PLAIN.fullmatch, words)):
        return "a pattern in a command"
    options = [at for at, word in enumerate(words) if word.startswith("-")]
    if not options:
        return RuledCommand(words)
    if len(options) > 1 or options[0] != len(words) - 1:
        return "several options, which may be in any order"
    return RuledCommand(words[:-1], _spellings(words[:-1], words[-1]))


def _spellings(words: tuple[str, ...], option: str) -> tuple[str, ...]:
    """Return an option and its equivalent spellings."""
    known = options_of(" ".join(words[:2])).spellings or options_of(words[0]).spellings
    meant = known.get(option, (option,))
    same = [name for name, stands_for in known.items() if stands_for == meant]
    return tuple(dict.fromkeys((option, *sorted(same))))
