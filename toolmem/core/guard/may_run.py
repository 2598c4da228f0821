"""Exclude programs that a shell text cannot run, without parsing it.

The parser takes longer to load than everything else that a hook does at a call, and
``ls -la`` needs none of it for a rule about ``git``. A text is skipped only if there
can be no doubt; anything else is parsed.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from toolmem.core.guard import calls
from toolmem.core.shell.operations import CHANGERS, FORMATTERS
from toolmem.core.shell.programs import (
    COMMAND_SHELLS,
    INPUT_RUNNERS,
    PASSES,
    RENAMED,
    RUN_BY,
    SCRIPT_RUNNERS,
    program_name,
    split_name,
)
from toolmem.core.shell.words import GAP, NAME_GAP, PLAIN_GAP

_JOINS_PIECES = ("$", "`", "\\", "{")
"""With these the shell joins separate pieces of the text to words."""
_MAKES_WORDS = (*_JOINS_PIECES, "}", "*", "?", "[", "]", GAP, PLAIN_GAP, NAME_GAP)
"""With these it makes words that need not be in the text at all."""
_BUILDS = ("xargs", "parallel")
"""Programs that build command lines from pieces."""
_HANDED = ("|", "<")
_SCRIPT = re.compile(
    r"(?:^|[;&|(\n])\s*(?:source\s|\.\s|[\w.~-]*/)|\b(?:ba|z|da|k)?sh\s"
    r"|\b(?:python|pypy|node|ruby|perl|php|lua|deno|bun|rscript|julia|tsx|ts-node)"
    r"[\w.]*\s|\b(?:run|exec|npx|uvx)\s+(?:-\S+\s+)*\S+\.\w+\b"
)
_HARMLESS = re.compile(r"[\d&]?>(?:&[\d-]|\s*/dev/null\b)")
"""Redirections that write no file."""
_WORD = re.compile(r"[^\s;&|()<>=]+")
_CODE = SCRIPT_RUNNERS | COMMAND_SHELLS | {"awk", "eval", "source", "."}
WRAPPERS = frozenset(
    name for name, own in PASSES.items() if own == 0 and " " not in name
)
"""A guard's command line may begin with these and refer to what they run."""


def may_name(source: "calls.ShellSource", names: Iterable[str]) -> bool:
    """Return True if a shell text may run a program of one of these names (lower case).

    The name is in the text, could be built from pieces, or come from elsewhere.
    """
    bare = _unquoted(_text_of(source))
    if any(mark in bare for mark in (*_JOINS_PIECES, *_BUILDS)) or _is_handed(bare):
        return True
    return any(each in bare for name in names for each in (name, *RUN_BY.get(name, ())))


def cannot_run(
    source: "calls.ShellSource", commands: Iterable[tuple[str, ...]]
) -> bool:
    """Return True if none of a guard's command lines can be in a shell text."""
    text = _readable(_text_of(source))
    return bool(text) and not any(_may_name(text, words[0]) for words in commands)


def may_run_script(source: "calls.ShellSource") -> bool:
    """Return True if a shell text may run a script that is named in it."""
    return _SCRIPT.search(_unquoted(_text_of(source))) is not None


def may_change(source: "calls.ShellSource") -> bool:
    """Return True if a shell text may change, restore or delete a file."""
    bare = _HARMLESS.sub(" ", _unquoted(_text_of(source)))
    if any(mark in bare for mark in (*_JOINS_PIECES, *_BUILDS, ">", "*** ")):
        return True
    return may_run_script(source) or any(map(_changes, _WORD.findall(bare)))


def _changes(word: str) -> bool:
    name = program_name(word)
    return name in _CODE or RENAMED.get(name, name) in CHANGERS | FORMATTERS


@lru_cache(maxsize=16)
def _readable(text: str) -> str:
    """Return the text without quotes, with every program's name as it is called; empty
    if that is not certain."""
    if not text.isascii() or any(mark in text for mark in _MAKES_WORDS):
        return ""
    bare = _unquoted(text)
    if any(name in bare for name in _BUILDS):
        return ""
    return "" if _is_handed(bare) else bare


def _text_of(source: "calls.ShellSource") -> str:
    return source if isinstance(source, str) else " ".join(source)


def _unquoted(text: str) -> str:
    return text.replace('"', "").replace("'", "").casefold()


def _is_handed(bare: str) -> bool:
    """Return True if a program in a text may run input of another one."""
    return any(mark in bare for mark in _HANDED) and any(map(_reads, bare.split()))


def _reads(word: str) -> bool:
    """Return True if a word may be a program that runs its input; errs on the side of
    True."""
    for separator in "|&;()<>":
        word = word.replace(separator, " ")
    names = (part.rpartition("/")[2] for part in word.split())
    return any(name.endswith("sh") or name.startswith(INPUT_RUNNERS) for name in names)


def _may_name(text: str, program: str) -> bool:
    """Return True if a program, of any version, may be called in a text."""
    name = split_name(program.replace("\\", "/").rpartition("/")[2].lower())[0]
    known = name.partition(".")[0].rstrip("0123456789w")
    names = (known, *(other for other, same in RENAMED.items() if same == name))
    names += RUN_BY.get(name, ())
    if program in WRAPPERS or not known.isascii():
        return True
    return any(each in text for each in names)
