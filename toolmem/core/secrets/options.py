"""Passwords in command lines: options that have no credential noun in their name."""

import re
from collections.abc import Iterator

from toolmem.core.secrets.values import Shape, shape_of

_QUOTED = r"[\"']?(?P<value>[^\s\"']{4,200})"
_USER = r"(?:-[uUDl]|--user(?:name)?|--login|--binddn)[ =]?(?:\"[^\"\n]{1,64}\"|'[^'\n]{1,64}'|[^\s-]\S{0,63})"
_PAIRED = re.compile(
    rf"(?<!\S){_USER}(?=\s)[^\n|;&]{{0,80}}?\s-(?:p|P|w|a|b)[ =]{{0,2}}{_QUOTED}"
)
"""An option for a user, then a short option that programs use for its password."""
_OWN = re.compile(
    rf"""(?x)
    (?<![\w-]) (?: (?: zip | unzip | 7za? | rar | unrar | zipcloak ) \b [^\n|;&]{{0,80}}?
        \s -[pP][ ]?
      | redis-cli \b [^\n|;&]{{0,80}}? \s -a \s
      | sshpass \s -p \s{{0,3}}
      | (?: mysql\w* | mariadb[\w-]* ) \b [^\n|;&]{{0,100}}? \s -p (?=\S)
      | (?: ldap(?:search|modify|add|delete|whoami|passwd) ) \b [^\n|;&]{{0,120}}? \s -w \s
      | keytool \b [^\n|;&]{{0,120}}? \s -(?:store|key|new)pass \s
      | openssl \b [^\n|;&]{{0,120}}? \s -pass(?:in|out)? \s pass:
      | openssl \b [^\n|;&]{{0,120}}? \s -k \s
      | htpasswd \s (?: -[a-zA-Z]{{1,6}} \s ){{0,4}} [^\s-]\S{{0,99}} \s [^\s-]\S{{0,63}} \s
      | sqlplus \s [\w.$#-]{{1,64}} /
      | (?: echo | printf ) \s (?: -n \s )? (?= [^\n|]{{1,80}} \| \s{{0,2}} sudo \s+ (?:-\w+\s+){{0,3}}
          -\w*S )
      | (?: echo | printf ) \s (?: -n \s )? (?= [^\n|]{{1,80}} \| [^\n|;&]{{1,80}} --password-stdin )
    ) {_QUOTED}"""
)
_USER_PASSWORD = re.compile(
    r"""(?x) (?<![\w-]) (?:curl|wget|https?|xh) \b [^\n|;]{0,200}? \s (?:-u|-a|--user|--auth) [ =]?
    ["']? [^\s:"'@/]{1,64} : (?P<value> [^\s"'@/]{4,200} )"""
)


def option_passwords(text: str) -> Iterator[tuple[int, int]]:
    """Yield the places of passwords that command lines give to programs."""
    for pattern in (_PAIRED, _OWN, _USER_PASSWORD):
        for match in pattern.finditer(text):
            start = match.start("value")
            value = match["value"].rstrip(".,;:)`").partition("@")[0]
            shape = shape_of(value)
            if shape is Shape.REFERENCE or (shape is Shape.NUMBER and len(value) < 6):
                continue
            yield start, start + len(value)
