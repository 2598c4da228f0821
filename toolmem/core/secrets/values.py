"""The shape of the word or phrase where a credential would be.

A value is a *reference* (a path, a variable, a call, a name of something that holds a
credential), a *statement* about the credential ("required", "in the vault"), or a
literal. Literals are ranked by what a person must have meant by writing them: a
``WORD`` may be either, an ``INVENTED`` one mixes letters with digits or symbols, and a
``GENERATED`` one is random.
"""

import re
from enum import IntEnum
from functools import cache

from toolmem.core.language.empty_words import empty_words
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
    WORD = 1
    NUMBER = 2
    INVENTED = 3
    GENERATED = 4


LONGEST = 256
"""A longer word is data, not something that a person types into a sentence."""

_VARIABLE = re.compile(r"\$[\w{(]|%\w+%|[{<@&\[*~/\\+(;,|)-]|\./|\.\./|#\{|!\w+\Z|%\(")
_REPLACED = ("${", "{{", "%(", "$(", "://", "->", "::", "@{")
_INSIDE = re.compile(
    r"\$\{|\{\{|\$\(|://|->|::|@\{|[()\[\]{}<>\\|\"`]|\A[a-z_-]{2,}=[^=]"
)
_STANDARD = re.compile(
    r"""(?xi) (?: base | sha | md | utf | iso | rfc | ed | rsa | rs | es | hs | ps
      | aes | argon | pbkdf | scrypt | oauth | arm | amd | ipv | https? | bcrypt | blake
      | ripemd | crc | win | ios | ipad | ubuntu | debian | python | node | java | x
      | postgres | mysql | erc | eip | fips | nist | chacha | tls | php ) [-_]? \d
      [\w.-]*
    | (?-i: [A-Z]{2,6} - \d+ [A-Z]? )
    | v? \d+ (?: \. \d+ )+ | \d{4}-\d\d(?:-\d\d)? (?: T[\d:.]+Z? )? | v \d+
    | \d+ (?-i:[a-z]{1,5}|[A-Z]{1,4}) | [\d.,:x+-]* [.,:x+-] [\d.,:x+-]*
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
_GLUED = re.compile(r"passw|passphrase|pwd|secret|token|\A(?:keys?|pass|creds?|auth)\Z")
_CODE_NAME = re.compile(
    r"[a-z]+(?:[A-Z][a-z]+)+\d?|[a-z]+(?:_[a-z]+)+\d?|[A-Z]+(?:_[A-Z\d]+)+"
)

_CLOSED_BY = {"(": ")", "[": "]", "{": "}"}

_STATUS = frozenset(
    """
    required optional mandatory missing absent present empty blank null none nil unset
    undefined unknown known invalid valid wrong correct right incorrect bad good weak
    strong short long longer shorter too unique same different new old fresh stale safe
    secure insecure sensitive secret public private hidden visible plain plaintext
    cleartext default temporary permanent lost leaked gone set reset kept held sent read
    written shown given taken broken forgotten stolen built random ready due off on true
    false yes no all ok okay fine available enough static dynamic common shared personal
    first last next still now already only always never later here elsewhere hard easy
    loose tight free full high low single other another several half word words
    minute minutes hour hours day days week weeks month months
    character characters char chars letter letters digit digits byte bytes bit bits
    ask see use get check same contact request via tbd tba todo type enter set store
    keep rotate change read find look try add pass run call make put take fetch load
    string str text value values input output field file files hash hashes data env
    variable variables var vars config user username login email name type number int
    integer bool boolean object array any bytes char varchar parameter param params
    argument option flag header query body form page prompt dialog box label column
    placeholder manager vault store storage keychain keyring keystore database db table
    server service client account admin root owner team policy policies rule rules
    length size format strength generator based auth authentication authorization
    authority part parts json yaml xml html base64 utf8 hex binary opaque jwt bearer
    basic oauth saml sso ldap kerberos totp case lower upper lowercase uppercase
    alphanumeric numeric self function method class tests checks
    """.split()
)
"""Words that say something about a credential or about code, and are none."""
_ENDINGS = re.compile(
    r"(?:ed|ing|able|ible|ive|less|ful|ory|ori[ao]s?|ary|ly|ent|ant|tion|sion|ment|ness|ity|wise)\Z"
)
_PHRASE = re.compile(
    r"[^\W\d_]+(?:-[^\W\d_]+)*(?: (?:[^\W\d_]+(?:-[^\W\d_]+)*|\d+)){0,7}"
)
_JOINED = re.compile(r"[A-Za-z]+(?:[-_.][A-Za-z]+){1,7}")


def shape_of(value: str) -> Shape:
    """Return the shape of one word without quotes."""
    if not 3 < len(value) <= LONGEST or is_reference(value):
        return Shape.REFERENCE
    if value.isdigit():
        return Shape.NUMBER
    if _HEX.fullmatch(value) and classes(value) > 1:
        return Shape.GENERATED if len(value) >= 16 else Shape.INVENTED
    if _is_generated(value):
        return Shape.GENERATED
    return Shape.INVENTED if _is_invented(value) else Shape.WORD


def is_reference(value: str) -> bool:
    """Return True for a placeholder, a variable, a path, a name or a designation."""
    if value.lower() in DUMMY or _compiled(PLACEHOLDER).search(value):
        return True
    if is_variable(value) or _INSIDE.search(value) or value.startswith("0x"):
        return True
    if _compiled(SEQUENCE).search(value) or _STANDARD.fullmatch(value):
        return True
    is_long = len(value) >= 32 or (len(value) >= 16 and value.endswith("="))
    if "/" in value and not (is_long and _is_generated(value)):
        return True
    return bool(_FILE.fullmatch(value)) or _is_name(value)


def is_variable(value: str) -> bool:
    """Return True for what a shell or a template replaces."""
    return bool(_VARIABLE.match(value)) or any(part in value for part in _REPLACED)


def _is_name(value: str) -> bool:
    """Return True for an attribute (``cfg.password``) and the name of a credential."""
    parts = [part.lower() for part in _PARTS.findall(value)]
    if _ATTRIBUTE.fullmatch(value) and _ROOT.match(value.partition(".")[0]):
        return True
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
    if not _HEX.fullmatch(text, start, end):
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


def is_phrase(text: str, *, quoted: bool = False) -> bool:
    """Return True for words that state nothing: they can only be the credential.

    In ``quoted`` ones articles, verbs and the like may be among them.
    """
    if not _PHRASE.fullmatch(text):
        return False
    words = re.split("[ -]", text.lower())
    if quoted:
        words = [word for word in words if not _is_empty(word)]
        return len(words) > 1 and sum(map(_states, words)) <= (len(words) > 2)
    if any(_is_empty(word) for word in words):
        return False
    stating = sum(_states(word) for word in words)
    return stating <= (len(words) > 2 and not _ENDINGS.search(words[0]))


def is_joined(text: str, *, loose: bool = False, least: int = 3) -> bool:
    """Return True for some words that are joined to one and state nothing.

    With ``loose`` words without a meaning of their own may be among them.
    """
    words = re.split("[-_.]", text.lower())
    if loose:
        words = [word for word in words if word not in empty_words("en")]
    is_enough = len(words) >= least and _JOINED.fullmatch(text) is not None
    return is_enough and not any(map(_states, words))


def _is_empty(word: str) -> bool:
    return word in empty_words("en") or (len(word) < 3 and not word.isdigit())


def _states(word: str) -> bool:
    return (
        word in _STATUS
        or _GLUED.search(word) is not None
        or _is_empty(word)
        or (len(word) > 5 and _ENDINGS.search(word) is not None)
    )


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
