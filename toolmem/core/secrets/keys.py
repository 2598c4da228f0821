"""Find credentials by their form: URL parameters, keys, AWS secrets, seed phrases."""

import re
from collections.abc import Iterator
from functools import cache
from string import ascii_letters, digits

from toolmem.core.language import empty_words
from toolmem.core.secrets import values
from toolmem.core.secrets.randomness import ODD_WORD, classes, oddness

_PARAMETER = r"""(?ix)
    [?&#;]
    (?P<name> (?: (?:access|auth|bot|reset|refresh|id|session|api|deploy|private|oauth
        |client|x-amz-security|signed?|verification|invite|magic|login|bearer) [_-]? )?
      (?: token | secret | password | passwd | passwrd | pwd | pass | jwt | auth )
      | (?: api | access | auth | app | secret | subscription | private ) [_-]? key
      | key | appid | app_id | sig | signature | x-amz-signature | x-goog-signature
      | hmac | credential | ticket | sid | sessionid | otp )
    = (?P<value> [^\s&#;"'<>`)\]}|\\]{8,2048} )
"""
_STRICT = frozenset(["key", "sid", "ticket", "app_id", "sessionid", "auth", "otp"])
"""Parameters that also have harmless values: only long generated ones count."""
_VARIABLE = re.compile(r"[$%{<*:@]|\.{2,}|\bENV\b|your", re.IGNORECASE)
_HEX = re.compile(r"[0-9a-fA-F]{16,}")

_KEY_START = r"""(?x) (?<![A-Za-z0-9+/])
    (?: MII [A-Za-z0-9+/]{3} IBAAK [A-Za-z0-9+/]
      | MII [A-Za-z0-9+/]{3} [A-Za-z0-9+/] BADANBgkqhkiG9w0BAQEFAASC
      | MII [A-Za-z0-9+/]{3,5} BgkqhkiG9w0BBQ0
      | MIG [A-Za-z0-9+/]{2} gEAM [A-Za-z0-9+/]{2} GByqGSM49
      | MHcCAQEEI | MIGkAgEBBD | MIHcAgEBBEI | MC4CAQAwBQYDK2VwBCIEI
      | MFECAQEwBQYDK2VwBCIEI | b3BlbnNzaC1rZXktdjE
      | lQ[OHIVcDGP][YIsVEB][A-Za-z0-9+/]{0,2}BF )
"""
"""First bytes of private keys (PKCS#1, PKCS#8, SEC1, OpenSSH, OpenPGP), encoded."""
_KEY_BODY = r"(?:[A-Za-z0-9+/=\s]|\\n|\\r)*"
_PRIVATE_END = r"-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----"
_BODY_CHARS = frozenset(ascii_letters + digits + "+/= \r\n\t\\")
_STARTS = ("MII", "MIG", "MIH", "MHc", "MC4", "MFE", "b3Blbn", "lQ")
_KEY_CHARS, _LEAST_BODY = 20_000, 40
_ALONE = r"(?<![A-Za-z0-9+/=_.:-])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=_-]|\.\w)"
"""Shape of the secret half of an AWS key pair."""
_NAMED = (
    r"(?i:secret_?access_?key)[\"']?[ \t]{0,3}[=:]?[ \t]{0,3}[\"']?"
    r"(?P<value>[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])"
)

_SEED = re.compile(
    r"(?i)\b(?:seed|mnemonic|recovery|backup|secret)[ -](?:phrases?|words?)\b"
    r"[^\n]{0,60}?[ :=\"'`(\n]{1,4}"
    r"(?-i:(?P<words>[a-z]{3,8}(?:,?[ \n](?:\d\d?[.)] )?[a-z]{3,8}){8,23}))(?![\w'])"
)
"""The words that a wallet is restored from: nine at least, small letters only."""


def seed_phrases(text: str) -> Iterator[tuple[int, int]]:
    """Yield nine words or more that are no sentence, behind the name of a phrase."""
    for match in _SEED.finditer(text) if " " in text else ():
        words = re.findall("[a-z]+", match["words"])
        if 4 * sum(word in empty_words.empty_words("en") for word in words) <= len(
            words
        ):
            yield match.span("words")


def url_credentials(text: str) -> Iterator[tuple[int, int]]:
    """Yield the values of parameters of addresses that are credentials."""
    if "=" not in text:
        return
    for match in _compiled(_PARAMETER).finditer(text):
        value = match["value"].rstrip(".,:!?")
        if _is_parameter_secret(match["name"].lower(), value):
            yield match.start("value"), match.start("value") + len(value)


def _is_parameter_secret(name: str, value: str) -> bool:
    least = 20 if name in ("key", "sid", "ticket") else 8
    if len(value) < least or _VARIABLE.match(value) or values.is_placeholder(value):
        return False
    if _HEX.fullmatch(value):
        return True
    has_digit = any(char.isdigit() for char in value)
    if oddness(value) >= ODD_WORD and classes(value) > 1:
        return has_digit or len(value) >= 20
    return name not in _STRICT and has_digit and not value.isdigit()


def key_bodies(text: str) -> Iterator[tuple[int, int]]:
    """Yield encoded private keys without their first line, or cut off before it."""
    at = 0
    while any(start in text for start in _STARTS) and (
        match := _compiled(_KEY_START).search(text, at)
    ):
        most = match.start() + _KEY_CHARS
        body = _compiled(_KEY_BODY).match(text, match.end(), most)
        at = body.end() if body else match.end()
        if at - match.start() >= _LEAST_BODY:
            yield match.start(), at
    if "PRIVATE KEY" in text:
        yield from _bodies_before_the_end(text)


def _bodies_before_the_end(text: str) -> Iterator[tuple[int, int]]:
    for match in _compiled(_PRIVATE_END).finditer(text):
        start = match.start()
        while start > 0 and text[start - 1] in _BODY_CHARS:
            start -= 1
        if match.start() - start >= _LEAST_BODY:
            yield start, match.end()


def lone_secrets(text: str) -> Iterator[tuple[int, int]]:
    """Yield words of the shape of an AWS secret that look generated or are named so."""
    for match in _compiled(_NAMED).finditer(text):
        if not values.is_placeholder(match["value"]):
            yield match.span("value")
    for match in _compiled(_ALONE).finditer(text):
        value = match[0]
        if classes(value) == 3 and oddness(value) >= ODD_WORD:
            yield match.start(), match.end()


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
