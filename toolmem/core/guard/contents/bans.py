"""Derive guards on what a call adds: a literal that a rule bans in code or in messages.

The literal is not a plain word, and no command: "never leave `console.log` in code" is
one, "never run `git push`" and "no clever tricks" are none.
"""

import re
from collections.abc import Iterator
from typing import Any

from toolmem.core import limits
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

_SENTENCE = re.compile(r"[;!](?=\s|$)|\.(?=\s|$)|\n|\s[-–—]\s")
_VERB = (
    r"(?:leav|add|us|writ|put|commit|introduc|call|includ|insert|set|hard-?cod|keep"
    r"|check in|ship|ever us|sprinkl|plac)(?:e|ing|ting|ping)?"
)
_NO = (
    r"(?:never(?: ever)?|do not(?: ever)?|don['’]?t(?: ever)?|must not|should not|avoid"
    r"|stop|no more|no)"
)
_LEAD = r"(?:(?:please|and|also|you|we|again|in this repo|from now on|always)[,:]?\s+)*"
_WORD = r"[^\s,;`]"
_NOUN = (
    r"(?:\s+(?:comments?|directives?|lines?|trailers?|tags?|markers?|statements?|calls?"
    r"|links?|casts?|characters?|footers?|imports?|debugging|suppressions?|annotations?"
    r"|keyword|hacks?|attributes?|flags?))?"
)
_PLACE = (
    r"(?:\s+(?:(?:anywhere|ever)\s+)?(?:in|into|to|from|on|under)\s+"
    r"(?P<place>.+?))?"
)
_POLITE = r"(?:\s*,?\s*(?:please|anymore|any more|again|ever|at all))*"
_TURN = r"(?:\s*,\s*(?:use|only|prefer|but use|rather|we use|always use)\b.*)?"
_BAN = re.compile(
    rf"(?i){_LEAD}(?P<cue>{_NO})\s+(?:(?P<verb>{_VERB})\s+)?"
    r"(?:(?:any|the|a|an|our|new|more|on)\s+)*"
    rf"(?:(?:word|text|string|literal|phrase|\w+['’]s)\s+)?(?P<text>.+?)(?P<noun>{_NOUN})"
    rf"{_PLACE}"
    rf"{_POLITE}{_TURN}"
)
_PASSIVE = re.compile(
    rf"(?i){_LEAD}(?:(?:the|any|all)\s+)?(?:(?:word|text|string|phrase)\s+)?"
    rf"(?P<text>.+?){_NOUN}\s+(?:(?:is|are)\s+(?:forbidden|banned|not allowed"
    r"|prohibited|never allowed|not ok|off limits)|(?:must|should|may|can)\s+(?:not"
    r"|never)\s+(?:be\s+(?:added|used|written|committed|left|introduced|called)|appear"
    r"|show up|occur|land|end up)|(?:does|do)\s*(?:not|n['’]?t)\s+belong|has no place)"
    rf"{_PLACE}{_POLITE}(?:\s+\((?P<aside>[^()]+)\))?{_TURN}"
)
_IN_MESSAGES = re.compile(
    rf"(?i){_LEAD}(?:(?:git\s+)?commit(?:\s+messages?|s)?|commits|messages of commits"
    r"|prs?|pull requests?(?:\s+(?:bodies|descriptions?))?)\s+(?:must|should|may|can)"
    r"\s+(?:not|never)\s+(?:contain|have|include|mention|carry)\s+(?:the\s+|any\s+)?"
    rf"(?P<text>.+?){_NOUN}{_POLITE}"
)
_MESSAGES = re.compile(
    r"(?i)(?:the\s+|our\s+|any\s+|your\s+|git\s+)*(?:commits?(?:\s+(?:messages?|logs?"
    r"|bod(?:y|ies)|trailers?))?|messages?|(?:prs?|pull requests?)(?:\s+(?:body|bodies"
    r"|descriptions?|titles?))?)(?:\s+(?:and|or)\s+(?:commits?|prs?|pull requests?))?"
)
_TRAILER = re.compile(r"[A-Z][A-Za-z]+(?:-[A-Za-z]+)+(?::.*)?")
_ANY_CODE = re.compile(
    r"(?i)(?:(?:the|our|any|new|committed|checked-in|production|source|this)\s+)*"
    r"(?:\w+\s+)?(?:code|codebase|source|sources|files|repo|repository|project"
    r"|components?|modules?)"
)
_KIND_NOUN = re.compile(
    r"(?i)(?:(?:the|our|any|new)\s+)*(?P<kind>[\w+#]+)(?:\s+(?:files?|code|sources?))?"
)
_TESTS = ("**/test/**", "**/tests/**", "**/__tests__/**", "**/spec/**", "test_*",
          "*_test.*", "*.test.*", "*.spec.*", "*_spec.*")  # fmt: skip
_NAMED = {
    "tests": _TESTS, "test": _TESTS, "specs": _TESTS, "unit tests": _TESTS,
    "workflows": (".github/workflows/**",), "dockerfiles": ("*Dockerfile*",),
    "dockerfile": ("*Dockerfile*",), "makefiles": ("*Makefile*",),
}  # fmt: skip
_FOLDER = re.compile(
    r"(?i)(?:(?:the|our)\s+)?(?P<name>[a-z][\w-]*)(?:\s+(?:folder|dir))?"
)
_NO_FOLDERS = ("production", "prod", "general", "place", "public", "practice")
_NEEDS_VERB = (
    "never",
    "do not",
    "don't",
    "don’t",
    "never ever",
    "must not",
    "should not",
)
_CONDITION = re.compile(
    r"(?i)\b(?:unless|except|without|if|when|while|until|before|after|because|instead"
    r"|rather|more than|too many|outside|other than|apart)\b"
)
_CODE_LIKE = re.compile(r"[.()@#$:/\[\]{}!=<>_*\\&|%^~+]|[a-z][A-Z]|[^\x00-\x7f]")
_HYPHENED = re.compile(r"[a-z]+(?:-[a-z]+)+")


def derive_contents(rule: str) -> tuple[tuple[dict[str, Any], ...], str]:
    """Return the guard tables of literals that a rule bans, and the rest of the rule:
    the sentences that ban none."""
    if len(rule) > 4 * limits.RULE_CHARS or rule.rstrip().endswith("?"):
        return (), rule
    text = with_codes(_without_single_quotes(rule))
    tables: list[dict[str, Any]] = []
    rest = []
    for sentence in _sentences(text.text):
        found = _table(text, sentence)
        tables += [found] if found else []
        rest += [] if found else [text.quoted(sentence)]
    return tuple(tables), ". ".join(rest) if tables else rule


def _without_single_quotes(rule: str) -> str:
    return re.sub(r"(?<![\w])['‘]([^'’\n]{2,80})['’](?!\w)", r"`\1`", rule)


def _sentences(text: str) -> Iterator[str]:
    start = 0
    for end in _SENTENCE.finditer(text):
        yield text[start : end.start()].strip(" -*•\t")
        start = end.end()
    yield text[start:].strip(" -*•\t").removesuffix(".")


def _table(text: Text, sentence: str) -> dict[str, Any] | None:
    if _CONDITION.search(sentence):
        return None
    found = _IN_MESSAGES.fullmatch(sentence)
    if found:
        literals = _literals(text, found["text"], sure=True)
        return _of_messages(literals) if literals else None
    found = _BAN.fullmatch(sentence) or _PASSIVE.fullmatch(sentence)
    if not found or sentence.isupper():
        return None
    groups = found.groupdict()
    if not groups.get("verb", True) and groups["cue"].lower() in _NEEDS_VERB:
        return None
    place = (groups["place"] or "").strip()
    is_message = bool(place) and _MESSAGES.fullmatch(place) is not None
    words = groups.get("aside") or groups["text"]
    named = " word " in f" {sentence.split(chr(0xE200))[0].lower()} "
    literals = _literals(text, words, sure=is_message or named)
    hyphened = all(map(_HYPHENED.fullmatch, literals))
    written = re.match(r"(?i)add|leav|writ|put|commit", groups.get("verb") or "")
    noun = groups.get("noun") and literals != ("\t",)
    known = bool(named or is_message or noun or _kind(place))
    known |= written is not None and all(map(str.isupper, literals))
    if not known and any(map(_is_word, literals)):
        return None
    if not literals or (
        hyphened and not groups.get("noun") and not re.search(CODE, words)
    ):
        return None
    if is_message or (not place and all(map(_TRAILER.fullmatch, literals))):
        return _of_messages(literals)
    if all(map(_TRAILER.fullmatch, literals)) and _ANY_CODE.fullmatch(place):
        return _of_messages(literals)
    patterns = _patterns(text, place) if place else ("**",)
    if patterns is None:
        return None
    return {"action": "deny", "adds": _one(literals), "path": _one(patterns)}


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
    if sure and len(tokens) == 1 and tokens[0].isalpha():
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


_MARKS = ("#", "//", "--", "/*", ";;")
"""Marks of a comment in code."""
_SKIPPED = frozenset("emojis emoji like such as the word words any".split())


def _is_token(token: str) -> bool:
    return (
        bool(_CODE_LIKE.search(token))
        or re.fullmatch(r"[A-Z]{3,}", token) is not None
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
    return literal.removesuffix(")") if literal.endswith("()") else literal


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
