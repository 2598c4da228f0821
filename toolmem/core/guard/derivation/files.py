"""Files and commands in the words of a sentence."""

import re
from collections.abc import Iterable

from toolmem.core.guard.derivation.programs import (
    ENGLISH,
    PROGRAMS,
    may_be_program,
)
from toolmem.core.guard.derivation.reading.sentence import SPAN

_PATH = (
    r"(?:\.{0,2}/)?(?:[\w@*.-]*[\w*]/)+(?:[\w@*.{}-]|,(?=\S))*[\w*}]?|\*+\.[a-z]\w*"
    r"|\.?[\w@-]+(?:[.-][\w@-]+)*\.[A-Za-z]\w{0,9}|(?:Make|Docker|Jenkins|Gem|Pip)file"
    r"|LICENSE|CHANGELOG|README"
)
_WHOLE_PATH = re.compile(_PATH, re.IGNORECASE)
PATHS = rf"(?:{SPAN}|{_PATH})"
"""A path in a sentence, in code style or bare."""
_KINDS = {
    "graphql": ("*.graphql", "*.gql"), "proto": ("*.proto",), "protobuf": ("*.proto",),
    "python": ("*.py",), "typescript": ("*.ts", "*.tsx"), "ts": ("*.ts", "*.tsx"),
    "javascript": ("*.js", "*.jsx", "*.mjs", "*.cjs"), "js": ("*.js", "*.jsx"),
    "rust": ("*.rs",), "go": ("*.go",), "golang": ("*.go",), "java": ("*.java",),
    "kotlin": ("*.kt", "*.kts"), "swift": ("*.swift",), "ruby": ("*.rb", "*.rake"),
    "php": ("*.php",), "css": ("*.css", "*.scss"), "scss": ("*.scss",),
    "html": ("*.html",), "sql": ("*.sql",), "terraform": ("*.tf",), "hcl": ("*.hcl",),
    "shell": ("*.sh",), "bash": ("*.sh",), "markdown": ("*.md",), "yaml": ("*.yaml",
    "*.yml"), "json": ("*.json",), "toml": ("*.toml",), "vue": ("*.vue",),
    "svelte": ("*.svelte",), "prisma": ("*.prisma",), "elixir": ("*.ex", "*.exs"),
    "scala": ("*.scala",), "dart": ("*.dart",), "c++": ("*.cpp", "*.hpp", "*.cc"),
    "c#": ("*.cs",), "nix": ("*.nix",), "sass": ("*.sass", "*.scss"),
    "c": ("*.c", "*.h"),
}  # fmt: skip
"""Kinds of files that have a pattern."""
KIND = "|".join(map(re.escape, sorted(_KINDS, key=len, reverse=True)))


def kind_patterns(name: str) -> tuple[str, ...]:
    """Return the patterns of a kind of files, such as ``Python``; empty if unknown."""
    return _KINDS.get(name.lower(), ())


def pattern_of(path: str) -> str:
    """Return the pattern of a path as people write it: a folder is all below it."""
    name = path.removeprefix("./")
    if name.lower() in ("changelog", "readme"):
        name = name.upper()
    if name.isupper() and "." not in name and "/" not in name and name != "LICENSE":
        return f"{name}*"
    return name


def is_pathlike(text: str) -> bool:
    """Return True if a text can be a file or folder of the project."""
    return " " not in text and "://" not in text and bool(_WHOLE_PATH.fullmatch(text))


def is_command(text: str) -> bool:
    """Return True if a text in code style can be a command line."""
    words = text.split()
    if not words or words[0].startswith("-"):
        return False
    first = words[0]
    if first in PROGRAMS or _SCRIPT.fullmatch(first) or first.startswith("./"):
        return True
    return may_be_program(first) and not (len(words) == 1 and "." in first)


def bare_command(words: Iterable[str]) -> str:
    """Return the command line that bare words begin with; empty without one."""
    taken: list[str] = []
    for word in words:
        if taken and (word.lower() in _ENDS or not _ARGUMENT.fullmatch(word)):
            break
        taken.append(word)
    if not taken or len(taken) > 6:
        return ""
    first = taken[0]
    known = first in PROGRAMS and first not in ENGLISH
    task = first in TASKS and len(taken) > 1 and _TASK.fullmatch(taken[1])
    return " ".join(taken) if known or task or _SCRIPT.fullmatch(first) else ""


_SCRIPT = re.compile(r"[\w.~-]*/[\w./-]+|[\w.-]+\.(?:sh|bash|ps1|py|rb|pl|js|ts)")
TASKS = frozenset("make just go bundle rake".split())
"""Words that are programs if a task follows."""
_TASK = re.compile(r"[a-z][\w:.-]*|\./\.\.\.")
_ARGUMENT = re.compile(r"[\w./:@=*+-]+")
_ENDS = frozenset(
    "and or before after when whenever if once then to the a an so as until first with"
    " on in for at it this that again without successfully passes pass every each has"
    " have must is are prior".split()
)
