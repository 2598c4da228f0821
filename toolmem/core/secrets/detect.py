"""Find credentials in a text.

Known shapes of tokens, addresses, command lines and tables are certain; ``prose`` has
the decision on words next to one such as ``password``. A shape is tried only in a text
with one of its keywords, so that a plain line costs a few substring searches.
Placeholders, variables, hashes, UUIDs, git ids and addresses are not credentials.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.secrets import nouns, prose, values
from toolmem.core.secrets.keys import (
    key_bodies,
    lone_secrets,
    seed_phrases,
    url_credentials,
)
from toolmem.core.secrets.options import option_passwords
from toolmem.core.secrets.shapes import (
    HEADER,
    LOGIN_AT_HOST,
    OPTION_HEADER,
    PGPASS,
    TOKENS,
    URL_PASSWORD,
    URL_TOKEN,
)
from toolmem.core.secrets.tables import tabled_credentials
from toolmem.errors import SecretError

REDACTED = "[redacted]"


class SecretMatch(NamedTuple):
    """Kind and place of a credential: ``text[start:end]``."""

    kind: str
    start: int
    end: int


_WORDS = tuple(
    "pas sess pssw pw phrase combin secret token cred auth key pin code log sign"
    " seed pat jwt"
    " wifi wi-fi wlan wpa network psk mdp clave identified wort contrase senha word"
    " woord lösenord adgang salasana hasło haslo heslo jelsz şifre parola palavra mật"
    " schlüssel códig combo пароль 密 口令 令牌 パスワード 合言葉 비밀번호 암호"
    " 토큰".split()
)
_LONG_RUN = re.compile(r"[\w.+/=:-]{19}")
"""No token is shorter; most lines of prose and code have no such run."""
_EDGE = r"(?:(?<![\w-])|(?<=\\[nrt]))"
"""A token starts here; excluding its own characters keeps the search linear."""

_PEM_BEGIN = r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----"
_PEM_BODY = (
    r"(?:[A-Za-z0-9+/=\s]|\\n|\\r){40}"
    r"|[A-Za-z0-9+/=]{16,80}(?:\s|\\n|\\r){1,4}-----END"
)
"""Forty characters of a key, or a line that the end of the key follows."""
_PEM_CHARS = 20_000

_LEAST_HEADER = 16
"""Characters of a header's value that is not random; shorter ones are words."""


def find_secrets(text: str) -> tuple[SecretMatch, ...]:
    """Return the credentials in a text, in order and without overlap."""
    secrets = sorted(_all(text), key=lambda find: (find.start, -find.end))
    matches: list[SecretMatch] = []
    for find in secrets:
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
    for secret in find_secrets(text):
        if text[secret.start : secret.end] not in known:
            raise SecretError(
                f"the {what} contains a secret ({secret.kind}) at "
                f"{_place(text, secret)}: "
                "do not store secrets in a vault; write where the secret is stored "
                f"instead{allow}"
            )


def _place(text: str, secret: SecretMatch) -> str:
    line = text.count("\n", 0, secret.start) + 1
    column = secret.start - text.rfind("\n", 0, secret.start)
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
    yield from sure_secrets(text)
    named = nouns_of(text)
    if named:
        spoken = prose.spoken_credentials(text, named)
        yield from _of("password or token", spoken)


def nouns_of(text: str) -> "tuple[nouns.Noun, ...]":
    """Return the nouns of a text that have credentials."""
    lowered = _lowered(text)
    if not any(word in lowered for word in _WORDS):
        return ()
    return tuple(nouns.nouns(text, lowered))


def sure_secrets(text: str) -> Iterator[SecretMatch]:
    """Yield the credentials that their shape or a program's syntax makes certain."""
    if _LONG_RUN.search(text):
        yield from _by_shape(text)
    if "PRIVATE KEY" in text:
        yield from _pem(text)
    lowered = _lowered(text)
    yield from _of("password or token", tabled_credentials(text))
    yield from _of("seed phrase", seed_phrases(text))
    yield from _of("URL parameter", url_credentials(text))
    if "bearer" in lowered or "authorization" in lowered or "x-api-" in lowered:
        yield from _values("authorization header", HEADER, text)
    if "-h" in lowered:
        yield from _passwords("authorization header", OPTION_HEADER, text)
    if "://" in text and "@" in text:
        yield from _passwords("URL password", URL_PASSWORD, text)
        yield from _values("URL password", URL_TOKEN, text)
    if text.count(":") > 3:
        yield from _values("login", PGPASS, text)
    if "@" in text:
        yield from _values("login", LOGIN_AT_HOST, text)
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
        if (
            not values.is_placeholder(body)
            and entropy(body) >= limits.SECRET_BODY_ENTROPY
        ):
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
        shape = values.shape_of(match["value"].rstrip("."))
        is_long = len(match["value"]) >= (6 if kind == "login" else _LEAST_HEADER)
        if shape is values.Shape.GENERATED or (
            shape is values.Shape.INVENTED and is_long
        ):
            yield SecretMatch(kind, match.start("value"), match.end("value"))


def _passwords(kind: str, pattern: str, text: str) -> Iterator[SecretMatch]:
    """Find values where only a password is possible; placeholders are exempt."""
    for match in _compiled(pattern).finditer(text):
        value = match["value"]
        if not values.is_placeholder(value) and not values.is_variable(value):
            yield SecretMatch(kind, match.start("value"), match.end("value"))


def entropy(value: str) -> float:
    """Return Shannon's entropy of the characters, in bits per character."""
    size = len(value)
    return -sum(
        count / size * math.log2(count / size) for count in Counter(value).values()
    )
