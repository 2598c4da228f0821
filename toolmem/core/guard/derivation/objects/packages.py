"""Derive guards from bans on packages: "don't add moment", "never install globally"."""

import re
from typing import Any

from toolmem.core.guard.derivation.objects.phrases import Phrase
from toolmem.core.guard.derivation.qualifiers import after_fillers
from toolmem.core.guard.derivation.sentence import Ban, is_code

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
_VERB = re.compile(
    r"(?i)\s*(?:ever\s+|please\s+)*(?:(?P<add>add|introduc|bring in|pull in|depend on)"
    r"|install)(?:e|ing)?\s+(?:(?:the|a|an|any|new)\s+)*"
)
_NAME = re.compile(r"[\ue200-\ue5ff]|@?[a-z][\w-]*(?:[./][\w-]+)*")
_PACKAGE = re.compile(r"@?[A-Za-z][\w-]*(?:[./][\w-]+)*")
_NOUN = re.compile(
    r"(?i)\s+(?:(?:npm|python|node)\s+)?(?:packages?|librar(?:y|ies)|libs?|modules?"
    r"|dependenc(?:y|ies)|deps?|gems?|crates?)\b"
    r"|\s+(?:as an?\s+(?:\w+\s+)?|to (?:the |our )?)(?:dependenc(?:y|ies)|deps"
    r"|package\.json)"
)
_OR = re.compile(r"(?i)\s*(?:,\s*(?:or\s+)?|\bor\s+|\band\s+)(?:install\s+|add\s+)?")
_NO_NAME = re.compile(
    r"(?i)(?:new|any\w*|more|other|extra|global\w*|packages?|librar\w+|libs?|modules?|it"
    r"|dependenc\w+|deps?|software|tools?|things?|stuff|use|prefer|the|your|my|these|this)\b"
)
_EVERYWHERE = re.compile(
    r"(?i)\s*(?:ever\s+)?install(?:ing)?\b(?:\s+(?!or\b)[\w-]+){0,3}?\s+"
    r"(?:globally|system[- ]?wide)\b"
)


def package_phrase(ban: Ban) -> Phrase | None:
    """Return the tests for a ban on packages at the beginning of a ban."""
    everywhere = _EVERYWHERE.match(ban.text)
    if everywhere:
        return Phrase(_global(), everywhere.end())
    verb = _VERB.match(ban.text)
    if not verb:
        return None
    names, end = _names(ban, verb.end())
    noun = _NOUN.match(ban.text, end)
    if not names or not (noun or ban.wanted or not verb["add"]):
        return None
    end = noun.end() if noun else end
    listed = "|".join(re.sub(r"[.]", r"\\.", name) for name in names)
    added: dict[str, Any] = {
        "command": [list(line) for line in _ADDERS],
        "regex": rf"(?i)^(npm:)?({listed})($|[@=<>~!:;\[])",
    }
    edited = {
        "action": "ask",
        "path": _MANIFESTS,
        "operation": "change",
        "regex": rf"(?i)(^|[\s\"'/])({listed})($|[\s\"'@=<>~!:;\[])",
    }
    return Phrase((added, edited), after_fillers(ban.text, end))


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
