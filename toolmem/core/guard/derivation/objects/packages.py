"""Derive guards from bans on packages: "don't add moment", "never install globally"."""

import re
from typing import Any

from toolmem.core.guard.derivation.objects.phrases import Phrase
from toolmem.core.guard.derivation.programs import is_program
from toolmem.core.guard.derivation.qualifiers import after_fillers
from toolmem.core.guard.derivation.reading.sentence import Ban, is_code
from toolmem.core.guard.derivation.reading.words import verb_of

_ADDERS = tuple(
    line.split()
    for line in (
        "npm install|pnpm add|pnpm install|yarn add|bun add|bun install|deno add"
        "|pip install|uv add|uv pip install|poetry add|pdm add|pipenv install"
        "|conda install|cargo add|cargo install|go get|go install|gem install"
        "|bundle add|composer require|dotnet add package|brew install"
        "|apt install|apt-get install"
    ).split("|")
)
"""Command lines that a package's name follows."""
_GLOBAL = tuple(
    line.split()
    for line in (
        "npm install --global|pnpm add --global|pnpm install --global|yarn global add"
        "|bun add --global|bun install --global|sudo pip install|sudo npm install"
        "|pip install --break-system-packages|sudo gem install"
    ).split("|")
)
_MANIFESTS = [
    "package.json", "pyproject.toml", "requirements*.txt", "setup.py", "setup.cfg",
    "Pipfile", "Cargo.toml", "go.mod", "Gemfile", "composer.json", "deno.json",
]  # fmt: skip
_MANAGERS = r"(?:npm|pnpm|yarn|bun|pip3?|uv|poetry|pdm|cargo|gem|brew|composer|go)"
_VERB = re.compile(
    r"(?i)\s*(?:ever\s+|please\s+|just\s+)*(?:(?P<add>add|introduc|bring in|pull in"
    rf"|depend on|us|import|requir|reach for)|(?:{_MANAGERS}\s+)?(?:install|add|i\b"
    rf"|get))"
    r"(?:e|es|ed|ing)?\s+(?:(?:the|a|an|any|new)\s+)*"
)
_ADDS = re.compile(r"(?i)\s*(?:add|introduc|bring|pull|depend)")
_NAME = re.compile(r"[\ue200-\ue5ff]|@?[a-z][\w-]*(?:[./][\w-]+)*")
_PACKAGE = re.compile(r"@?[A-Za-z][\w-]*(?:[./][\w-]+)*")
_KIND = r"(?:npm|python|node|rust|ruby|go|js|third[- ]party|external)"
_NOUNS = (
    r"(?:packages?|librar(?:y|ies)|libs?|modules?"
    r"|dependenc(?:y|ies)|deps?|gems?|crates?)"
)
_NOUN = re.compile(
    rf"(?i)\s+(?:{_KIND}\s+)?{_NOUNS}\b"
    r"|\s+(?:as an?\s+(?:\w+\s+)?|to (?:the |our )?)(?:dependenc(?:y|ies)|deps"
    r"|package\.json)"
)
_MANY = re.compile(r"(?i)(?:ies|s)$")
_BEFORE = re.compile(
    rf"(?i)(?:the\s+|an?\s+)?(?:{_KIND}\s+)?{_NOUNS}\s+(?=[\w@\ue200-\ue5ff])"
)
"""A noun before the name: "the package left-pad"."""
_ANY = re.compile(
    rf"(?i)\s*(?:(?:ever|please|just)\s+)*(?:(?:add|introduc|install|bring in"
    rf"|pull in)\w*"
    rf"\s+)?(?:(?:any|a)\s+)?(?:new|more|further|additional|extra)\s+(?:{_KIND}\s+)*"
    rf"{_NOUNS}\b"
)
"""Packages without a name: "no new dependencies"."""
_OR = re.compile(r"(?i)\s*(?:,\s*(?:or\s+)?|\bor\s+|\band\s+)(?:install\s+|add\s+)?")
_NO_NAME = re.compile(
    r"(?i)(?:new|any\w*|more|other|extra|global\w*|packages?|librar\w+|libs?|modules?"
    r"|it"
    r"|dependenc\w+|deps?|software|tools?|things?|stuff|use|prefer|the|your|my|these"
    r"|this"
    r"|or|and|take|we|if|then|reach|from|with|without|in|on|for|to|as|by|unless|if|when|yourself|npm"
    r"|python)\b"
)
_EVERYWHERE = re.compile(
    rf"(?i)\s*(?:ever\s+)?(?:(?:{_MANAGERS}\s+)?install(?:ing|s|ations?)?\b"
    r"(?:\s+(?!or\b)[\w-]+){0,3}?\s+(?:globally|system[- ]?wide)\b"
    rf"|(?:global|system[- ]?wide)\s+(?:{_MANAGERS}\s+)?(?:install\w*|packages?)"
    rf"(?:\s+(?:with|by|via|of|through)\s+{_MANAGERS}(?:\s+packages?)?)?)"
)
_NAMED = r"^(npm:)?@?[A-Za-z][\w-]*(/[\w-]+)?([@=<>~!\[;:][^/]*)?$"
"""An argument that is a package, not a file."""


def package_phrase(ban: Ban) -> Phrase | None:
    """Return the tests for a ban on packages at the beginning of a ban."""
    everywhere = _EVERYWHERE.match(ban.text)
    if everywhere:
        return Phrase(_global(), everywhere.end())
    nameless = None if ban.form == "contrast" else _ANY.match(ban.text)
    if nameless:
        return Phrase((_adding(_NAMED),), after_fillers(ban.text, nameless.end()))
    verb = _VERB.match(ban.text)
    at = verb.end() if verb else 0
    noun = _BEFORE.match(ban.text, at)
    names, end = _names(ban, noun.end() if noun else at)
    noun = noun or _NOUN.match(ban.text, end)
    said = ban.form == "after" and verb is None and len(names) == 1
    if said and _is_name_of_package(names[0]) and _OF_PROJECT.match(ban.text, end):
        return Phrase(_named(names), after_fillers(ban.text, end))
    adds = verb is not None and (
        not verb["add"]
        or (
            (ban.wanted or _AGAIN.match(ban.text, end))
            and _ADDS.match(verb[0]) is not None
        )
    )
    if not names or not (noun or adds):
        return None
    if not (adds or ban.is_noun) and len(names) == 1 and noun and _MANY.search(noun[0]):
        return None  # "publish packages" has a verb before the noun
    end = max(end, noun.end() if noun else end)
    return Phrase(_named(names), after_fillers(ban.text, end))


def _is_name_of_package(name: str) -> bool:
    """Return True for a name that is neither a program nor a file."""
    return not is_program(name) and "/" not in name and verb_of(name) == ""


_AGAIN = re.compile(r"(?i)\s+(?:back|again)\b")
_OF_PROJECT = re.compile(
    r"(?i)\s*(?:(?:in|from)\s+(?:this|the|our)\s+(?:repo\w*|project|code ?base|app"
    r"|bundle)\b"
    r"|[,;:–—-]+\s+(?:take|use|we use|prefer|reach for)\s+[a-z@`\ue200-\ue5ff])"
)
"""Words after a package that is banned: where, or what to take instead."""


def _named(names: list[str]) -> tuple[dict[str, Any], ...]:
    listed = "|".join(re.sub(r"[.]", r"\\.", name) for name in names)
    edited = {
        "action": "ask",
        "path": _MANIFESTS,
        "operation": "change",
        "regex": rf"(?i)(^|[\s\"'/])({listed})($|[\s\"'@=<>~!:;\[])",
    }
    added = _adding(rf"(?i)^(npm:)?({listed})($|[@=<>~!:;\[])")
    return added, edited


def _adding(regex: str) -> dict[str, Any]:
    return {"command": [list(line) for line in _ADDERS], "regex": regex}


def _names(ban: Ban, at: int) -> tuple[list[str], int]:
    names: list[str] = []
    end = at
    while (name := _NAME.match(ban.text, at)) and not _NO_NAME.match(ban.text, at):
        text = ban.code(name[0]) if is_code(name[0]) else name[0]
        if not _PACKAGE.fullmatch(text):
            break
        names.append(text)
        end = name.end()
        more = _OR.match(ban.text, end)
        if not more:
            break
        at = more.end()
    return names, end


def _global() -> tuple[dict[str, Any], ...]:
    return (
        {"command": [list(line) for line in _GLOBAL]},
        {
            "action": "ask",
            "command": ["pip", "install"],
            "unless": {"regex": r"^\S*(env|conda)\S*/pip"},
        },
    )
