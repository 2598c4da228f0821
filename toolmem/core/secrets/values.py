"""The shape of the word where a credential would be.

A value is a *reference* (a path, a variable, a call, a name of something that has a
credential) or a literal. Literals are ranked by what a person must have meant by
writing them: a ``WORD`` may be anything, an ``INVENTED`` one mixes letters with
digits or symbols, and a ``GENERATED`` one is random.
"""

import re
from enum import IntEnum
from functools import cache

from toolmem.core.secrets.randomness import (
    ODD_LONG_WORD,
    ODD_WORD,
    SYMBOLS,
    classes,
    longest_piece,
    oddness,
)
from toolmem.core.secrets.shapes import DUMMY, PLACEHOLDER, SEQUENCE


class Shape(IntEnum):
    """What a value is, from no credential to one for certain."""

    REFERENCE = 0
    NAMED = 1
    WORD = 2
    NUMBER = 3
    INVENTED = 4
    GENERATED = 5


LONGEST = 256
"""A longer word is data, not something that a person types into a sentence."""

_VARIABLE = re.compile(r"\$[\w{(]|%\w+%|[{<@&\[*~/\\+(;,|)-]|\./|\.\./|#\{|!\w+\Z|%\(")
_REPLACED = ("${", "{{", "%(", "$(", "://", "->", "::", "@{")
_INSIDE = re.compile(
    r"\$\{|\{\{|\$\(|://|->|::|@\{|[()\[\]{}<>\\|\"`]|\A[a-z_-]{2,}=[^=]"
)
_STANDARD = re.compile(
    r"""(?xi) (?: x (?= 86 | 64 | 32 ) | base | sha | md | utf | iso | rfc | ed | rsa
      | rs | es | hs | ps | aes | argon | pbkdf | scrypt | oauth | arm | amd | ipv
      | https? | bcrypt | blake | ripemd | crc | win | ios | ipad | ubuntu | debian
      | python | node | java
      | postgres | mysql | erc | eip | fips | nist | chacha | tls | php ) [-_]? \d
      [\d.]* [a-z]{0,4} (?: [_.-] [a-z\d]+ )*
    | (?-i: [A-Z]{2,6} - \d+ [A-Z]? )
    | (?: ctrl | cmd | alt | shift | meta | super | option ) (?: [+-] \w+ )+
    | v? \d+ (?: \. \d+ )+ | \d{4}-\d\d(?:-\d\d)? (?: T[\d:.]+Z? )? | v \d+
    | [a-z]{0,2} \d+ k | \d+ (?-i:[a-z]{1,5}|[A-Z]{1,4})
    | [\d.,:x+-]* [.,:x+-] [\d.,:x+-]*
    | [0-9a-f]{8} (?: -[0-9a-f]{4}){3} -[0-9a-f]{12} | 0x [0-9a-f]*
    | [a-z] [a-z\d]* (?: - [a-z\d]+ )* - \d+ (?: \. \d+ )+
    | (?: sha\d{1,3} | md5 | blake\w* ) [-:=] .* | [\w.+-]+ @ [\w-]+ (?: \. [\w-]+ )+
    | (?: [a-z]+ \. )* [a-z]+ \. [a-z]* (?: id | key )"""
)
"""Algorithms, documents, dates, versions, quantities, UUIDs, digests and addresses."""
_UUID = re.compile(r"(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_FILE = re.compile(
    r"""(?xi) [\w.-]+ \. (?: ya?ml | json | toml | ini | cfg | conf | env | txt | md
      | py
      | [jt]sx? | go | rs | rb | sh | html | java | lock | pem | crt | key | enc | gpg
      | properties | xml | sql | php | kdbx )"""
)
_HEX = re.compile(r"[0-9a-fA-F]+")
_COMMIT = re.compile(
    r"(?i)\b(?:commit|sha\d*|rev(?:ision)?|digest|checksum|hash|md5|fingerprint)\b"
)
_DIGEST_SIZES = frozenset([*range(7, 13), 32, 40, 56, 64, 96, 128])
"""Digits of abbreviated commits and of digests."""
_GROUPS = re.compile(r"[A-Z0-9]{4,8}(?:-[A-Z0-9]{4,8}){2,7}")
_ATTRIBUTE = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_ROOT = re.compile(
    r"(?:self|this|os|env|process|config|cfg|conf|settings|options|opts|args|ctx|context"
    r"|req|request|params|props|data|user|vars?|local|module|app|form|body|event|state"
    r"|ENV|Rails|system|import|builder|input|output|credentials?)\Z"
)
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^A-Za-z0-9]+")
_NAMING = frozenset(
    "password passwords passwd pass pwd passphrase secret secrets token tokens key keys"
    " credential credentials creds cred apikey jwt auth".split()
)
"""A value with one of these words among its parts is the name of a credential."""
_CODE_NAME = re.compile(
    r"[a-z]+(?:[A-Z][a-z]+)+\d?|[a-z]+(?:_[a-z]+)+\d?|[A-Z]+(?:_[A-Z\d]+)+"
)

_CLOSED_BY = {"(": ")", "[": "]", "{": "}"}


def shape_of(value: str) -> Shape:
    """Return the shape of one word without quotes."""
    if not 3 < len(value) <= LONGEST or is_reference(value):
        return Shape.REFERENCE
    if _has_noun(value):
        return Shape.NAMED
    if value.isdigit():
        return Shape.NUMBER
    if _HEX.fullmatch(value) and classes(value) > 1:
        return Shape.GENERATED if len(value) >= 16 else Shape.INVENTED
    if _is_generated(value):
        return Shape.GENERATED
    return Shape.INVENTED if _is_invented(value) else Shape.WORD


def is_reference(value: str) -> bool:
    """Return True for a placeholder, a variable, a path, a name or a designation."""
    if is_placeholder(value):
        return True
    if is_variable(value) or _INSIDE.search(value) or value.startswith("0x"):
        return True
    if _compiled(SEQUENCE).search(value) or _is_standard(value):
        return True
    is_long = len(value) >= 32 or (len(value) >= 16 and value.endswith("="))
    if "/" in value and not (is_long and _is_generated(value)):
        return True
    return bool(_FILE.fullmatch(value)) or _is_attribute(value)


def _is_standard(value: str) -> bool:
    """Return True for a designation, also in a name: ``id_ed25519``."""
    if _STANDARD.fullmatch(value):
        return True
    parts = value.split("_")
    others = [
        part
        for part in parts
        if not part[:1].isalpha() or not _STANDARD.fullmatch(part)
    ]
    return len(others) < len(parts) and "".join(others).isalpha()


def is_placeholder(value: str) -> bool:
    """Return True for a value of examples: ``changeme``, ``your-api-key``, ``xxxx``."""
    return value.lower() in DUMMY or bool(_compiled(PLACEHOLDER).search(value))


def is_variable(value: str) -> bool:
    """Return True for what a shell or a template replaces."""
    return bool(_VARIABLE.match(value)) or any(part in value for part in _REPLACED)


def _is_attribute(value: str) -> bool:
    """Return True for what code calls ``cfg.password``."""
    is_dotted = _ATTRIBUTE.fullmatch(value) is not None
    return is_dotted and _ROOT.match(value.partition(".")[0]) is not None


def _has_noun(value: str) -> bool:
    """Return True for a word with that for a credential, as its names have one."""
    parts = [part.lower() for part in _PARTS.findall(value)]
    pieces = re.split("[-_.]", value.lower())
    if len(pieces) == 1 and sum(len(part) for part in parts if part.isdigit()) > 1:
        return False
    if any(map(_is_generated, pieces)):
        return False
    if len(pieces) > 1 and not SYMBOLS & set(value) and not _NAMING.isdisjoint(pieces):
        return True
    return not SYMBOLS & set(value) and not _NAMING.isdisjoint(parts)


def _is_generated(value: str) -> bool:
    """Return whether a word looks generated: mixed classes, unusual neighbours."""
    if _GROUPS.fullmatch(value):
        return classes(value) > 1
    least = ODD_WORD if len(value) < 14 else ODD_LONG_WORD
    if len(value) < 8 or classes(value) < 2 or oddness(value) < least:
        return False
    if len(longest_piece(value)) < 8 and not SYMBOLS & set(value):
        return False
    return any(char.isdigit() for char in value) or len(value) >= 20


def _is_invented(value: str) -> bool:
    """Return whether a person may have made up a word with digits or symbols."""
    if not any(map(str.isalpha, value)) or len(value) < 5:
        return False
    if any(map(str.isdigit, value)):
        return True
    if SYMBOLS & set(value.rstrip("!?")):
        return True
    pieces = re.split(r"[._-]", value)
    return len(pieces) > 1 and any(piece[:1].isupper() for piece in pieces[1:])


def is_hex(value: str) -> bool:
    """Return True for hexadecimal digits, which ids of many things consist of."""
    return bool(_HEX.fullmatch(value))


def is_uuid(value: str) -> bool:
    """Return True for a UUID, which is the key of a few services."""
    return bool(_UUID.fullmatch(value))


def is_commit(text: str, start: int, end: int) -> bool:
    """Return True for hexadecimal digits next to the word for a commit or a digest."""
    if end - start not in _DIGEST_SIZES or not _HEX.fullmatch(text, start, end):
        return False
    around = text[max(0, start - 24) : start], text[end : end + 24]
    return any(map(_COMMIT.search, around))


def is_noise(value: str) -> bool:
    """Return True for a text in which brackets cross: it is neither code nor prose."""
    stack: list[str] = []
    for char in value[:LONGEST]:
        if char in _CLOSED_BY:
            stack.append(_CLOSED_BY[char])
        elif char in ")]}" and stack and stack.pop() != char:
            return len(value) >= 12 and any(map(str.isalnum, value))
    return False


def is_code_name(value: str) -> bool:
    """Return True for what reads as the name of a variable."""
    return bool(_CODE_NAME.fullmatch(value))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
