"""Features of a candidate: its own shape, the words around it, and its nouns.

The words between a candidate and a noun say whether it is the noun's value; its own
words and those that follow say whether it explains the noun instead (``required``,
``in the vault``). The weights of the features are trained (``bench/train_secrets.py``).
Words are features themselves and by their class: see ``_pattern``.
"""

import re
from collections.abc import Sequence
from functools import cache

from toolmem.core.language.empty_words import empty_words
from toolmem.core.package_data import read_data
from toolmem.core.secrets.candidates import SENTENCE_END, PossibleValue
from toolmem.core.secrets.kinds import WORDS, kind_of
from toolmem.core.secrets.nouns import Noun
from toolmem.core.secrets.values import is_commit

STATING_FILE = "secrets/stating_words.txt"
_TOKEN = re.compile(r"[^\W\d_]+|\d+|\n|[^\w\s\"'`*“”«»]")
_QUOTES = "\"'`*“”«»"
_AROUND = 60
"""Characters of a text that are read on each side of a candidate."""
_OTHER_SENSES = frozenset(["key", "login", "loose"])
"""Kinds of nouns that have many other senses: no plain word is their value."""
_LINKS = frozenset(
    "is was are be s : = - – — > → to as became becomes remains use uses using type"
    " enter with ( and ist est lautet le called , set been remain by".split()
)
_CODE_LINE = re.compile(
    r"[;{}]|\w\(|=>|[\])]:|\b(?:def|import|return|const|await|export)\b"
)
_ENDING = re.compile(
    r"(ed|ing|able|ible|ive|less|ful|ory|ary|ly|ent|ant|tion|sion|ment|ness|ity|wise|al"
    r"|ous|er|s)\Z"
)
_SIGNS = "-_.!#@&$%:"


def features(text: str, candidate: PossibleValue) -> list[str]:
    """Return the features of a candidate; no features if it cannot be a value."""
    start, end, is_quoted, before, after = candidate
    value = text[start:end]
    lowered = value.lower()
    kind = "" if lowered in empty_words("en") else kind_of(value, is_quoted=is_quoted)
    if not _may_be_value(kind, before, after) or is_commit(text, start, end):
        return []
    shape = f"{kind}/{'q' if is_quoted else 'u'}"
    words = kind in WORDS or kind == "joined"
    return [
        f"k={shape}",
        f"len={min(len(value), 16) // 2}|{kind}",
        f"nouns={before.kind if before else ''}/{after.kind if after else ''}|{kind}",
        *(_of_words if words else _of_signs)(value, lowered, shape),
        *_around(text, start, end, shape),
        *_following(text, end, shape),
        *(_before(text, start, before, kind, shape) if before else ["b=none"]),
        *(_after(text, end, after, shape) if after else ["a=none"]),
    ]


def _may_be_value(kind: str, before: Noun | None, after: Noun | None) -> bool:
    kinds = {noun.kind for noun in (before, after) if noun}
    if not kind or kinds <= {"loose"} or (kind == "uuid" and "token" not in kinds):
        return False
    if kinds == {"pin"}:
        return kind == "number"
    return not (kind in WORDS and kinds <= _OTHER_SENSES)


def _of_words(value: str, lowered: str, shape: str) -> list[str]:
    words = _TOKEN.findall(lowered.replace("_", " "))
    stating = sum(map(states, words))
    open_words = sum(_class(word) == "W" for word in words)
    ending = _ENDING.search(lowered) if len(value) > 4 else None
    return [
        f"states={min(stating, 2)}/{min(len(words), 4)}|{shape}",
        f"open={min(open_words, 3)}|{shape}",
        f"ending={ending[0] if ending else ''}|{shape}",
        f"case={_case(value)}|{shape}",
        *(f"w={word}" for word in words[:8]),
        *(f"sign={sign}|{shape}" for sign in _SIGNS if sign in value),
    ]


def _of_signs(value: str, lowered: str, shape: str) -> list[str]:
    digits = sum(map(str.isdigit, lowered))
    stem = lowered.rstrip("0123456789")
    return [
        f"stem={_class(stem) if stem.isalpha() else ''}|{shape}",
        f"digits={min(digits, 5)}|{shape}",
        f"case={_case(value)}|{shape}",
        *(f"sign={sign}" for sign in _SIGNS if sign in value),
    ]


def _case(value: str) -> str:
    if value.islower():
        return "x"
    return "X" if value.isupper() else "Xx" if value[0].isupper() else "xX"


def _around(text: str, start: int, end: int, shape: str) -> list[str]:
    """Return features of the words in front of a candidate, and of its line."""
    lead = _tokens(text[max(0, start - _AROUND // 2) : start])
    line = text[max(0, start - _AROUND) : end + _AROUND]
    return [
        f"glue={text[start - 1 : start].strip()}|{shape}",
        f"l1={''.join(lead[-1:])}|{shape}",
        f"l2={'_'.join(lead[-2:])}",
        f"lp={_pattern(lead[-3:])}|{shape}",
        f"code={len(_CODE_LINE.findall(line)[:2])}|{shape}",
    ]


def _following(text: str, end: int, shape: str) -> list[str]:
    """Return features of the words behind a candidate, to the end of its clause."""
    rest = text[end : end + _AROUND].lstrip(_QUOTES)
    tokens = _tokens(rest)
    run = next((at for at, one in enumerate(tokens) if not one.isalpha()), len(tokens))
    classes = [_class(token) for token in tokens[:run]]
    glued = "" if rest[:1].isspace() or not rest else "+"
    following = glued + (tokens[0] if tokens else "end")
    return [
        f"x={following}",
        f"x={following}|{shape}",
        f"x2={'_'.join(tokens[:2])}",
        f"xp={_pattern(tokens[:2])}|{shape}",
        f"xp={_pattern(tokens[:4])}",
        f"run={min(run, 5)}|{shape}",
        f"run={min(classes.count('S'), 2)}S{min(classes.count('W'), 3)}W|{shape}",
        f"tail={tokens[run] if run < len(tokens) else 'end'}|{shape}",
    ]


def _before(text: str, start: int, noun: Noun, kind: str, shape: str) -> list[str]:
    """Return features of the noun before a candidate, and the words between them."""
    gap = _tokens(text[noun.end : start])
    last = gap[-1] if gap else ""
    form = "option" if noun.is_option else "name" if noun.is_name else "word"
    lead = _tokens(text[max(0, noun.start - _AROUND) : noun.start])[-3:]
    named = [
        f"n={last}|{shape}",
        f"n={last}|{noun.kind}|{kind}",
        f"n2={'_'.join(gap[-2:])}|{kind}",
        f"f={gap[0] if gap else ''}",
        f"gaps={min(len(gap), 8)}|{kind}",
        f"gp={_pattern(gap[-4:])}|{noun.kind}",
        f"gp={_pattern(gap[-4:])}|{shape}",
        f"form={form}",
        f"form={form}|{last}|{shape}",
        f"noun={_name(text, noun)}",
        f"p1={''.join(lead[-1:])}|{kind}",
        *(f"p={word}" for word in lead),
    ]
    if len(gap) < 4:
        named += [f"g={'_'.join(gap)}", f"g={'_'.join(gap)}|{shape}"]
    if "line" in gap:
        named.append(f"lines={min(gap.count('line'), 2)}|{kind}")
    if SENTENCE_END.search(text, noun.end, start):
        named.append(f"stop|{kind}")
    return [*named, *_link(gap, kind, shape)]


def _link(gap: Sequence[str], kind: str, shape: str) -> list[str]:
    """Return features of the last word of a gap that gives a noun its value."""
    at = next((at for at in range(len(gap) - 1, -1, -1) if gap[at] in _LINKS), None)
    if at is None:
        return [f"nolink={min(len(gap), 4)}|{shape}"]
    first = next((word for word in gap if word in _LINKS), "")
    distance = min(len(gap) - 1 - at, 3)
    classes = [_class(token) for token in gap]
    return [
        f"link={gap[at]}@{distance}",
        f"link@{distance}|{shape}",
        f"link={gap[at]}@{distance}|{min(at, 3)}|{kind}",
        f"first={first}|{gap[at]}|{kind}",
        f"open={min(classes[at + 1 :].count('W'), 3)}|{kind}",
        f"stated={min(classes[at + 1 :].count('S'), 2)}|{kind}",
        f"statements={min(classes[gap.index(first) + 1 :].count('S'), 2)}|{kind}",
    ]


def _after(text: str, end: int, noun: Noun, shape: str) -> list[str]:
    """Return features of the noun behind a candidate, and the words between them."""
    gap = _tokens(text[end : noun.start])
    follows = "_".join(_tokens(text[noun.end : noun.end + _AROUND // 2])[:1])
    named = [
        f"follows={follows}|{shape}",
        f"follows={_pattern([follows] if follows else [])}|{shape}",
        f"af={gap[0] if gap else ''}|{shape}",
        f"an={gap[-1] if gap else ''}|{shape}",
        f"alen={min(len(gap), 6)}|{shape}",
        f"ap={_pattern(gap[:4])}|{shape}",
        f"anoun={_name(text, noun)}",
        *(f"aw={token}" for token in gap[:5]),
    ]
    if SENTENCE_END.search(text, end, noun.start):
        named.append(f"astop|{shape}")
    if len(gap) < 4:
        named += [f"ag={'_'.join(gap)}", f"ag={'_'.join(gap)}|{shape}"]
    return named


def _name(text: str, noun: Noun) -> str:
    return "_".join(text[noun.start : noun.end].lower().split())


def _tokens(text: str) -> list[str]:
    return [
        "line" if token == "\n" else token for token in _TOKEN.findall(text.lower())
    ]


def _pattern(tokens: Sequence[str]) -> str:
    """Return words by their classes, so that ones never seen count as well."""
    return "_".join(map(_class, tokens))


def _class(token: str) -> str:
    """Return S for a word that states something, W for another, 0 for a number.

    Words without a meaning of their own and signs are their own classes.
    """
    if not token[0].isalnum() or token in empty_words("en") or token == "line":
        return token
    if token.isdigit():
        return "0"
    return "S" if states(token) else "W"


def states(word: str) -> bool:
    """Return True for a word that says something about a credential or about code."""
    return word in _stating()


@cache
def _stating() -> frozenset[str]:
    return frozenset(read_data(STATING_FILE).decode("utf-8").split())
