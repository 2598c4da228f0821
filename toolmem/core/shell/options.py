"""Options of one command, parsed from the table of ``flags``."""

from functools import cache
from typing import NamedTuple

from toolmem.core.shell.flags import FLAGS


class Options(NamedTuple):
    """Known options of one program or subcommand.

    ``spellings`` maps an option as written to its meaning; ``valued`` take the next
    word, ``attached`` only the rest of the same one; ``prefixes`` maps the first
    character of an operand to the option that it means, ``sections`` are followed by
    another program's command line; ``stop`` is the number of operands after which
    nothing is an option, −1 for never.
    """

    spellings: dict[str, tuple[str, ...]]
    valued: frozenset[str]
    attached: frozenset[str]
    operands: dict[str, str]
    prefixes: dict[str, str]
    sections: frozenset[str]
    single: bool
    signs: bool
    stop: int
    any_order: bool = False
    bundle: bool = False


_NOTHING = Options(
    {},
    frozenset(),
    frozenset(),
    {},
    {},
    frozenset(),
    single=False,
    signs=False,
    stop=-1,
)


class _Draft:
    """Options being parsed, beginning with a copy of the parent's."""

    def __init__(self, parent: Options) -> None:
        self.spellings = dict(parent.spellings)
        self.valued, self.attached = set(parent.valued), set(parent.attached)
        self.operands, self.single = dict(parent.operands), parent.single
        self.signs, self.stop = parent.signs, -1
        self.marks = {"@any": parent.any_order, "@bundle": parent.bundle}
        self.prefixes: dict[str, str] = {}
        self.sections = set(parent.sections)

    def add(self, item: str) -> None:
        if item == "@single":
            self.single = True
        elif item == "@plus":
            self.signs = True
        elif item in self.marks:
            self.marks[item] = True
        elif item[0] == "!":
            self.stop = int(item[1:])
        elif item[0] in "+:":
            self.prefixes[item[0]] = item[2:]
        elif item[-1] == ";":
            self.sections.add(item[:-1])
        elif item[0] == "%":
            spelled, _, name = item[1:].partition("=")
            self.operands[spelled] = name
        else:
            self._option(item)

    def _option(self, item: str) -> None:
        spelled, _, names = item.rstrip(":?").partition("=")
        stands_for = tuple((names or spelled).split("+"))
        for name in (spelled, *stands_for):
            self.spellings.setdefault(name, (name,))
            _set(self.valued, name, item[-1] == ":")
            _set(self.attached, name, item[-1] == "?")
        self.spellings[spelled] = stands_for

    def done(self) -> Options:
        return Options(
            self.spellings,
            frozenset(self.valued),
            frozenset(self.attached),
            self.operands,
            self.prefixes,
            frozenset(self.sections),
            single=self.single,
            signs=self.signs,
            stop=self.stop,
            any_order=self.marks["@any"],
            bundle=self.marks["@bundle"],
        )


@cache
def options_of(key: str) -> Options:
    """Return the options of ``git push``, its parent's included; empty if unknown."""
    if key not in FLAGS:
        return _NOTHING
    draft = _Draft(options_of(key.rpartition(" ")[0]))
    for item in FLAGS[key].split():
        draft.add(item)
    return draft.done()


def _set(names: set[str], name: str, member: bool) -> None:
    if member:
        names.add(name)
    else:
        names.discard(name)
