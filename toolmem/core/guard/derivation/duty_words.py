"""Words of sentences that demand something: occasions, files and commands."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from toolmem.core.guard.derivation.programs import (
    ENGLISH,
    PROGRAMS,
    may_be_program,
)

CODE = "[\ue200-\ue2ff]"
_CODE_START = 0xE200
_QUOTED = re.compile(r"`([^`\n]{1,200})`|\"([^\"\n]{2,120})\"|“([^”\n]{2,120})”")
_PATH = (
    r"(?:\.{0,2}/)?(?:[\w@*.-]*[\w*]/)+(?:[\w@*.{}-]|,(?=\S))*[\w*}]?|\*+\.[a-z]\w*"
    r"|[\w@-]+(?:[.-][\w@-]+)*\.[A-Za-z]\w{0,9}|(?:Make|Docker|Jenkins|Gem|Pip)file"
    r"|LICENSE|CHANGELOG|README"
)
_WHOLE_PATH = re.compile(_PATH, re.IGNORECASE)
PATHS = rf"(?:{CODE}|{_PATH})"
"""A path in a sentence, in code style or bare."""
_DETERMINER = (
    r"(?:(?:a|an|any|the|our|your|some|all|one of the|one of|any of the|any of|every"
    r"|each|single)\s+)*"
)
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
_NOUN = r"(?:files?|sources?|code|modules?|scripts?|schemas?|definitions?|documents?)"
_FOLDER_NOUN = (
    r"(?:\s+(?:folder|director(?:y|ie)|dir|package|tree|module|file|definition"
    r"|source)s?)?"
)
_INSIDE = r"(?:in|under|inside|within|below|at|into|to|of|on|from|underneath|beneath)"
_PLACE = re.compile(
    rf"(?i){_DETERMINER}(?:(?P<kind>{KIND})\s+{_NOUN}(?:\s+\((?P<kinds>{PATHS})\))?(?:"
    rf"\s+{_INSIDE}\s+(?:the\s+)?(?P<where>{PATHS}){_FOLDER_NOUN})?"
    r"|\.(?P<suffix>[a-z]\w{0,9})(?:\s+(?:files?|sources?)|(?!\S))"
    rf"|(?:(?:\w[\w'-]*\s+){{0,4}}?{_INSIDE}\s+{_DETERMINER})?(?P<path>{PATHS}(?:(?:\s"
    rf"*,\s*|\s+or\s+|\s+and\s+){PATHS})*){_FOLDER_NOUN}(?:\s+in\s+(?P<inside>{PATHS}))"
    rf"?|(?:[\w-]+\s+){{0,3}}\((?P<aside>{PATHS})\)|(?P<any>(?:source\s+"
    r"|production\s+)?(?:code|files?|sources?)(?:\s+files?)?|anything|something|it"
    r"|things?|stuff|changes?|edits?)(?![\w-]))"
)
"""Files in a sentence: paths, a kind of file, or any of the project."""


class Text(NamedTuple):
    """A sentence in which each piece in code style is one character."""

    text: str
    codes: tuple[str, ...]

    def code(self, char: str) -> str:
        """Return the piece of code that a character replaces."""
        return self.codes[ord(char) - _CODE_START]

    def plain(self, text: str) -> str:
        """Return a part of the sentence with its code as it was written."""
        return re.sub(CODE, lambda found: self.code(found[0]), text)


class Place(NamedTuple):
    """Patterns of files, empty for any of the project, and the end of their words."""

    patterns: tuple[str, ...]
    end: int


def with_codes(text: str) -> Text:
    """Return a sentence whose pieces in code style are taken out."""
    codes: list[str] = []

    def placed(match: re.Match[str]) -> str:
        if len(codes) == 0xFF:
            return match[0]
        codes.append(" ".join(next(filter(None, match.groups())).split()))
        return chr(_CODE_START + len(codes) - 1)

    return Text(" ".join(_QUOTED.sub(placed, text).split()), tuple(codes))


def place_at(text: Text, words: str, start: int = 0) -> Place | None:
    """Return the files that words name at a place; None if they have no pattern."""
    match = _PLACE.match(words, start)
    patterns = _patterns_of(match, text) if match else None
    return Place(patterns, match.end()) if match and patterns is not None else None


def _patterns_of(match: re.Match[str], text: Text) -> tuple[str, ...] | None:
    if match["any"]:
        return ()
    if match["suffix"]:
        return (f"*.{match['suffix'].lower()}",)
    if match["kind"]:
        kinds = _KINDS[match["kind"].lower()]
        if match["kinds"]:
            return (text.plain(match["kinds"]),)
        if not match["where"]:
            return kinds
        folder = pattern_of(text.plain(match["where"])).rstrip("/*")
        return tuple(f"{folder}/**/{kind}" for kind in kinds)
    paths = re.findall(PATHS, match["path"] or match["aside"] or "")
    plain = [text.plain(path) for path in paths]
    if not all(map(is_pathlike, plain)):
        return None
    if match["inside"]:
        folder = pattern_of(text.plain(match["inside"])).rstrip("/*")
        return tuple(f"{folder}/**/{path}" for path in plain)
    return tuple(map(pattern_of, plain))


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
    task = first in _TASKS and len(taken) > 1 and _TASK.fullmatch(taken[1])
    return " ".join(taken) if known or task or _SCRIPT.fullmatch(first) else ""


_SCRIPT = re.compile(r"[\w.~-]*/[\w./-]+|[\w.-]+\.(?:sh|bash|ps1|py|rb|pl|js|ts)")
_TASKS = frozenset("make just go bundle rake".split())
_TASK = re.compile(r"[a-z][\w:.-]*|\./\.\.\.")
_ARGUMENT = re.compile(r"[\w./:@=*+-]+")
_ENDS = frozenset(
    "and or before after when whenever if once then to the a an so as until first with"
    " on in for at it this that again without successfully passes pass every each has"
    " have must is are prior".split()
)
