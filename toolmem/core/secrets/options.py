"""Passwords that a command line gives to a program without a credential noun.

A line is read as words and divided where a shell divides it, and at backticks. A word
is a password by its place: behind ``user:`` in the option of a login, in a short option
next to one for a user, in a program's own option or position, or in the input of a
program that reads one. ``--password x`` has a noun and belongs to ``prose``.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from toolmem.core.secrets import features, values

_WORD = re.compile(
    r"""(?x) (?P<end> \|\|? | ; | && | ` | (?<!\\)\n )
      | (?: "[^"\n]{0,200}" | '[^'\n]{0,200}' | [^\s|;`] ){1,300}"""
)
_LINE = re.compile(
    r"""(?x) \s - (?: [uUalDpPwWkNAX] | [a-zA-Z]{1,5}u\b
      | -? [a-z-]{0,20} (?: user | login | auth | pass )
      | - (?: value | body | data | secret ) )
    | (?<=\s) / (?: p | pass | user ) : | <<< | \b (?: echo | printf ) \s | AUTH\s
    | \s-c\s | wpa_pass | htpasswd | \bbw\s | rabbitmqctl | \bnet\suse | SecureString
    | \s user(?:name)?="""
)
"""Most lines have no such part, and need not be read word by word."""
_LOGIN = frozenset(
    "-u -U -a -l -D -user --user --username --login --auth --proxy-user --http-auth"
    " -http-auth --username-password --binddn user username".split()
)
"""Options for a user, or for a user and a password in one word."""
_SHORT_LOGIN = re.compile(r"-[a-zA-Z]{1,5}u")
_LOGIN_WORD = re.compile(r"[^:,%\s]{0,99}(?P<sign>[:,%])(?P<value>.+)")
_CLIENTS = frozenset("curl wget http https xh".split())
_BESIDE = frozenset("-p -P -w -W -a -b".split())
"""Short options that mean a password if the line names a user as well."""
_ASKING = re.compile(
    r"(?m)^(?:(?:mysql|mariadb|pg_|ldap)\w*|psql|ssh|scp|mkdir|run|rsync|git|sudo|ps"
    r"|nmap|chown|createdb|dropdb|pytest|.*\.py)$"
)
"""Programs whose option of that name is a port, a flag or asks for the password."""
_OWN = tuple(
    (re.compile(rf"(?m)^(?:{names})$"), options.split(), is_joined)
    for names, options, is_joined in (
        ("zip|unzip|zipcloak|sqlcmd|bcp|isql", "-P", False),
        (r"7za?|rar|unrar|sshpass|(?:mysql|mariadb)[\w-]*", "-p -hp", True),
        ("sshpass|security", "-p", False),
        ("redis-cli", "-a", False),
        (r"ldap\w*", "-w", False),
        ("ssh-keygen", "-N -P", False),
        ("openssl", "-k", False),
        (r"snmp\w*", "-A -X -c", False),
    )
)
"""Programs, their options for a password, and whether the value is in the same word."""
_POSITIONS = (
    ("add_user", 2),
    ("change_password", 2),
    ("wpa_passphrase", 2),
    ("ConvertTo-SecureString", 1),
    ("AUTH", 1),
    ("unlock", 1),
    ("user", 2),
    ("use", 3),
    ("htpasswd", 3),
)
"""Commands that take an invented password as their n-th word."""
_POSITIONED = frozenset(
    "AUTH rabbitmqctl redis-cli bw net htpasswd wpa_passphrase".split()
)
_SECURE = "ConvertTo-SecureString"
_CONTENT = frozenset("--value --body --data --secret-string --data-file".split())
"""Options for the content of a secret in a command that names one."""
_PASS = re.compile(
    r"(?:--?[a-z-]{0,20}pass(?:in|out)?|/p(?:ass)?)(?:[=:](?P<value>.+))?"
)
_READS = re.compile(
    r"""(?x) \b sudo \s (?: -\w{1,9} \s ){0,3} -\w{0,9}S | --?[a-z-]{0,20}stdin
    | \b (?: chpasswd | kinit | smbpasswd | cryptsetup | su ) \b
    | \b secrets? \s (?: create | set | put | add ) \b
    | --passphrase-fd | --with-token | \s -pass\b"""
)
"""A program that reads a password from its input."""
_PAIR = re.compile(
    r"""(?xi) \b (?: (?: credentials? | creds | logins? ) \s{0,2} [:=] \s{0,2}
        ["'`]? [\w.@+-]{2,64} ["'`]? [ ]? / [ ]?
      | (?: credentials? | creds | logins? | (?:log|sign)s?[ ]in(?:to)?
        | accounts? | users? )
        \b [^.\n/]{0,40}? [\s:=(] ["'`]? [\w.@+-]{2,64} ["'`]? [ ] / [ ]
      | (?: user (?: name )? | login ) [ ]?/[ ]? (?: password | pass | pwd? )
        [ ]? [:=]? [ ] [\w.@+-]{2,64} [ ]? [/:] [ ]?
      | (?: log | sign ) s? [ -]? in (?: [ ] | (?=to) )
        (?: (?: to | on ) [ ] [^.,;:\n]{2,32} [ ] )?
        (?: as | with ) [ ] [\w.@+-]{2,64} (?: [ ]? / [ ]? | : )
      | (?P<basic> basic [ ] auth (?: [ ] [^.,;:\n]{2,40} )? : [ ] [\w.@+-]{2,64} : )
      | (?: wi-?fi | wlan | ssid | vpn | s?ftp ) [: ]{1,2} ["']? [\w.-]{2,32} ["']?
        (?: , [ ] key [ ] | [ ]/[ ] )
      | (?: admin | administrator | root | demo | guest ) (?: [ ] / [ ] | : )
      | (?: login [ ] )? [\w.+-]{1,64} @ [\w.-]{3,64} [ ] (?: / | pass ) [ ]
      | (?: user (?: name )? | login ) [:=]? [ ] [\w.@+-]{2,64} ,? [ ] pass [ ]
      | (?: credentials? | creds | basic [ ] auth | basic (?! [ ] auth ) | logins? )
        (?: \s (?: is | are ) | : )?
        \s ["'`]? [\w.@+-]{2,64} ["'`]? [ ]? [:/] [ ]?
      | (?: sqlplus | sqlldr | (?:ex|im)pdp ) \s [\w.$#-]{1,64} / )
    ["'`]? (?P<value> [^\s"'`/,;@]{5,64} )"""
)
"""A user and a password with a slash, a colon or ``pass`` between them."""
_INNER_DIGIT = re.compile(r"[a-zA-Z]\d[a-zA-Z]")
_EDGES = "\"'`"


class _Word(NamedTuple):
    text: str
    start: int


def option_passwords(text: str) -> Iterator[tuple[int, int]]:
    """Yield the places of passwords that command lines give to programs."""
    yield from _pairs(text)
    before: list[_Word] = []
    for words in _commands(text):
        for word, is_sure in _candidates(words, before):
            value = word.text.rstrip(".,;:)`")
            shape = values.shape_of(value)
            is_long = shape is values.Shape.NUMBER and len(value) > 5
            if shape >= values.Shape.INVENTED or (
                is_sure and (shape is values.Shape.WORD or is_long)
            ):
                yield word.start, word.start + len(value)
        before = words


def _commands(text: str) -> Iterator[list[_Word]]:
    end = -1
    for match in _LINE.finditer(text):
        if match.start() < end:
            continue
        start, end = _line(text, match.start() + 1)
        words: list[_Word] = []
        for part in _WORD.finditer(text, start, end):
            if part["end"]:
                yield words
                words = []
                if part["end"] != "|":
                    yield words
            elif part[0] != "\\":
                words.append(_Word(part[0], part.start()))
        yield words
        yield []


def _line(text: str, at: int) -> tuple[int, int]:
    """Return the place of a line, with those that it goes on in behind a backslash."""
    start, end = text.rfind("\n", 0, at), text.find("\n", at)
    while start > 0 and text[start - 1] == "\\":
        start = text.rfind("\n", 0, start)
    while end > 0 and text[end - 1] == "\\":
        end = text.find("\n", end + 1)
    return start + 1, end if end >= 0 else len(text)


def _candidates(
    words: list[_Word], before: list[_Word]
) -> Iterator[tuple[_Word, bool]]:
    """Yield words that may be passwords, and whether a plain word counts."""
    names = {word.text.strip("`$(\"'").rpartition("/")[2] for word in words[:40]}
    beside: list[_Word] = []
    has_user = False
    for at, word in enumerate(words):
        option, equals, _ = word.text.partition("=")
        following = words[at + 1] if at + 1 < len(words) else None
        value = _part(word, len(option) + 1) if equals else following
        if value is None or value.text[:1] == "-":
            value = None
        if names & _CLIENTS and _SHORT_LOGIN.fullmatch(option):
            option = "-u"
        if option in _LOGIN and value is not None:
            has_user = has_user or option[0] == "-"
            yield from _of_login(value, bool(names & _CLIENTS))
        elif option in _CONTENT and value is not None:
            if any(name.startswith("secret") for name in names):
                yield _bare(value), False
        elif option in _BESIDE and value is not None:
            beside.append(_bare(value))
        if match := _PASS.fullmatch(word.text):
            yield from _of_pass(word, match, value)
    yield from _own(words, names)
    yield from _given(words, names)
    yield from _read(words, before)
    if has_user and not _ASKING.search("\n".join(names)):
        yield from ((word, True) for word in beside)


def _part(word: _Word, at: int) -> _Word:
    return _Word(word.text[at:], word.start + at)


def _bare(word: _Word) -> _Word:
    """Return a word without the quotes around it."""
    text = word.text.lstrip(_EDGES)
    return _Word(text.rstrip(_EDGES), word.start + len(word.text) - len(text))


def _of_login(value: _Word, is_client: bool) -> Iterator[tuple[_Word, bool]]:
    bare = _bare(value)
    match = _LOGIN_WORD.fullmatch(bare.text)
    if match is None:
        if (
            values.shape_of(bare.text.rstrip(":")) is values.Shape.GENERATED
            and is_client
        ):
            yield _Word(bare.text.rstrip(":"), bare.start), False
        return
    password = _bare(_part(bare, match.start("value")))
    if password.text.startswith("{") and password.text.endswith("}"):
        password = _Word(password.text[1:-1], password.start + 1)
    head = password.text.partition("$")[0]
    if len(head) > 5:
        password = _Word(head, password.start)
    yield password, is_client


def _of_pass(
    word: _Word, match: re.Match[str], value: _Word | None
) -> Iterator[tuple[_Word, bool]]:
    """Yield the value of ``-storepass x``, ``-passin pass:x`` and ``/p:x``."""
    if match["value"]:
        value = _part(word, match.start("value"))
    if word.text.startswith("/") and (not match["value"] or "=" in match["value"]):
        return
    if value is None:
        return
    bare = _bare(value)
    source, colon, _ = bare.text.partition(":")
    if not colon and not word.text.startswith(("-passin", "-passout")):
        yield bare, True
    elif source == "pass":
        yield _part(bare, 5), True


def _own(words: list[_Word], names: set[str]) -> Iterator[tuple[_Word, bool]]:
    called = "\n".join(names)
    for program, options, is_joined in _OWN:
        if not program.search(called):
            continue
        for word, following in zip(words, [*words[1:], None], strict=True):
            for option in options:
                if is_joined and word.text.startswith(option):
                    yield _bare(_part(word, len(option))), True
                elif not is_joined and word.text == option and following:
                    yield _bare(following), True


def _given(words: list[_Word], names: set[str]) -> Iterator[tuple[_Word, bool]]:
    """Yield the password that is the n-th word behind a command."""
    if not names & _POSITIONED and _SECURE not in names:
        return
    plain = [word for word in words if word.text[0] != "-"]
    places = {word.text: at for at, word in enumerate(plain)}
    for command, position in _POSITIONS:
        at = places.get(command, len(plain)) + position
        if at < len(plain):
            yield _bare(plain[at]), False


def _read(words: list[_Word], before: list[_Word]) -> Iterator[tuple[_Word, bool]]:
    """Yield what ``echo`` or ``<<<`` gives to a program that reads a password."""
    line = " ".join(word.text for word in words)
    if not _READS.search(line):
        return
    given: list[_Word] = []
    for at, word in enumerate(before):
        if word.text.lstrip("`$(") in ("echo", "printf"):
            given = [
                operand for operand in before[at + 1 :] if not _is_format(operand.text)
            ]
    for at, word in enumerate(words):
        if word.text.startswith("<<<"):
            given = [_part(word, 3)] if len(word.text) > 3 else words[at + 1 : at + 2]
    if len(given) == 1:
        bare = _bare(given[0])
        _, colon, _ = bare.text.partition(":")
        yield (_part(bare, bare.text.index(":") + 1) if colon else bare), True


def _is_format(text: str) -> bool:
    return text[0] == "-" or (text.strip("\"'")[:1] == "%" and "s" in text[:4])


def _pairs(text: str) -> Iterator[tuple[int, int]]:
    for match in _PAIR.finditer(text):
        value = match["value"].rstrip(".:)")
        is_loose = " / " in match[0] or " pass " in match[0] or " in " in match[0]
        is_loose = is_loose or match[0][:4].lower() in ("admi", "root", "demo", "gues")
        is_login = " in " in match[0] and match[0].endswith(f":{match['value']}")
        least = 1 if is_loose and "basic" not in match[0].lower() else 0
        least = 0 if is_login else least
        digits = sum(map(str.isdigit, value)) + 2 * ("#" in value or "!" in value)
        digits += _INNER_DIGIT.search(value) is not None
        is_word = match["basic"] is not None and not features.states(value.lower())
        is_word = is_word and value.isalpha()
        if is_word or (
            values.shape_of(value) >= values.Shape.INVENTED and digits > least
        ):
            yield match.start("value"), match.start("value") + len(value)
