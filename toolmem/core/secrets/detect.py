"""Find credentials in a text: known token shapes, and random values.

A shape is tried only in a text with one of its keywords, so that a plain line costs a
few substring searches. A value next to a word such as ``password`` must also look
random (see ``prose`` for plain sentences). Placeholders, variables, hashes, UUIDs, git
ids and addresses are not credentials.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.secrets.keys import key_bodies, lone_secrets, url_credentials
from toolmem.core.secrets.options import option_passwords
from toolmem.core.secrets.possession import possessed_credentials
from toolmem.core.secrets.prose import spoken_credentials
from toolmem.core.secrets.shapes import (
    DUMMY,
    HEADER,
    OPTION_HEADER,
    PLACEHOLDER,
    SEQUENCE,
    TOKENS,
    URL_PASSWORD,
)
from toolmem.errors import SecretError

REDACTED = "[redacted]"


class SecretMatch(NamedTuple):
    """Kind and place of a credential: ``text[start:end]``."""

    kind: str
    start: int
    end: int


_WORDS = (
    "pass",
    "pw",
    "secret",
    "token",
    "cred",
    "auth",
    "key",
    "pin",
    "code",
    "wort",
    "contrase",
    "senha",
    "пароль",
    "密",
    "口令",
    "令牌",
    "パスワード",
    "비밀번호",
    "토큰",
)
_NESTED_VALUES = 3
"""Keywords inside one value that are examined: a bound on hostile text."""
_FLAG = r"--[\w-]*\Z"
_LONG_RUN = re.compile(r"[\w.+/=:-]{19}")
"""No token is shorter; most lines of prose and code have no such run."""
_EDGE = r"(?:(?<![\w-])|(?<=\\[nrt]))"
"""A token starts here; excluding its own characters keeps the search linear."""

_PEM_BEGIN = r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----"
_PEM_BODY = r"(?:[A-Za-z0-9+/=\s]|\\n|\\r){40}"
_PEM_CHARS = 20_000

_VARIABLE_STARTS = ("$", "%", "{", "<", "@", "&", "[", "#{", "!", "*", "~", "/", "./")
_VARIABLE_PARTS = ("${", "{{", "%(", "$(", "://", "->", "::", "@{")
_UUID = r"(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_HEX = r"(?i)[0-9a-f]+"
_DIGEST = r"(?i)(?:sha\d{1,3}|md5|blake\d\w?)[-:=]"
_EMAIL = r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
_RUNS = r"[A-Z]?[a-z]+|[A-Z]+|\d+"
_PASSWORD_SYMBOLS = frozenset("!@#$%^&*+?=~|")
_OTHER_NAME = (
    r"(?i)(?:hash|sha\d*|digest|checksum|page|next|prev|previous|cursor|sync|continuation"
    r"|public|cache|idempotency|object|s3|max|min|num|total|per|input|output"
    r"|completion|prompt)(?:ed)?[_\- ]?\Z"
)
"""Words before a keyword whose value is not a credential: ``page_token``."""


def find_secrets(text: str) -> tuple[SecretMatch, ...]:
    """Return the credentials in a text, in order and without overlap."""
    found = sorted(_all(text), key=lambda find: (find.start, -find.end))
    matches: list[SecretMatch] = []
    for find in found:
        if not matches or find.start >= matches[-1].end:
            matches.append(find)
        elif find.end > matches[-1].end:
            matches[-1] = SecretMatch(matches[-1].kind, matches[-1].start, find.end)
    return tuple(matches)


def refuse_secrets(
    text: str, what: str, known: str = "", *, way_out: bool = True
) -> None:
    """Raise ``SecretError`` with kind and place if a text contains a credential.

    One that is already in the ``known`` text is accepted. ``way_out`` adds a hint to
    the option that overrides the check.
    """
    allow = " (use --allow-secret if it is not one)" if way_out else ""
    for found in find_secrets(text):
        if text[found.start : found.end] not in known:
            raise SecretError(
                f"the {what} contains a secret ({found.kind}) at "
                f"{_place(text, found)}: "
                "do not store secrets in a vault; write where the secret is stored "
                f"instead{allow}"
            )


def _place(text: str, found: SecretMatch) -> str:
    line = text.count("\n", 0, found.start) + 1
    column = found.start - text.rfind("\n", 0, found.start)
    return f"line {line}, character {column}" if line > 1 else f"character {column}"


def redact(text: str) -> str:
    """Return the text with each credential replaced by ``[redacted]``."""
    pieces: list[str] = []
    at = 0
    for find in find_secrets(text):
        pieces += (text[at : find.start], REDACTED)
        at = find.end
    return "".join((*pieces, text[at:])) if pieces else text


def redact_as_in(text: str, *sources: str) -> str:
    """Redact a text, and in it every credential of its sources.

    A part of a sentence may lack the word that makes another word a credential.
    """
    for source in sources:
        for find in find_secrets(source):
            text = text.replace(source[find.start : find.end], REDACTED)
    return redact(text)


def _all(text: str) -> Iterator[SecretMatch]:
    if _LONG_RUN.search(text):
        yield from _by_shape(text)
    if "PRIVATE KEY" in text:
        yield from _pem(text)
    lowered = _lowered(text)
    if any(word in lowered for word in _WORDS):
        yield from _of("password or token", possessed_credentials(text, lowered))
    yield from _of("password or token", spoken_credentials(text, lowered))
    yield from _of("URL parameter", url_credentials(text))
    if "bearer" in lowered or "authorization" in lowered or "x-api-" in lowered:
        yield from _values("authorization header", HEADER, text)
    if "-h" in lowered:
        yield from _passwords("authorization header", OPTION_HEADER, text)
    if "://" in text and "@" in text:
        yield from _passwords("URL password", URL_PASSWORD, text)
    if " -" in text or "/" in text:
        yield from _of("command line password", option_passwords(text))


def _by_shape(text: str) -> Iterator[SecretMatch]:
    for kind, words, shape in TOKENS:
        if any(word in text for word in words):
            yield from _tokens(kind, f"{_EDGE}(?:{shape})(?![A-Za-z0-9])", text)
    yield from _of("private key", key_bodies(text))
    yield from _of("AWS secret", lone_secrets(text))


def _of(kind: str, places: Iterable[tuple[int, int]]) -> Iterator[SecretMatch]:
    return (SecretMatch(kind, start, end) for start, end in places)


def _lowered(text: str) -> str:
    """Return the text in lower case, with all offsets unchanged."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(char.lower() if char.isascii() else char for char in text)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compile at first use: most texts need none of the shapes."""
    return re.compile(pattern)


def _tokens(kind: str, pattern: str, text: str) -> Iterator[SecretMatch]:
    for match in _compiled(pattern).finditer(text):
        body = match[0][4:]
        if not _is_placeholder(body) and entropy(body) >= limits.SECRET_BODY_ENTROPY:
            yield SecretMatch(kind, match.start(), match.end())


def _pem(text: str) -> Iterator[SecretMatch]:
    """Find keys from BEGIN to END, or to the maximal length of one that is cut off."""
    last_end = text.rfind("-----END ")
    at = 0
    while begin := _compiled(_PEM_BEGIN).search(text, at):
        at = begin.end()
        if not _compiled(_PEM_BODY).search(text, at, at + 200):
            continue
        end = text.find("-----END ", at, at + _PEM_CHARS) if last_end >= at else -1
        line = text.find("-----", end + 9) if end >= 0 else -1
        at = line + 5 if line >= 0 else min(len(text), at + _PEM_CHARS)
        yield SecretMatch("private key", begin.start(), at)


def _values(kind: str, pattern: str, text: str) -> Iterator[SecretMatch]:
    for match in _compiled(pattern).finditer(text):
        if _looks_random(match["value"]):
            yield SecretMatch(kind, match.start("value"), match.end("value"))


def _passwords(kind: str, pattern: str, text: str) -> Iterator[SecretMatch]:
    """Find values where only a password is possible; placeholders are exempt."""
    for match in _compiled(pattern).finditer(text):
        value = match["value"]
        if not _is_placeholder(value) and not _is_variable(value):
            yield SecretMatch(kind, match.start("value"), match.end("value"))


def _looks_random(value: str, password: bool = False) -> bool:
    """Return True if a value next to a keyword is a credential, not code or prose."""
    if len(value) < 8 or _is_placeholder(value) or _is_variable(value):
        return False
    if _compiled(SEQUENCE).search(value):
        return False
    if (
        " " in value
        or _compiled(_UUID).fullmatch(value)
        or _compiled(_DIGEST).match(value)
    ):
        return False
    if _compiled(_EMAIL).fullmatch(value):
        return False
    if _compiled(_HEX).fullmatch(value):
        return len(value) >= 16 and entropy(value) >= limits.SECRET_BODY_ENTROPY
    digits = any(char.isdigit() for char in value)
    letters = any(char.isalpha() for char in value)
    if password and digits and letters and _PASSWORD_SYMBOLS & set(value):
        return True
    if not letters or _is_wordlike(value):
        return False
    if digits:
        return entropy(value) >= limits.SECRET_ENTROPY
    mixed = value != value.lower() and value != value.upper()
    return mixed and len(value) >= 20 and entropy(value) > limits.SECRET_ENTROPY


def _is_placeholder(value: str) -> bool:
    return value.lower() in DUMMY or bool(_compiled(PLACEHOLDER).search(value))


def _is_variable(value: str) -> bool:
    return value.startswith(_VARIABLE_STARTS) or any(
        part in value for part in _VARIABLE_PARTS
    )


def _is_wordlike(value: str) -> bool:
    """Return True if the value reads as names: ``db.password2``, ``userToken``.

    Names have digits at the end of a part only, and words of three or more letters on
    average.
    """
    for part in filter(None, re.split(r"[^A-Za-z0-9]+", value)):
        runs = _compiled(_RUNS).findall(part)
        words = [run for run in runs if not run.isdigit()]
        numbers = [run for run in runs if run.isdigit()]
        if len(numbers) > 1 or (numbers and len(numbers[0]) > 4):
            return False
        if numbers and not runs[-1].isdigit():
            return False
        if words and len(words) * 3 > len("".join(words)) and len(part) > 3:
            return False
    return True


def entropy(value: str) -> float:
    """Return Shannon's entropy of the characters, in bits per character."""
    size = len(value)
    return -sum(
        count / size * math.log2(count / size) for count in Counter(value).values()
    )
