"""Derive guards on what a call adds: a literal that a rule bans in code or in messages.

The literal is not a plain word, and no command: "never leave `console.log` in code" is
one, "never run `git push`" and "no clever tricks" are none.
"""

import re
from typing import Any

from toolmem.core.guard.contents.forbidden import Forbidden, forbidden_in
from toolmem.core.guard.contents.literals import (
    TRAILER,
    Mention,
    is_literal,
    is_word,
    mentions_in,
    shortened,
)
from toolmem.core.guard.derivation.files import (
    PATHS,
    is_pathlike,
    kind_patterns,
    pattern_of,
)
from toolmem.core.guard.derivation.objects.addresses import one_or_list
from toolmem.core.guard.derivation.objects.settings import setting_phrase
from toolmem.core.guard.derivation.objects.tools import names_tool
from toolmem.core.guard.derivation.places import ZONES
from toolmem.core.guard.derivation.reading.sentence import Ban

_MESSAGES = re.compile(
    r"(?i)(?:(?:the|our|any|your|git|a)\s+)*(?:commits?(?:\s+(?:messages?|logs?"
    r"|bod(?:y|ies)|trailers?))?|messages?|(?:prs?|pull requests?)(?:\s+(?:body"
    r"|bodies|descriptions?|titles?))?)(?:\s+(?:and|or)\s+(?:commits?|prs?"
    r"|pull requests?))?"
)
_COMMITS = re.compile(r"(?i)(?:(?:a|any|the|your|our)\s+)*commits?")
_ANY_CODE = re.compile(
    r"(?i)(?:(?:the|our|any|new|committed|checked-in|production|source|this|an?"
    r"|your)\s+)*(?:\w+\s+)?(?:code|codebase|tree|crates?|service|apps?|applications?"
    r"|library|packages?|(?:everything|anything|what|whatever|things) (?:you"
    r"|we) \w+(?: in)?|source|sources|files|repo|repository|project|components?"
    r"|modules?|calls?|requests?|handlers?|quer(?:y|ies)|functions?|class(?:es)?|methods?|comments?|strings?"
    r"|code base|lines?|statements?|expressions?|here)"
)
_KIND_NOUN = re.compile(
    r"(?i)(?:(?:the|our|any|new|an?|your|all|no)\s+)*(?P<kind>[\w+#]+)(?:\s+(?:files?"
    r"|code|sources?|scripts?|tests?|modules?|components?|projects?|programs?))?"
)
_TESTS = ("**/test/**", "**/tests/**", "**/__tests__/**", "**/spec/**", "test_*",
          "*_test.*", "*.test.*", "*.spec.*", "*_spec.*")  # fmt: skip
_STYLES = ("*.css", "*.scss", "*.sass", "*.less")
_TEMPLATES = ("**/templates/**", "*.html", "*.j2", "*.jinja", "*.erb", "*.hbs", "*.ejs",
              "*.tmpl", "*.twig", "*.mustache")  # fmt: skip
_DOCS = ("**/docs/**", "**/doc/**", "*.md")
_NAMED = {
    "tests": _TESTS, "test": _TESTS, "specs": _TESTS, "unit tests": _TESTS,
    "docs": _DOCS, "documentation": _DOCS, "doc": _DOCS,
    "workflows": (".github/workflows/**",), "dockerfiles": ("*Dockerfile*",),
    "jsx": ("*.jsx", "*.tsx"), "tsx": ("*.tsx",), "react": ("*.jsx", "*.tsx"),
    "stylesheets": _STYLES, "styles": _STYLES, "templates": _TEMPLATES,
    "dockerfile": ("*Dockerfile*",), "makefiles": ("*Makefile*",),
}  # fmt: skip
_FOLDER = re.compile(
    r"(?i)(?:(?:the|our)\s+)?(?P<name>[a-z][\w-]*)(?:\s+(?:folder|dir|directory"
    r"|package|module|layer))?"
)
_PULL_REQUESTS = ("create", "edit", "merge")
_NO_FOLDERS = ("production", "prod", "general", "place", "public", "practice",
               "git", "github", "npm", "ci")  # fmt: skip


def content_of(ban: Ban) -> dict[str, Any] | None:
    """Return the guard table of a literal that a ban forbids to write, if it does."""
    if ban.form == "kept":
        return None
    if setting_phrase(ban) or names_tool(ban):
        return None
    read = (_of_reading(ban, reading) for reading in forbidden_in(ban))
    table = next(filter(None, read), None)
    words = (
        ban.form == "contrast" and table and re.fullmatch(r"\w+", str(table["adds"]))
    )
    return None if words and table and table.get("path") == "**" else table


def _of_reading(text: Ban, ban: Forbidden) -> dict[str, Any] | None:
    """Return the table of a ban; None if its words are no literal, or no place."""
    place = ban.place
    is_message = bool(place) and _MESSAGES.fullmatch(place) is not None
    literals = _literals(text, ban, sure=is_message or ban.is_named)
    if not literals or not _is_known(ban, literals, is_message=is_message):
        return None
    is_code = bool(_COMMITS.fullmatch(place)) and any(
        "(" in literal for literal in literals
    )
    trailers = all(map(TRAILER.fullmatch, literals))
    if (is_message and not is_code) or (
        trailers and (not place or _ANY_CODE.fullmatch(place))
    ):
        lines = [["git", "commit"], *(["gh", "pr", act] for act in _PULL_REQUESTS)]
        return {"action": "deny", "adds": one_or_list(literals), "command": lines}
    patterns = _patterns(text, place) if place and not is_code else ("**",)
    if patterns is None:
        return None
    return {
        "action": "deny",
        "adds": one_or_list(literals),
        "path": one_or_list(patterns),
    }


_ALSO = re.compile(r"(?:e\.g\.|i\.e\.|like|such as|or|also)?[,:\s]*", re.I)


def _spelled_out(text: Ban, aside: str) -> Mention | None:
    """Return the literals that words in brackets are: "no console logs (`x()`)"."""
    mention = next(mentions_in(text, aside), None) if aside else None
    if mention is None:
        return None
    around = aside[: mention.start], aside[mention.end :]
    return mention if all(map(_ALSO.fullmatch, around)) else None


def _literals(text: Ban, ban: Forbidden, *, sure: bool) -> tuple[str, ...]:
    """Return the literals of a ban; empty if a piece of it may mean anything else."""
    mention = ban.mention
    if mention.is_module or ban.noun == "imports" or ban.verb.startswith("import"):
        return tuple(way for name in mention.texts for way in _imported(name))
    texts = (_spelled_out(text, ban.aside) or mention).texts
    into = bool(_WRITTEN.match(ban.verb) and _kind(ban.place)) or sure
    literals = [
        shortened(one)
        for one in texts
        if one == "\t" or is_literal(one, sure=into or mention.sure)
    ]
    return tuple(literals) if len(literals) == len(texts) else ()


_WRITTEN = re.compile(r"(?i)add|leav|writ|put|commit|insert")
_WRITES = re.compile(rf"{_WRITTEN.pattern}|hard|embed|past")
_HOST = re.compile(rf"(?:[a-z\d-]+\.)+{ZONES}")


def _is_known(ban: Forbidden, literals: tuple[str, ...], *, is_message: bool) -> bool:
    """Return True if literals are no words that prose may have, or said to be code."""
    if ban.is_named or is_message or _kind(ban.place):
        return True
    if ban.mention.is_idiom and literals != ("\t",):  # "no tabs" may be about looks
        return True
    if not ban.place and any(map(_HOST.fullmatch, literals)):  # a place to connect to
        return _WRITES.match(ban.verb) is not None
    if _WRITTEN.match(ban.verb) and all(map(str.isupper, literals)):
        return True
    return bool(ban.noun and literals != ("\t",)) or not any(map(is_word, literals))


def _imported(module: str) -> tuple[str, ...]:
    """Return how source text names a module that it imports."""
    quoted = [f"{mark}{module}{end}" for mark in "'\"" for end in (mark, "/")]
    return (*quoted, f"import {module}", f"from {module}", f"use {module}::")


def _kind(place: str) -> tuple[str, ...]:
    """Return the patterns of the kind of files that a place is."""
    kind = _KIND_NOUN.fullmatch(place)
    return kind_patterns(kind["kind"]) if kind else ()


def _patterns(text: Ban, place: str) -> tuple[str, ...] | None:
    """Return the patterns of the files of a place; None if they are not known."""
    if _ANY_CODE.fullmatch(place):
        return _kind(place) or ("**",)
    if re.fullmatch(PATHS, place):
        path = text.plain(place)
        return (pattern_of(path),) if is_pathlike(path) else None
    kind = _KIND_NOUN.fullmatch(place)
    if kind:
        known = _NAMED.get(kind["kind"].lower()) or kind_patterns(kind["kind"])
        if known:
            return known
    folder = _FOLDER.fullmatch(place)
    if folder and (name := folder["name"].lower()) not in _NO_FOLDERS:
        other = name.removesuffix("s") if name.endswith("s") else f"{name}s"
        return (f"**/{name}/**", f"**/{other}/**")
    return None
