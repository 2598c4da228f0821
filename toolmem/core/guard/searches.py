"""Where ``find`` and ``fd`` search, and the names that they let through."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from toolmem.core.shell.programs import program_name
from toolmem.core.shell.words import SimpleCommand

_FINDERS = ("find", "gfind", "fd", "fdfind")
_NAMES = ("-name", "-iname")
_PATHS = ("-path", "-ipath", "-wholename", "-iwholename")
_OR = ("-o", "-or", ",")
_NOT = ("!", "-not")
_ACTIONS = ("-print", "-print0", "-delete", "-exec", "-execdir", "-ok", "-okdir")
_FD_EXTENSION = ("-e", "--extension")
_FD_EXECUTES = ("-x", "-X", "--exec", "--exec-batch")


class Search(NamedTuple):
    """Folders that are searched, as written, and the globs that the paths fit.

    Without globs anything may be found.
    """

    starts: tuple[str, ...]
    globs: tuple[str, ...] = ()


def search_of(command: SimpleCommand) -> Search | None:
    """Return the search of a command; None for another program."""
    texts = [word.text for word in command.argv]
    name = program_name(texts[0]) if texts else ""
    if name not in _FINDERS:
        return None
    return _fd(texts[1:]) if name.startswith("fd") else _find(texts[1:])


def option(texts: Sequence[str], name: str) -> str:
    """Return the value of an option: ``-n V``, ``-nV`` or ``--name=V``; "" without."""
    for at, text in enumerate(texts):
        if text == name and at + 1 < len(texts):
            return texts[at + 1]
        joined = f"{name}=" if name.startswith("--") else name
        if text.startswith(joined) and text != name:
            return text.removeprefix(joined)
    return ""


def _find(texts: Sequence[str]) -> Search:
    first = next((n for n, t in enumerate(texts) if t[:1] in ("-", "(", "!")), None)
    starts = tuple(texts[:first])
    return Search(starts or (".",), _globs(texts[len(starts) :]))


def _globs(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the filters of an expression.

    They bound what is found only if each alternative has one.
    """
    if any(one in _NOT and after == "(" for one, after in pairwise(texts)):
        return ()
    globs: list[str] = []
    acts = any(text in _ACTIONS for text in texts)
    for part in _alternatives(texts):
        if acts and part[-1:] == ["-prune"]:
            continue  # nothing is done with what it matches
        here = list(_tests(part))
        if not here:
            return ()
        globs += here
    return tuple(globs)


def _alternatives(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    start = 0
    for at, text in enumerate(texts):
        if text in _OR:
            yield texts[start:at]
            start = at + 1
    yield texts[start:]


def _tests(texts: Sequence[str]) -> Iterator[str]:
    for at, (test, glob) in enumerate(pairwise(texts)):
        if at and texts[at - 1] in _NOT:
            continue
        if test in _NAMES:
            yield f"*/{glob}"
        elif test in _PATHS:
            yield glob


def _fd(texts: Sequence[str]) -> Search:
    """Return the search of ``fd [PATTERN] [FOLDER…]``, whose pattern is not read."""
    ends = [at for at, text in enumerate(texts) if text in _FD_EXECUTES]
    own = texts[: ends[0]] if ends else texts
    kinds = [
        value for at, value in enumerate(own[1:]) if own[at] in (*_FD_EXTENSION, "-t")
    ]
    operands = [text for text in own if text[:1] != "-" and text not in kinds]
    globs = (f"*.{v}" for at, v in enumerate(own[1:]) if own[at] in _FD_EXTENSION)
    return Search(tuple(operands[1:]) or (".",), tuple(globs))
