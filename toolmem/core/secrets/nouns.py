"""Find the nouns that have credentials: ``password``, ``DB_PASSWORD``, ``api key``.

The head of a name decides: ``password_file`` is a file, ``next_page_token`` no secret.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

_NOUN = re.compile(
    r"""(?x)
    (?P<password> (?i: pass[ -]?(?:word|phrase|code) | passwd | pwd
        | pa?s{1,3}[ao]?[wo]{1,2}[ord]{1,3}(?![a-z]) | psswd
        | requirepass | bindpw | identified[ ]by | (?<![a-z]) (?: psk | mdp | clave )
        | (?: wi-?fi | wlan | wpa[23]? | network ) [ _-] (?: key | code | psk )
        | passwort | kennwort | mot[ ]de[ ]passe | contrase[nñ]a | senha | wachtwoord
        | passord (?:et)? | lösenord (?:et)? | adgangskode (?:n)? | salasana | has[łl]o
        | heslo | jelszó | (?<![a-z]) (?: şifre | parola (?:[ ]d['’]ordine)? )
        | contrasenya | palavra-passe | mật[ ]khẩu | пароль
        | (?: wlan | wi-?fi | netzwerk )-?schlüssel
        | (?: secret | magic | code | pass | safe ) [ -] word | codeword )
      | (?<![A-Za-z0-9]) [Pp][Ww] | (?<=[a-z]) pw (?![A-Za-z])
      | (?<=[A-Za-z]) (?i: pass ) (?= = )
      | (?i: (?: seed | mnemonic | recovery | secret | unlock | backup ) [ ] phrase )
      | (?i: (?<=_) pass | (?<=_) pw ) (?![a-z]) | (?<=[a-z]) Pass (?![a-z])
      | 密码|密碼|口令|パスワード|合言葉|비밀번호|암호 )
    | (?P<pin> (?<![A-Za-z]) (?: PIN
        | (?i: pin
        | (?: door | alarm | gate | lock | safe | unlock | entry | pin | lockbox
          | keypad | garage )
          [ _-] (?: code | pin )
        | code (?= [ ] (?:for|to|of) [ ]) | (?<=with[ ]) code | (?<=use[ ]) code
        | (?: código | codigo ) (?= [ ](?:da|do|de|del|para)[ ]) | code (?=[ ]d[eu][ ])
        | (?<=safe[ ]) combo | türcode | (?: zugangs | tür ) code
        | (?<=the[ ]) code | (?<=enter[ ]) code | (?<=type[ ]) code | combination )
        (?: [ ] code )? ) )
    | (?P<token> (?i: (?: totp | otp | 2fa | mfa ) [ _-]? seed
        | (?: api | sdk | app | pairing | feed | join | pre-?shared | decryption
          | webhook | access | auth | secret | private
          | signing | encryption | account | master | storage | licen[sc]e
          | recovery | 2fa | activation | unseal | backup | shared
          | deploy | session | hmac | fernet | cipher | bot | service | integration
          | subscription | ingest | server | vpn | wireguard )
          [ _-]? (?: access [ _-]? )? (?: key | code )
        | (?<![a-z]) pat (?= [ ] (?: for | is | = ) | [ ]?[:=] )
        | token | secret | psk | (?: jsession | phpsess ) id | sessionid (?= = ) )
      | (?<=[_"]) (?i: auth ) (?=["'\s]{0,3}[:=])
      | 令牌|密钥|토큰 )
    | (?P<pass> (?<![^\s"'`(*|,;:_./-]) (?: [Pp]ass | PASS ) (?![A-Za-z]) )
    | (?P<key> (?<![^\s"'`(*|,;:_./-]) (?: [Kk]eys? | KEY (?=[ ]?=) ) (?![A-Za-z]) )
    | (?P<login> (?i: (?<![a-z]) (?: credentials? | creds
        | (?: log | sign ) (?: s | ged | ed )? [ -]? (?: in | on ) | logins?
        | basic[ ]auth | (?: admin | administrator | root | demo | guest )
          (?= [ ]? [:/] | [ ] (?: with | and | w/ ) [ ] )
        ) (?![a-z]) ) )
    """
)
_START = re.compile(
    "pas[sw]|pass?o|pss|lösen|adgan|salas|has[łl]o|heslo|jelsz|şifre|parola|palav|mật"
    "|netzw|magic|código|codigo|combo|tür|zugan|ferne|ciphe|bot|servi|integ|subsc|inges"
    "|vpn|wireg|requirep|bindp|identi|mdp|clave|psk|w(?:i-?fi|lan|pa)|netwo|2fa|p(?:w|in)"
    "|seed|mnemo|code|combin|pat|mfa|t?otp"
    "|(?:sdk|app|pairi|feed|join|decry|contrase|kennw|mot de|senha|wachtw"
    "|door|garag|keypad|alarm|gate|safe|unlock"
    "|entry|api|webho|acces|auth|secre|priva|signi|encry|accou|maste|stora|licen|recov"
    "|j?sess|php|log|sign|key|admin|root|demo|guest|basic|activ|unsea|backu|share|deplo"
    "|hmac|token|cred|lock|пароль|密|口令|令牌"
    "|パスワード|合言葉|비밀번호|암호|토큰)"
)
"""Starts of nouns in small letters: searched first, since it is fast."""
_OTHER = re.compile(
    r"""(?x) (?: (?<![A-Za-z]) | (?=[A-Z][a-z]) )
    (?i: hash | sha\d* | digest | checksum | page | next | prev | previous
    | cursor | sync | continuation | public | cache | idempotency | object | s3 | max
    | min | num | total | per | input | output | completion | prompt | csrf | design
    | no | without | reset | forgot | change | wrong | primary | foreign | sort
    | partition | registry (?=[ ]key) ) (?:ed)? [_\- ]? \Z"""
)
"""Words before a noun of which no value is a credential: ``page_token``."""
_IDENTIFIER = re.compile(r"[\w.-]*\Z")
_VARIABLE_END = re.compile(r"[$%@/&?]\Z|[$%#{]\{\s*\Z")
_TAIL = re.compile(
    r"""(?xi) s? (?: [_-]? (?: prod | production | dev | test | live | staging | value
      | base
      | \d{1,2} ) )? (?! [A-Za-z0-9_/@À-ž] | \((?!["']) | -[A-Za-z] | \.\w )"""
)
_LOOSE_TAIL = re.compile(r"(?:[_-]|(?=[A-Z0-9]))(?P<last>[A-Za-z_]{1,40}\d?)(?![\w(-])")
_METADATA = re.compile(
    r"""(?x) (?: \A | _ | (?=[A-Z]) ) (?i: ids? | names? | hash | ur[il] | file | path
    | type | version | length | size | endpoint | ref | arn | kind | alias | label
    | field | index | count | ttl | format | prefix | suffix | reset | policy | at | key
    | ring | pair | board | store | manager | provider | service | source | audience
    | issuer | scopes? | expiry | expires | regex | pattern | selector ) \Z"""
)
_MOST_IN_VALUE = 48
_VALUE_START = re.compile(r"""[\s:=]{0,3}(?:is\s)?["'`]?[\w.-]*\Z""")
_OTHER_SENSES = frozenset(["key", "login", "pass"])
"""Kinds of which a name that goes on behind the noun is something else."""
_API = re.compile(r"(?i)api[ _-]?(?:key|token|secret)\Z")
_PLURAL = re.compile(r"\As\Z")


class Noun(NamedTuple):
    """A noun, its kind and the end of its name in a text.

    ``loose`` is the kind of a name that goes on behind the noun: ``secretString``.
    """

    kind: str
    start: int
    end: int
    is_name: bool
    """Whether it is part of an identifier: ``DB_PASSWORD``, ``db.password``."""
    is_option: bool
    is_api: bool


def nouns(text: str, lowered: str) -> Iterator[Noun]:
    """Yield the nouns of a text; ``lowered`` is the text in small letters."""
    end = 0
    before: Noun | None = None
    for start in _START.finditer(lowered):
        match = _NOUN.match(text, start.start()) if start.start() >= end else None
        if match is None:
            continue
        end = match.end()
        noun = _noun(text, match)
        if noun is None or (before and _is_in_value(text, before, noun)):
            continue
        if before and not _is_one_name(text, before, noun):
            yield before
        before = noun
    if before:
        yield before


def _noun(text: str, match: re.Match[str]) -> Noun | None:
    kind = match.lastgroup or ""
    tail = _TAIL.match(text, match.end())
    is_many = kind == "token" and tail is not None and _PLURAL.search(tail[0])
    is_loose = tail is None or bool(is_many and match[0][:1].isupper())
    if tail is None and kind in _OTHER_SENSES:
        return None
    if tail is None:
        tail = _LOOSE_TAIL.match(text, match.end())
        if tail and _METADATA.search(tail["last"]):
            return None
    lead_from = max(0, match.start() - 48)
    lead = text[lead_from : match.start()]
    name = _IDENTIFIER.search(lead)
    left = name[0] if name else ""
    before = lead[: len(lead) - len(left)]
    if text[match.end() : match.end() + 1] == "(" and kind != "password":
        return None
    if tail is None or _VARIABLE_END.search(before) or _OTHER.search(lead):
        return None
    is_option = left.startswith("-")
    is_name = bool(left.strip("-")) or tail.end() > match.end() + 1
    is_api = _API.search(text, lead_from, match.end()) is not None
    sense = "loose" if is_loose else kind
    return Noun(sense, match.start(), tail.end(), is_name, is_option, is_api)


def _is_in_value(text: str, before: Noun, noun: Noun) -> bool:
    """Return whether a noun is a part of the word behind another one: its value."""
    if not noun.is_name or noun.start - before.end > _MOST_IN_VALUE:
        return False
    gap = _VALUE_START.match(text, before.end, noun.start)
    return gap is not None and text[noun.end : noun.end + 1] not in "=:"


def _is_one_name(text: str, before: Noun, noun: Noun) -> bool:
    """Return whether two nouns are one name: ``login password``."""
    return noun.kind != "loose" and text[before.end : noun.start] in ("", " ", "_", "-")
