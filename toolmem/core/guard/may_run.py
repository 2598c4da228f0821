"""Whether a shell text can run a program at all, seen without parsing it.

The parser takes longer to load than all else that a hook does at a call, and
``ls -la`` needs none of it for a rule about ``git``. Only a text about which there
can be no doubt is passed over: anything else is parsed.
"""

from collections.abc import Iterable
from functools import lru_cache

from toolmem.core.guard.calls import ShellSource
from toolmem.core.lazy_pattern import lazy_pattern
from toolmem.core.shell.program import RENAMED, RUN_BY
from toolmem.core.shell.programs import PASSES
from toolmem.core.shell.words import GAP, NAME_GAP, PLAIN_GAP

_JOINS_PIECES = ("$", "`", "\\", "{")
"""With these the shell makes words of pieces that stand apart in the text."""
_MAKES_WORDS = (*_JOINS_PIECES, "}", "*", "?", "[", "]", GAP, PLAIN_GAP, NAME_GAP)
"""With these it makes words that need not stand in the text at all."""
_BUILDS = ("xargs", "parallel")
"""Programs that put command lines together from pieces."""
_READS = ("python", "perl", "ruby", "php", "node", "osascript", "source", ".")
"""How the names of those begin that run what another command hands them, besides
shells."""
_HANDED = ("|", "<")
_SCRIPT = lazy_pattern(
    r"(?:^|[;&|(\n])\s*(?:(?:ba|z|da|k)?sh\s|source\s|\.\s|[\w.~-]*/)"
)
WRAPPERS = frozenset(
    name for name, own in PASSES.items() if own == 0 and " " not in name
)
"""A guard's command line may begin with these and be about what they run."""


def may_name(source: ShellSource, names: Iterable[str]) -> bool:
    """Whether a shell text may run a program of one of these names (in lower case):
    one stands in it, could be put together from pieces, or come from elsewhere."""
    bare = _unquoted(_text_of(source))
    if any(mark in bare for mark in (*_JOINS_PIECES, *_BUILDS)) or _is_handed(bare):
        return True
    return any(each in bare for name in names for each in (name, *RUN_BY.get(name, ())))


def cannot_run(source: ShellSource, commands: Iterable[tuple[str, ...]]) -> bool:
    """Whether none of a guard's command lines can be among a shell text's commands."""
    text = _readable(_text_of(source))
    return bool(text) and not any(_may_name(text, words[0]) for words in commands)


def may_run_script(source: ShellSource) -> bool:
    """Whether a shell text may run a script that is named in it."""
    return _SCRIPT.search(_unquoted(_text_of(source))) is not None


@lru_cache(maxsize=16)
def _readable(text: str) -> str:
    """The text without quotes, in which every program's name stands as it is
    called; empty where that is not certain."""
    if not text.isascii() or any(mark in text for mark in _MAKES_WORDS):
        return ""
    bare = _unquoted(text)
    if any(name in bare for name in _BUILDS):
        return ""
    return "" if _is_handed(bare) else bare


def _text_of(source: ShellSource) -> str:
    return source if isinstance(source, str) else " ".join(source)


def _unquoted(text: str) -> str:
    return text.replace('"', "").replace("'", "").casefold()


def _is_handed(bare: str) -> bool:
    """Whether a program in a text may run what another one hands it."""
    return any(mark in bare for mark in _HANDED) and any(map(_reads, bare.split()))


def _reads(word: str) -> bool:
    """Whether a word may be a program that runs what it is handed; at worst it is
    only thought so."""
    for separator in "|&;()<>":
        word = word.replace(separator, " ")
    names = (part.rpartition("/")[2] for part in word.split())
    return any(name.endswith("sh") or name.startswith(_READS) for name in names)


def _may_name(text: str, program: str) -> bool:
    """Whether a program may be called in a text; a version belongs to no name."""
    name = program.replace("\\", "/").rpartition("/")[2].lower()
    known = name.partition(".")[0].rstrip("0123456789w")
    names = (known, *(other for other, same in RENAMED.items() if same == name))
    names += RUN_BY.get(name, ())
    if program in WRAPPERS or not known.isascii():
        return True
    return any(each in text for each in names)
