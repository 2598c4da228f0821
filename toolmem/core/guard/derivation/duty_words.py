"""Words of sentences that demand something: occasions, files and commands."""

import re
from collections.abc import Iterable, Iterator, Mapping
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
    r"(?:\.{0,2}/)?(?:[\w@*.-]*[\w*]/)+(?:[\w@*.{}-]|,(?=\S))*[\w*}]?"
    r"|\*+\.[a-z]\w*|[\w@-]+(?:[.-][\w@-]+)*\.[A-Za-z]\w{0,9}"
    r"|(?:Make|Docker|Jenkins|Gem|Pip)file|LICENSE|CHANGELOG|README"
)
PATHS = rf"(?:{CODE}|{_PATH})"
"""A path in a sentence, in code style or bare."""
_DETERMINER = (
    r"(?:(?:a|an|any|the|our|your|some|all|one of the|one of|any of the|any of|every"
    r"|each|single)\s+)*"
)
KINDS = {
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
}  # fmt: skip
"""Kinds of files that have a pattern."""
KIND = "|".join(map(re.escape, sorted(KINDS, key=len, reverse=True)))
_NOUN = r"(?:files?|sources?|code|modules?|scripts?|schemas?|definitions?|documents?)"
_BELOW = (
    r"(?:(?:anything|something|files?|a file|code|any code|any file|sources?|things?)"
    r"\s+(?:in|under|inside|within|below|at)\s+)?"
)
_FOLDER_NOUN = r"(?:\s+(?:folder|directory|dir|package|tree|module|file|files)s?)?"
PLACES = (
    rf"{_DETERMINER}{_BELOW}{_DETERMINER}(?:(?P<kind>{KIND})\s+{_NOUN}(?:\s+(?:in"
    rf"|under|inside)\s+(?P<where>{PATHS}){_FOLDER_NOUN})?"
    r"|\.(?P<suffix>[a-z]\w{0,9})\s+(?:files?|sources?)"
    rf"|(?P<path>{PATHS}(?:(?:\s*,\s*|\s+or\s+|\s+and\s+){PATHS})*){_FOLDER_NOUN}"
    r"(?:\s+in\s+(?P<inside>" + PATHS + r"))?"
    rf"|(?:[\w-]+\s+){{0,2}}\((?P<aside>{PATHS})\)"
    r"|(?P<any>(?:source\s+|production\s+)?(?:code|files?|sources?)(?:\s+files?)?"
    r"|anything|something|it|things?|stuff|changes?|edits?))"
)
"""Files in a sentence: paths, a kind of file, or any of the project."""


class Text(NamedTuple):
    """A sentence in which each piece in code style is one character."""

    text: str
    codes: tuple[str, ...]

    def code(self, char: str) -> str:
        """Return the piece of code that a character replaces."""
        return self.codes[ord(char) - _CODE_START]

    def quoted(self, text: str) -> str:
        """Return a part of the sentence with its code in backticks."""
        return re.sub(CODE, lambda found: f"`{self.code(found[0])}`", text)

    def plain(self, text: str) -> str:
        """Return a part of the sentence with its code as it was written."""
        return re.sub(CODE, lambda found: self.code(found[0]), text)


def with_codes(text: str) -> Text:
    """Return a sentence whose pieces in code style are taken out."""
    codes: list[str] = []

    def placed(found: re.Match[str]) -> str:
        if len(codes) == 0xFF:
            return found[0]
        codes.append(" ".join(next(filter(None, found.groups())).split()))
        return chr(_CODE_START + len(codes) - 1)

    return Text(" ".join(_QUOTED.sub(placed, text).split()), tuple(codes))


def patterns_of(found: Mapping[str, str | None], text: Text) -> tuple[str, ...] | None:
    """Return the patterns of the files in the groups of ``PLACES``.

    Empty for any file of the project, None if they have no pattern.
    """
    if found["any"]:
        return ()
    if found["suffix"]:
        return (f"*.{found['suffix'].lower()}",)
    if found["kind"]:
        kinds = KINDS[found["kind"].lower()]
        if not found["where"]:
            return kinds
        folder = pattern_of(text.plain(found["where"])).rstrip("/*")
        return tuple(f"{folder}/**/{kind}" for kind in kinds)
    paths = re.findall(PATHS, found["path"] or found["aside"] or "")
    plain = [text.plain(path) for path in paths]
    if not all(map(_is_file, plain)):
        return None
    if found["inside"]:
        folder = pattern_of(text.plain(found["inside"])).rstrip("/*")
        return tuple(f"{folder}/**/{path}" for path in plain)
    return tuple(map(pattern_of, plain))


def kind_patterns(name: str) -> tuple[str, ...]:
    """Return the patterns of a kind of files, such as ``Python``; empty if unknown."""
    return KINDS.get(name.lower(), ())


def pattern_of(path: str) -> str:
    """Return the pattern of a path as people write it: a folder is all below it."""
    name = path.removeprefix("./")
    if name.isupper() and "." not in name and "/" not in name and name != "LICENSE":
        return f"{name}*"
    return name


def _is_file(text: str) -> bool:
    return " " not in text and re.fullmatch(_PATH, text) is not None


def is_pathlike(text: str) -> bool:
    """Return True if a text can be a file or folder of the project."""
    return _is_file(text) and "://" not in text


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


def codes_in(text: str) -> Iterator[str]:
    """Yield the characters that stand for code, in order."""
    return iter(re.findall(CODE, text))
