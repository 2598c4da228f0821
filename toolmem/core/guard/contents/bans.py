"""Derive guards on what a call adds: a literal that a rule bans in code or in messages.

The literal is not a plain word, and no command: "never leave `console.log` in code" is
one, "never run `git push`" and "no clever tricks" are none.
"""

import re
from collections.abc import Iterator
from typing import Any

from toolmem.core import limits
from toolmem.core.guard.contents.forbidden import Forbidden, forbidden_in
from toolmem.core.guard.contents.literals import (
    TRAILER,
    is_literal,
    is_word,
    mentions_in,
    shortened,
)
from toolmem.core.guard.derivation.duty_words import (
    CODE,
    PATHS,
    Text,
    is_pathlike,
    kind_patterns,
    pattern_of,
    with_codes,
)
from toolmem.core.guard.derivation.places import ZONES

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
    r"|modules?|quer(?:y|ies)|functions?|class(?:es)?|methods?|comments?|strings?"
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
_NO_FOLDERS = ("production", "prod", "general", "place", "public", "practice",
               "git", "github", "npm", "ci")  # fmt: skip
_SENTENCE = re.compile(
    r"(?i)[;](?=\s+(?!(?:in|statements?|calls?|lines?)\b)|$)|!(?=\s|$)|\.{1,3}(?=\s"
    r"|$)|(?<=\?)\s|\n|\s[-–—]{1,2}\s(?!(?:unless|except|only|but|if|when)\b)"
    r"|[:,](?=\s+(?:(?:please|pls|and|so|but)\s+)?(?:never|no|do(?:n['’]?t| not)"
    r"|avoid|stop|quit|must not)\s)"
)
_REASON = re.compile(
    r"(?i)\s*,?\s+(?:because|since|so that|as (?:it|they|we|this))\b(?:(?!\b(?:unless"
    r"|except)\b).)*$"
)


_LIMITED = re.compile(
    r"(?i)(?:in|inside|within|under|for|on|with|if|when|while|unless|until|once|after"
    r"|before|during|except|as long as|outside)\b"
)
"""A clause that says where or when the ban after it is in effect."""
_LABEL = re.compile(
    r"(?i)(?:forbidden|banned|prohibited|not allowed|disallowed|off[- ]limits"
    r"|do not use|never use)\s*:\s*"
)
_NEVER = re.compile(r"(?i)\b(?:under no circumstances|in no case|at no time)\b")
_REFERS = re.compile(r"(?i)\b(?:it|this|that|them|these|those)\b")


def derive_contents(rule: str) -> tuple[tuple[dict[str, Any], ...], str]:
    """Return the guard tables of literals that a rule bans, and the rest of the rule:
    the sentences that ban none."""
    if len(rule) > 4 * limits.RULE_CHARS or rule.rstrip().endswith("?"):
        return (), rule
    text = with_codes(_without_single_quotes(rule))
    tables: list[dict[str, Any]] = []
    rest: list[str] = []
    before = ""
    for sentence in _sentences(text.text):
        table = _table(text, sentence) or _table(text, _explained(before, sentence))
        tables += [table] if table else []
        rest += [] if table else [text.quoted(sentence)]
        before = sentence
    return tuple(tables), ". ".join(rest) if tables else rule


def _without_single_quotes(rule: str) -> str:
    return re.sub(r"(?<![\w])['‘]([^'’\n]{2,80})['’](?!\w)", r"`\1`", rule)


def _sentences(text: str) -> Iterator[str]:
    """Yield the clauses of a rule that may forbid something by themselves."""
    start = 0
    for end in _SENTENCE.finditer(text):
        if end[0] in (",", ":") and _LIMITED.match(text[start : end.start()].lstrip()):
            continue
        yield text[start : end.start()].strip(" -*•\t")
        start = end.end()
    yield text[start:].strip(" -*•\t").removesuffix(".")


def _explained(before: str, sentence: str) -> str:
    """Return "do not use it" with the code that the sentence before is about."""
    named = re.findall(CODE, before)
    if len(named) != 1 or re.search(CODE, sentence):
        return ""
    return _REFERS.sub(named[0], sentence, count=1)


def _table(text: Text, sentence: str) -> dict[str, Any] | None:
    if not sentence or sentence.isupper() or sentence.endswith("?"):
        return None
    sentence = _LABEL.sub("never use ", _REASON.sub("", sentence), count=1)
    sentence = _NEVER.sub("never", sentence)
    read = (_of_reading(text, one) for one in forbidden_in(text, sentence))
    return next(filter(None, read), None)


def _of_reading(text: Text, ban: Forbidden) -> dict[str, Any] | None:
    """Return the table of a ban; None if its words are no literal, or no place."""
    place = ban.place
    is_message = bool(place) and _MESSAGES.fullmatch(place) is not None
    literals = _literals(text, ban, sure=is_message or ban.is_named)
    if not literals or not _is_known(ban, literals, is_message=is_message):
        return None
    is_code = bool(_COMMITS.fullmatch(place)) and any("(" in one for one in literals)
    trailers = all(map(TRAILER.fullmatch, literals))
    if (is_message and not is_code) or (
        trailers and (not place or _ANY_CODE.fullmatch(place))
    ):
        lines = [["git", "commit"], ["gh", "pr"]]
        return {"action": "deny", "adds": _one(literals), "command": lines}
    patterns = _patterns(text, place) if place and not is_code else ("**",)
    if patterns is None:
        return None
    return {"action": "deny", "adds": _one(literals), "path": _one(patterns)}


def _literals(text: Text, ban: Forbidden, *, sure: bool) -> tuple[str, ...]:
    """Return the literals of a ban; empty if a piece of it may mean anything else."""
    mention = ban.mention
    if mention.is_module or ban.noun == "imports" or ban.verb.startswith("import"):
        return tuple(way for name in mention.texts for way in _imported(name))
    aside = next(mentions_in(text, ban.aside), None) if ban.aside else None
    texts = (aside or mention).texts
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


def _one(texts: tuple[str, ...]) -> str | list[str]:
    return texts[0] if len(texts) == 1 else list(texts)


def _patterns(text: Text, place: str) -> tuple[str, ...] | None:
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
