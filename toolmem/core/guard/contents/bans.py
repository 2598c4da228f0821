"""Derive guards on what a call adds: a literal that a rule bans in code or in messages.

The literal is not a plain word, and no command: "never leave `console.log` in code" is
one, "never run `git push`" and "no clever tricks" are none.
"""

import re
from typing import Any

from toolmem.core import limits
from toolmem.core.guard.contents.forms import BanForm, forms_of, sentences
from toolmem.core.guard.derivation.duty_words import (
    CODE,
    PATHS,
    Text,
    is_pathlike,
    kind_patterns,
    pattern_of,
    with_codes,
)
from toolmem.core.guard.derivation.programs import ENGLISH, PROGRAMS

_MESSAGES = re.compile(
    r"(?i)(?:the\s+|our\s+|any\s+|your\s+|git\s+)*(?:commits?(?:\s+(?:messages?|logs?"
    r"|bod(?:y|ies)|trailers?))?|messages?|(?:prs?|pull requests?)(?:\s+(?:body|bodies"
    r"|descriptions?|titles?))?)(?:\s+(?:and|or)\s+(?:commits?|prs?|pull requests?))?"
)
_TRAILER = re.compile(r"[A-Z][A-Za-z]+(?:-[A-Za-z]+)+(?::.*)?")
_ANY_CODE = re.compile(
    r"(?i)(?:(?:the|our|any|new|committed|checked-in|production|source|this)\s+)*"
    r"(?:\w+\s+)?(?:code|codebase|source|sources|files|repo|repository|project"
    r"|components?|modules?|quer(?:y|ies)|functions?|class(?:es)?|methods?|comments?"
    r"|strings?|code base|lines?|statements?|expressions?|here)"
)
_KIND_NOUN = re.compile(
    r"(?i)(?:(?:the|our|any|new)\s+)*(?P<kind>[\w+#]+)(?:\s+(?:files?|code|sources?|scripts?|tests?"
    r"|modules?|components?|projects?|programs?))?"
)
_TESTS = ("**/test/**", "**/tests/**", "**/__tests__/**", "**/spec/**", "test_*",
          "*_test.*", "*.test.*", "*.spec.*", "*_spec.*")  # fmt: skip
_DOCS = ("**/docs/**", "**/doc/**", "*.md")
_NAMED = {
    "tests": _TESTS, "test": _TESTS, "specs": _TESTS, "unit tests": _TESTS,
    "docs": _DOCS, "documentation": _DOCS, "doc": _DOCS,
    "workflows": (".github/workflows/**",), "dockerfiles": ("*Dockerfile*",),
    "jsx": ("*.jsx", "*.tsx"), "tsx": ("*.tsx",), "react": ("*.jsx", "*.tsx"),
    "dockerfile": ("*Dockerfile*",), "makefiles": ("*Makefile*",),
}  # fmt: skip
_FOLDER = re.compile(
    r"(?i)(?:(?:the|our)\s+)?(?P<name>[a-z][\w-]*)(?:\s+(?:folder|dir))?"
)
_NO_FOLDERS = ("production", "prod", "general", "place", "public", "practice",
               "git", "github", "npm", "ci")  # fmt: skip
_CONDITION = re.compile(
    r"(?i)\b(?:unless|except|without|if|when|while|until|before|after|more than"
    r"|too many|outside|other than|apart)\b"
)
_CODE_LIKE = re.compile(r"[.()@#$:;/\[\]{}!=<>_*\\&|%^~+]|[a-z][A-Z]|[^\x00-\x7f]")
_HYPHENED = re.compile(r"[a-z]+(?:-[a-z]+)+")
_IMPORTS = re.compile(r"(?i)import")
_MODULE = re.compile(
    r"(?!(?:data|it|them|anything|everything|things|stuff|files|modules|packages)$)@?[\w-]+(?:[./][\w-]+)*"
)
_POINTED = re.compile(
    r"(?P<words>(?:[A-Za-z]+\s+){1,5}?)(?P<how>(?:with|by|via|through|using)\s+)?"
    rf"(?P<literal>{CODE}|\S*[^\w\s,]\S*)"
)
_NO_LITERAL = re.compile(
    r"(?i)\b(?:for|of|to|in|on|against|about|from|into|files?|folders?|director\w+|dir"
    r"|branch\w*|commands?|scripts?|tools?|paths?|packages?|that|which|run\w*|like|as)\b"
)
_WRITES = re.compile(
    r"(?i)(?:disabl|skip|silenc|suppress|ignor|mut|switch|turn|mark|log|print|debug"
    r"|sleep|wait|swallow|cast|escap|mock|focus|hid|comment|catch|style)\w*"
)
"""Verbs of what is done in code with the literal after "with"."""


def derive_contents(rule: str) -> tuple[tuple[dict[str, Any], ...], str]:
    """Return the guard tables of literals that a rule bans, and the rest of the rule:
    the sentences that ban none."""
    if len(rule) > 4 * limits.RULE_CHARS or rule.rstrip().endswith("?"):
        return (), rule
    text = with_codes(_without_single_quotes(rule))
    tables: list[dict[str, Any]] = []
    rest = []
    for sentence in sentences(text.text):
        found = _table(text, sentence)
        tables += [found] if found else []
        rest += [] if found else [text.quoted(sentence)]
    return tuple(tables), ". ".join(rest) if tables else rule


def _without_single_quotes(rule: str) -> str:
    return re.sub(r"(?<![\w])['‘]([^'’\n]{2,80})['’](?!\w)", r"`\1`", rule)


def _table(text: Text, sentence: str) -> dict[str, Any] | None:
    if _CONDITION.search(sentence) or sentence.isupper():
        return None
    read = (_of_form(text, form) for form in forms_of(sentence))
    return next(filter(None, read), None)


def _of_form(text: Text, form: BanForm) -> dict[str, Any] | None:
    """Return the table of a ban; None if its words are no literal, or no place."""
    place = form.place
    is_message = bool(place) and _MESSAGES.fullmatch(place) is not None
    named = form.called in ("word", "text", "string", "literal", "phrase")
    written = re.match(r"(?i)add|leav|writ|put|commit|insert", form.verb)
    into_files = bool(written and _kind(place))
    if _IMPORTS.match(form.verb) and _MODULE.fullmatch(text.plain(form.text)):
        literals = _imported(text.plain(form.text))
    else:
        words = form.aside or form.text
        sure = is_message or named or into_files
        literals = _literals(text, words, sure=sure) if form.has_verb else ()
        literals = literals or _pointed_at(text, form)
        if not _is_known(text, form, literals, named=named or is_message):
            return None
    if not literals:
        return None
    trailers = all(map(_TRAILER.fullmatch, literals))
    if is_message or (trailers and (not place or _ANY_CODE.fullmatch(place))):
        return _of_messages(literals)
    patterns = _patterns(text, place) if place else ("**",)
    if patterns is None:
        return None
    return {"action": "deny", "adds": _one(literals), "path": _one(patterns)}


def _is_known(
    text: Text, form: BanForm, literals: tuple[str, ...], *, named: bool
) -> bool:
    """Return True if literals are no words that prose may have, or said to be code."""
    noun = form.noun and literals != ("\t",)
    written = re.match(r"(?i)add|leav|writ|put|commit", form.verb) is not None
    known = bool(named or noun or _kind(form.place))
    known |= written and all(map(str.isupper, literals))
    hyphened = all(map(_HYPHENED.fullmatch, literals))
    if hyphened and not form.noun and not re.search(CODE, form.aside or form.text):
        return False
    return known or not any(map(_is_word, literals))


def _imported(module: str) -> tuple[str, ...]:
    """Return how source text names a module that it imports."""
    quoted = [f"{mark}{module}{end}" for mark in "'\"" for end in (mark, "/")]
    return (*quoted, f"import {module}", f"from {module}", f"use {module}::")


def _pointed_at(text: Text, form: BanForm) -> tuple[str, ...]:
    """Return the literal that words end with: "the IP 10.0.0.1"."""
    found = _POINTED.fullmatch(form.text)
    if not found or _NO_LITERAL.search(found["words"]):
        return ()
    verb = form.verb or found["words"]
    if (found["how"] or not form.has_verb) and not _WRITES.match(verb):
        return ()
    return _literals(text, found["literal"], sure=False)


def _is_word(literal: str) -> bool:
    """Return True for a word that prose may have, too, and for white space."""
    if literal.isspace():
        return True
    return literal.isalpha() and (literal.islower() or literal.isupper())


def _kind(place: str) -> tuple[str, ...]:
    """Return the patterns of the kind of files that a place is."""
    kind = _KIND_NOUN.fullmatch(place)
    return kind_patterns(kind["kind"]) if kind else ()


def _of_messages(literals: tuple[str, ...]) -> dict[str, Any]:
    lines = [["git", "commit"], ["gh", "pr"]]
    return {"action": "deny", "adds": _one(literals), "command": lines}


def _one(texts: tuple[str, ...]) -> str | list[str]:
    return texts[0] if len(texts) == 1 else list(texts)


def _literals(text: Text, words: str, *, sure: bool) -> tuple[str, ...]:
    """Return the literals that words are; empty if a piece may mean anything else."""
    if words.lower() in ("tab", "tabs", "tab characters"):
        return ("\t",)
    pieces = re.split(r"\s*(?:,|\bor\b|\band\b|/(?=\s))\s*", words.strip())
    found = [_literal(text, piece, sure=sure) for piece in pieces if piece]
    return tuple(found) if found and all(found) else ()


def _literal(text: Text, piece: str, *, sure: bool) -> str:
    spans = re.findall(CODE, piece)
    bare = re.sub(CODE, "", piece).strip()
    if len(spans) == 1 and _SKIPPED.issuperset(bare.lower().split()):
        code = text.code(spans[0])
        return _shortened(code) if sure or _is_literal(code, sure=True) else ""
    if spans or not piece:
        return ""
    # bare words: the last run of tokens that are no words
    tokens = piece.split()
    if sure and len(tokens) == 1 and re.fullmatch(r"[A-Z]\w+|[a-z]+[^\Ws]", piece):
        return tokens[0]
    if len(tokens) > 1 and tokens[0] in _MARKS:
        return piece
    while tokens and not _is_token(tokens[0]):
        if tokens[0].lower() not in _SKIPPED:
            return ""
        del tokens[0]
    if not tokens or not all(map(_is_token, tokens)) or tokens[-1][:1] == "(":
        return ""
    literal = " ".join(tokens)
    return _shortened(literal) if _is_literal(literal, sure=False) else ""


_MARKER = re.compile(r"TODO|FIXME|XXX+|HACK|WIP|TBD|BUG|NOTE|DEBUG|NOCOMMIT|SELECT")
"""Capitals that mark code, other than names of things: HTTP, SQL."""
_MARKS = ("#", "//", "--", "/*", ";;")
"""Marks of a comment in code."""
_SKIPPED = frozenset("emojis emoji like such as the word words any".split())


def _is_token(token: str) -> bool:
    return (
        bool(_CODE_LIKE.search(token))
        or _MARKER.fullmatch(token) is not None
        or _HYPHENED.fullmatch(token) is not None
        or _TRAILER.fullmatch(token) is not None
    ) and not token.endswith((".", ",", ":"))


def _is_literal(text: str, *, sure: bool) -> bool:
    """Return True for a piece of code or of a message; False for a plain word, for a
    command and for a path."""
    words = text.split()
    first = words[0] if words else ""
    if not first or ("/" in first and is_pathlike(text) and not text.startswith("//")):
        return False
    is_command = first in PROGRAMS and (len(words) > 1 or first not in ENGLISH)
    if first.startswith("-") or is_command:
        return False
    if re.search(r"\.[a-z]{2,4}$", first) and len(words) == 1 and _is_file(first):
        return False
    if len(words) > 1 and not _CODE_LIKE.search(text):
        return sure and len(words) <= 4
    if _HYPHENED.fullmatch(text) or _TRAILER.fullmatch(text):
        return True
    return bool(_CODE_LIKE.search(text) or re.fullmatch(r"[A-Z]{3,}", text)) or (
        sure and text.isidentifier() and text not in PROGRAMS
    )


_SUFFIXES = frozenset(
    "env md txt json yml yaml toml lock py js ts go rs rb sh css html sql cfg ini csv"
    " pem key xml".split()
)


def _is_file(text: str) -> bool:
    return text.rpartition(".")[2] in _SUFFIXES


def _shortened(literal: str) -> str:
    """Return a literal as it is found: a call with any arguments for ``eval()``."""
    if literal.endswith("()"):
        return literal.removesuffix(")")
    return literal.removesuffix(";") if literal[:-1].isidentifier() else literal


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
