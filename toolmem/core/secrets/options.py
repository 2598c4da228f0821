"""Passwords in command lines: options that have no credential noun in their name."""

import re
from collections.abc import Iterator

from toolmem.core.secrets.values import Shape, shape_of

_QUOTED = r"[\"']?(?P<value>[^\s\"']{4,200})"
_USER = (
    r"(?:-[uUDl]|--user(?:name)?|--login|--binddn)[ =]{1,2}"
    r"(?:\"[^\"\n]{1,64}\"|'[^'\n]{1,64}'|[^\s-]\S{0,63})"
)
_PAIRED = re.compile(
    rf"(?<!\S){_USER}(?=\s)[^\n|;&]{{0,80}}?\s-(?:p|P|w|a|b)[ =]{{1,2}}{_QUOTED}"
)
"""An option for a user, then a short option that programs use for its password."""
_OWN = re.compile(
    rf"""(?x)
    (?<![\w-]) (?: (?: zip | unzip | 7za? | rar | unrar | zipcloak ) \b
        [^\n|;&]{{0,80}}? \s -[pP][ ]?
      | redis-cli \b [^\n|;&]{{0,80}}? \s -a \s
      | sshpass \s -p \s{{0,3}}
      | (?: mysql\w* | mariadb[\w-]* ) \b [^\n|;&]{{0,100}}? \s -p (?=\S)
      | ldap (?: search | modify | add | delete | whoami | passwd ) \b
        [^\n|;&]{{0,120}}? \s -w \s
      | ssh-keygen \b [^\n|;&]{{0,120}}? \s -[NP] \s
      | xfreerdp \b [^\n|;&]{{0,120}}? \s /p:
      | security \b [^\n|;&]{{0,80}}? \s -p \s
      | net \s use \b [^\n|;&]{{0,80}}? \s /user:\S{{1,64}} \s
      | keytool \b [^\n|;&]{{0,120}}? \s -(?:store|key|new)pass \s
      | openssl \b [^\n|;&]{{0,120}}? \s -pass(?:in|out)? \s pass:
      | openssl \b [^\n|;&]{{0,120}}? \s -k \s
      | htpasswd \s (?: -[a-zA-Z]{{1,6}} \s ){{0,4}}
        [^\s-]\S{{0,99}} \s [^\s-]\S{{0,63}} \s
      | sqlplus \s [\w.$#-]{{1,64}} /
      | (?: echo | printf ) \s (?: -n \s )? (?= [^\n|]{{1,80}} \| \s{{0,2}}
        (?: sudo \s (?: -\w{{1,9}} \s ){{0,3}} -\w{{0,9}}S
          | [^\n|;&]{{1,80}} --password-stdin ) )
      | (?: echo | printf ) \s ["']? [\w.-]{{1,64}} :
        (?= [^\n|]{{1,80}} \| \s{{0,2}} (?:sudo\s)? chpasswd )
    ) {_QUOTED}"""
)
_ASKING = re.compile(r"\b(?:mysql\w*|mariadb[\w-]*|psql|pg_\w+|ssh|scp|mkdir|run)\b")
_PAIR = re.compile(
    r"""(?xi) \b (?: (?: credentials? | creds | logins? ) \s{0,2} [:=] \s{0,2}
        ["'`]? [\w.@+-]{2,64} ["'`]? [ ]? / [ ]?
      | (?: credentials? | creds | logins? | log[ ]in | sign[ ]in | accounts? | users? )
        \b [^.\n/]{0,40}? [\s:=(] ["'`]? [\w.@+-]{2,64} ["'`]? [ ] / [ ]
      | (?: admin | administrator | root | demo | guest ) [ ] / [ ]
      | (?: credentials? | creds | basic[ ]auth | logins? ) (?: \s is | : )? \s ["'`]?
        [\w.@+-]{2,64} ["'`]? [ ]? [:/] [ ]? )
    ["'`]? (?P<value> [^\s"'`/,;]{5,64} )"""
)
"""A user and a password with a slash between them."""
_LOGIN = re.compile(
    r"""(?x) (?<![\w-]) (?:curl|wget|https?|xh) \b (?: [^\n|;] | \\\n ){0,300}? \s
    (?:-u|-a|--user|--auth) [ =]{0,4} (?P<login> (?: "[^"\n]{1,200}" | '[^'\n]{1,200}'
      | [^\s"':]{0,100}: (?=["']) | [^\s"']{1,200} ){1,3} )"""
)
"""User and password of an HTTP client, as one word."""


def option_passwords(text: str) -> Iterator[tuple[int, int]]:
    """Yield the places of passwords that command lines give to programs."""
    for pattern in (_PAIRED, _OWN):
        for match in pattern.finditer(text):
            value = match["value"].rstrip(".,;:)`").partition("@")[0]
            start = match.start("value")
            if pattern is _PAIRED and _asks(text, match.start(), start):
                continue
            if _is_password(value):
                yield start, start + len(value)
    for match in _PAIR.finditer(text):
        value = match["value"].rstrip(".:)")
        least = 1 if " / " in match[0] and "basic" not in match[0].lower() else 0
        if shape_of(value) >= Shape.INVENTED and sum(map(str.isdigit, value)) > least:
            yield match.start("value"), match.start("value") + len(value)
    for match in _LOGIN.finditer(text):
        user, colon, password = match["login"].rstrip(".,;)`").partition(":")
        value = password.strip("\"'") or user.strip("\"'")
        if colon and _is_login(value):
            start = text.index(value, match.start("login"))
            yield start, start + len(value)


def _asks(text: str, start: int, at: int) -> bool:
    """Return True for a program that asks: its ``-p`` has no word behind a space."""
    line = text[max(0, start - 80) : at]
    return text[at - 1 : at] == " " and _ASKING.search(line) is not None


def _is_password(value: str) -> bool:
    shape = shape_of(value)
    return (
        shape > Shape.NUMBER
        or shape is Shape.WORD
        or (shape is Shape.NUMBER and len(value) > 5)
    )


def _is_login(value: str) -> bool:
    """Return True for a password, or one in braces or with a variable inside."""
    inner = value[1:-1] if value.startswith("{") and value.endswith("}") else value
    head = inner.partition("$")[0]
    return _is_password(inner) or (len(head) > 5 and _is_password(head))
