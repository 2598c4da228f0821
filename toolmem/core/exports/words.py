"""What of a guard's commands other programs can say: plain words and one option."""

import re
from typing import NamedTuple

from toolmem.core.shell.options import options_of

_PLAIN = re.compile(r"[\w./:@=+,-]+")
"""A word that no pattern and no shell takes for anything else."""


class RuledCommand(NamedTuple):
    """A command that is ruled: the words it begins with, then an option in any of
    its spellings, which may stand further on; none where the words say it all."""

    words: tuple[str, ...]
    option: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        """The command as one would type it."""
        return " ".join((*self.words, *self.option[:1]))


def plain_line(words: tuple[str, ...]) -> RuledCommand | str:
    """A command line of a guard as other programs can take it, or why they cannot."""
    if not all(map(_PLAIN.fullmatch, words)):
        return "a pattern in a command"
    options = [at for at, word in enumerate(words) if word.startswith("-")]
    if not options:
        return RuledCommand(words)
    if len(options) > 1 or options[0] != len(words) - 1:
        return "several options, which may be in any order"
    return RuledCommand(words[:-1], _spellings(words[:-1], words[-1]))


def _spellings(words: tuple[str, ...], option: str) -> tuple[str, ...]:
    """An option and what else is written for just the same."""
    known = options_of(" ".join(words[:2])).spellings or options_of(words[0]).spellings
    meant = known.get(option, (option,))
    same = [name for name, stands_for in known.items() if stands_for == meant]
    return tuple(dict.fromkeys((option, *sorted(same))))
