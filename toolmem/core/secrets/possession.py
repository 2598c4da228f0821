"""Credentials that belong to a noun: assignment, copula, apposition, element.

A noun such as ``password`` or ``DB_PASSWORD`` has a value where grammar gives it one:
``noun = value``, ``the noun is value``, ``with the noun value``, ``--noun value``,
``<noun>value</noun>``. How sure the link is decides which shapes of values count (see
``values``). The text after a noun is read up to a bound, so the work is linear.
"""

import re
from collections.abc import Iterable, Iterator

from toolmem.core.secrets.nouns import Noun
from toolmem.core.secrets.tables import cells
from toolmem.core.secrets.values import (
    Shape,
    is_code_name,
    is_commit,
    is_hex,
    is_joined,
    is_noise,
    is_phrase,
    is_reference,
    is_uuid,
    shape_of,
)

_MARKUP = r"[\"'`*\]]{0,3}"
_OPEN = r"(?P<open>\\?[\"'`“‘«]|\*\*|__)?"
_ASSIGN = re.compile(
    rf"(?:\\?(?:\[\])?{_MARKUP})(?P<gap>\s{{0,4}})(?P<sign>:=|:-|=>|->|→|={{1,2}}|:"
    rf"|\|\||\?\?|\?(?=\s)|[—–-](?=\s))"
    rf"[*\]]{{0,2}}(?P<space>\s{{0,12}})@?{_OPEN}(?=\S)"
)
_IS = (
    r"(?:'s|’s|\s{1,3}(?:is|was|are|equals|lautet|ist|est|es|é|stays|remains|becomes"
    r"|set\sto|changed\sto"
    r"|(?:would|should|will|could|has|had|must)\s(?:be|been|now\sbe)(?:\sset\sto)?))"
    r"(?![\w'])"
)
_STILL = r"(?:\s(?:still|now|just|currently|simply|set\sto|called|literally))?:?"
_COPULA = re.compile(rf"{_MARKUP}{_IS}{_STILL}\s{{1,3}}{_OPEN}(?=\S)")
_APPOSITION = re.compile(rf"{_MARKUP}(?:,?[ ]{{1,2}}|[ ]?\(|(?=[\"'])){_OPEN}(?=\S)")
_ATTRIBUTE = re.compile(
    rf"[\"']?(?P<gap>[\s,{{;]{{1,12}})(?:type\s{{0,12}}=[^\n]{{0,40}}\n\s{{0,12}})?[\"']?(?:value|Value|default)[\"']?\s{{0,3}}(?P<sign>[:=])"
    rf"(?P<space>[ ]{{0,3}}){_OPEN}(?=\S)"
)
"""The value of a setting that is written as two: ``name: DB_PASSWORD, value: …``."""
_DISTANT = re.compile(
    rf"(?:\s(?:is|was)(?:\sstill|\snow)?|:(?:\s(?:still|now))?|(?<![!<>=])=|\s->"
    rf"|\s(?:type|enter))\s{{1,2}}{_OPEN}(?=\S)"
)
_PRONOUN = re.compile(
    rf"(?i)\b(?:it|that)(?:['’]s|\s(?:is|was))(?:\s(?:now|still))?"
    rf"\s{{1,2}}{_OPEN}(?=\S)"
)
"""A link of a later clause or sentence: ``the password was rotated, now it's …``."""
_GIVEN = re.compile(rf"{_MARKUP}\s(?:back\s)?to\s{_OPEN}(?=\S)")
_GIVES = re.compile(r"(?i)\b(?:change|set|reset|update|rotate)[sd]?\b[^.,;:!?\n]*\Z")
_BACK = re.compile(
    r"""(?x) (?: (?P<open>["'`“]) (?P<quoted>[^"`“”\n]{4,64}) ["'`”]
      | (?<!\S) (?P<bare>[^\s"'`“”]{4,63}[^\s"'`“”,;:.)]) )
    [ ]? [,(—–-]? [ ]? (?: (?: that | which | it ) (?: ['’]s | [ ] is ) |is|was|as )
    [ ] (?: (?: the | my | our | its | a ) [ ] )? (?: [\w-]{2,12} [ ] ){0,2} \Z"""
)
"""A value before its noun: ``use … as the password``, ``… (that's the password)``."""
_WHOLE = re.compile(
    r"\s*(?:[.,;!?)]|\Z|\b(?:for|on|in|to|of|at|when|if|and|until|only|again|now|today"
    r"|here|everywhere|[a-z]+ly)\b)"
)
"""The end of a name that goes on with no other noun (``password hasher``)."""
_ELEMENT = re.compile(
    r"[\"']?>\s{0,2}(?:<value>)?(?P<value>[^<>\s][^<>\n]{2,80}?)\s{0,2}</"
)
_MODIFIED = re.compile(
    r"""(?xi) [ ]? [(,—–.?!;] | [ ] (?: type | enter | got | for | of | on | in | at
      | to | from | with | by
      | that | which | who | whose | you | we | i | they | he | she | it | where
      | when | as | after | since | until | btw | fyi | again | now | today
      | please | still | has
      | behind | under | if | once | there | here | against
      | your | our | my | is | was | f[uü]r | de[lrsmn]? | du | d[oae]s? | pour | para
      | auf | von | vom | zum? | zur | im | hasn.t ) \b"""
)
"""What may be between a noun and its link: no second noun (``password field is``)."""
_LINKS = (("assign", _ATTRIBUTE), ("assign", _ASSIGN), ("copula", _COPULA))
_STOP = re.compile(r"[.!?;](?=\s|\Z)|[\n\t\"{}|]")
_WORD = re.compile(r"[^\s\"'`<>(){}\[\],;“”‘’«»]{1,257}")
_RUN = re.compile(r"[^\s\"`]{8,257}")
_STRICT_WORD = re.compile(r"[^\s\"`“”«»]{1,257}")
_CLAUSE = re.compile(r"[^\n.,;:!?()\"'`“”]{1,120}")
_CLOSING = {"“": "”", "‘": "’", "«": "»"}
_NEAR = 100
"""Characters from a noun to a link that is not right behind it."""
_BREAK = re.compile(
    r" (?:for|on|in|at|if|when|and|but|or|to|with|of|by|from|until|so|as) "
)
_MIXED = re.compile(r"\d[A-Za-z]+\d")
_VERSIONED = re.compile(r"v\d+\Z")
_QUOTES = ("'", '"', "`")
_DIGITS = re.compile(r"(?:\d{4,8}|\d{3,5}-\d{3,5}|\d\d(?:-\d\d){2})#?")
_YEAR = re.compile(r"(?:19|20)\d\d")
_LONE = re.compile(r"[ ]?\n(?P<open>)(?=\S{5,64}[ ]?(?:\n|\Z))")
"""The end of a line that is only a noun; the value is the next line."""


def possessed_credentials(
    text: str, found: Iterable[Noun]
) -> Iterator[tuple[int, int]]:
    """Yield start and end of each credential that a noun has."""
    for noun in found:
        place = _value_of(noun, text)
        if place is not None:
            yield place


def tabled_credentials(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each credential that is a cell of a table."""
    for kind, start, end in cells(text):
        noun = Noun(kind, start, start, False, False, False, False)
        if _judged(noun, text, start, end, "next to"):
            yield start, end


def _value_of(noun: Noun, text: str) -> tuple[int, int] | None:
    end = noun.end
    if match := _ELEMENT.match(text, end):
        place = match.span("value")
        return _judged(noun, text, *place, "element", quoted=True)
    for link, pattern in _LINKS:
        if match := pattern.match(text, end):
            found = _linked(noun, text, match, link)
            return found or (_distant(noun, text) if link == "copula" else None)
    if (match := _APPOSITION.match(text, end)) and (
        found := _linked(noun, text, match, "option" if noun.is_option else "next to")
    ):
        return found
    if text[noun.start - 1 : noun.start] in ("", "\n") and (
        match := _LONE.match(text, end)
    ):
        return _linked(noun, text, match, "next to")
    if (match := _GIVEN.match(text, end)) and _GIVES.search(
        text, max(0, noun.start - _NEAR), noun.start
    ):
        return _linked(noun, text, match, "given")
    return _distant(noun, text) or _before(noun, text)


def _before(noun: Noun, text: str) -> tuple[int, int] | None:
    """Find the value that a clause in front of the noun says it is."""
    start = max(0, noun.start - _NEAR)
    match = _BACK.search(text, start, noun.start)
    if match is None or noun.kind != "password" or not _WHOLE.match(text, noun.end):
        return None
    quoted = match["quoted"] is not None
    place = match.span("quoted" if quoted else "bare")
    return _judged(noun, text, *place, "copula" if quoted else "next to", quoted=quoted)


def _distant(noun: Noun, text: str) -> tuple[int, int] | None:
    """Find a value behind a link later in the sentence: ``password on it is …``."""
    if not _MODIFIED.match(text, noun.end):
        return None
    limit = noun.end + _NEAR
    stop = _STOP.search(text, noun.end, limit)
    near = stop.start() + 2 if stop else limit
    links = [*_DISTANT.finditer(text, noun.end, near)]
    if noun.kind == "password":
        after = _STOP.search(text, near, limit) if stop else None
        limit = after.start() + 2 if after else limit
        links += _PRONOUN.finditer(text, noun.end, limit)
    places = (_linked(noun, text, match, "distant") for match in links)
    return next(filter(None, places), None)


def _linked(
    noun: Noun, text: str, match: re.Match[str], link: str
) -> tuple[int, int] | None:
    start = match.end()
    if link == "next to" and match[0][:1] in _QUOTES and "," in match[0]:
        link = "listed"
    opened = (match["open"] or "").lstrip("\\")
    if opened:
        close = _CLOSING.get(opened, opened)
        end = text.find(close, start, start + 257)
        line = text.find("\n", start, start + 257)
        if end > start and (line < 0 or end < line):
            end -= text[end - 1] == "\\"
            return _judged(noun, text, start, end, link, quoted=True)
    if link == "assign" and "\n" in match["space"]:
        link = "below"
    if link == "assign" and match["sign"] in "—–->→" and match["gap"] == "":
        return None
    if link == "assign" and match["sign"] == "==":
        return None
    run = _RUN.match(text, start)
    if run and is_noise(run[0]) and link != "next to":
        return start, run.end()
    word = _word(text, start)
    if word is None or (
        text[word[1] - 1] == "="
        and text[start : word[1] - 1].isalpha()
        and (link == "below" or text[word[1] : word[1] + 1] in _QUOTES)
    ):
        return None
    found = _judged(noun, text, *word, link)
    return found or _phrase(noun, text, start, link)


def _word(text: str, start: int) -> tuple[int, int] | None:
    """Return the place of the word at a position, without stops; None for code."""
    match = _STRICT_WORD.match(text, start)
    if match is None:
        return None
    end = match.end()
    for mark in ("',", "';", "')", '")', "`", "<", "),", "\\n"):
        at = text.find(mark, start, end)
        end = at if at > start else end
    while end > start and text[end - 1] in ",;:.!?)]}'\"*":
        if text[end - 1] == "!" and any(map(str.isdigit, text[start:end])):
            break
        if text[end - 1] == ")" and "(" in text[start:end]:
            return None
        end -= 1
    rest = text[end : end + 2]
    if rest[:1] in ("(", "[") or (rest[:1] == ":" and rest[1:].isspace()):
        return None
    if ";" in text[start:end] or "," in text[start:end]:
        cut = re.search(r"[;,]", text[start:end])
        end = start + cut.start() if cut else end
    return (start, end) if end > start else None


def _judged(
    noun: Noun,
    text: str,
    start: int,
    end: int,
    link: str,
    *,
    quoted: bool = False,
) -> tuple[int, int] | None:
    """Return the place if the value counts for this noun and link."""
    value = text[start:end]
    counts = _counts_quoted if quoted else _counts
    if not counts(noun, value, link) or is_commit(text, start, end):
        return None
    return start, end


def _counts_quoted(noun: Noun, value: str, link: str) -> bool:
    if noun.kind == "pin":
        return bool(_DIGITS.fullmatch(value))
    if " " in value:
        is_said = noun.kind == "password" or (
            noun.is_secret and link == "copula" and value.count(" ") < 4
        )
        return is_said and link != "next to" and is_phrase(value.lower(), quoted=True)
    if is_noise(value) or (noun.is_api and is_uuid(value)):
        return True
    if noun.kind == "loose":
        return _counts(noun, value, link)
    shape = shape_of(value)
    if link == "listed":
        return shape is Shape.GENERATED
    if shape is Shape.WORD:
        return (noun.kind == "password" and is_phrase(value)) or is_joined(
            value, loose=noun.is_name
        )
    return shape >= (Shape.NUMBER if noun.kind == "password" else Shape.INVENTED)


def _counts(noun: Noun, value: str, link: str) -> bool:
    if noun.kind == "pin":
        is_number = link != "below" and _DIGITS.fullmatch(value) is not None
        return is_number and not (link == "next to" and _YEAR.fullmatch(value))
    shape = shape_of(value)
    if noun.kind == "loose":
        is_long = len(value) >= 20 and link == "assign" and not is_hex(value)
        is_mixed = value.isalnum() and len(_MIXED.findall(value)) > 1
        return is_long and (shape is Shape.GENERATED or is_mixed)
    if shape in (Shape.REFERENCE, Shape.GENERATED) or link == "listed":
        return shape is Shape.GENERATED
    if shape is Shape.INVENTED:
        return _counts_invented(noun, value, link)
    if shape is Shape.NUMBER:
        return noun.kind == "password" and link != "below" and len(value) > 5
    if link == "below" or (link == "distant" and noun.kind != "password"):
        return False
    is_setting = noun.is_name and link == "assign"
    is_given = link in ("given", "option") or is_setting
    least = 2 if is_given and noun.kind == "password" else 3
    return is_joined(value, loose=is_setting, least=least) or (
        noun.kind == "token"
        and is_setting
        and len(value) > 11
        and value.isalpha()
        and value.islower()
        and is_phrase(value)
    )


def _counts_invented(noun: Noun, value: str, link: str) -> bool:
    digits = sum(map(str.isdigit, value))
    if noun.kind == "password":
        if link in ("distant", "next to", "below"):
            return not is_code_name(value)
        return True
    is_plain = link == "assign" or (link == "copula" and value.isalnum())
    least = 0 if is_plain and not _VERSIONED.search(value) else 1
    is_id = is_hex(value) or is_code_name(value)
    if link == "next to":
        is_id = is_id or not _MIXED.search(value)
    return len(value) >= 8 and digits > least and not is_id


def _phrase(noun: Noun, text: str, start: int, link: str) -> tuple[int, int] | None:
    """Find plain words that can only be the password: ``is correct horse battery``."""
    if noun.kind != "password" or link in ("next to", "below", "listed", "given"):
        return None
    if (match := _CLAUSE.match(text, start)) is None:
        return None
    clause = match[0].rstrip()
    follows = text[start + len(match[0]) : start + len(match[0]) + 1]
    after = start + len(match[0])
    if follows == "." and text[after + 1 : after + 2].isalnum():
        return None
    if follows in ("(", ":", '"', "`") or is_reference(clause):
        return None
    if cut := _BREAK.search(clause):
        clause = clause[: cut.start()]
    if noun.is_name or link in ("option", "element"):
        if clause.count(" ") > 1 and is_phrase(clause) and follows in ("", "\n"):
            return start, start + len(clause)
        clause = clause.split(" ")[0]
        if len(clause) < 6 or is_code_name(clause):
            return None
    is_said = (
        text[max(0, start - 12) : start]
        .rstrip()
        .endswith(("is", "was", "still", "now"))
    )
    is_last = text[start - 2 : start] == ": " and follows in ("", "\n")
    least = {
        "distant": 2 if is_said else 1 if is_last and clause.islower() else 3,
        "copula": 1 if is_said else 2,
        "assign": 1 if clause.islower() or " " not in clause else 3,
    }.get(link, 1)
    if len(clause) > 5 and clause.count(" ") + 1 >= least and is_phrase(clause):
        return start, start + len(clause)
    return None
