"""Which words of a rule carry its content, and which side of it they stand on.

Small words, courtesy, light verbs and words of habit carry none. Near synonyms
count as one word, so that "you can edit auth.py again" meets "don't touch auth.py".
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from toolmem.core.capture.phrases import CLASSES
from toolmem.core.capture.smallwords import (
    AUXILIARIES,
    COORDINATORS,
    DETERMINERS,
    PREPOSITIONS,
    PRONOUNS,
    PUNCTUATION,
    word_set,
)
from toolmem.core.capture.spans import Prose, own_prose
from toolmem.core.capture.stems import stem
from toolmem.core.capture.words import ENTITY, QUOTE, Token, expand, tokenize

NEGATIVE = "not"
FILLER = (DETERMINERS - {"no", "all", "every", "each"}) | word_set(
    "again more please kindly just really ever simply also pls , . ! ; : … - – —"
)
"""Words without which a rule says the same."""
_NEGATIONS = word_set("never avoid stop cease quit refrain")
_LIGHT = word_set(
    "use do be have make go get let try run take put keep want need like allow permit"
    " feel free ahead okay fine good safe cool again now any more long longer from on"
    " never not always only ever avoid stop please just also even still yet more most"
    " really here there too very so well sure rule ban thing stuff time future tool work"
    " no then else instead other back way whenever freely freely mind start resume"
    " permission problem skip anymore today tomorrow actually onward forward perfectly"
    " totally without unless except rather prefer over instead must should ought far as"
    " under circumstance happen directly direct refrain cease quit earlier before previous yesterday last hereby bit back fair game open available enabled limit off-limits forbidden banned say word lifted"
)
_STOP = (
    AUXILIARIES | COORDINATORS | DETERMINERS | PREPOSITIONS | PRONOUNS | PUNCTUATION
    | _LIGHT
)  # fmt: skip
_RULING = (
    CLASSES["ruling"]
    | CLASSES["drop"]
    | CLASSES["lifted"]
    | CLASSES["wrote"]
    | word_set("told said say telling saying")
)
_SAME = {
    word: group[0]
    for group in (
        (
            "edit",
            "touch",
            "change",
            "modify",
            "alter",
            "update",
            "rewrite",
            "fix",
            "refactor",
            "tweak",
            "adjust",
        ),
        ("delete", "remove", "rm", "erase", "drop"),
        ("email", "mail", "e-mail"),
        ("browser", "browse", "browsing"),
        ("run", "execute"),
        ("message", "dm", "ping"),
        ("deploy", "deployment", "ship"),
        ("buy", "purchase"),
        ("schedule", "book"),
        ("ask", "confirm", "check"),
        ("prod", "production"),
        ("test", "tests", "testing"),
        ("lint", "linter", "linting"),
        ("format", "formatter", "reformat", "auto-format"),
        ("tweet", "twitter"),
        ("docs", "documentation", "doc"),
        ("repo", "repository"),
        ("db", "database"),
        ("install", "installation"),
        ("migration", "migrate"),
    )
    for word in group
}


class Words(NamedTuple):
    """The tokens of a rule's text and, beside each, its content words."""

    tokens: tuple[Token, ...]
    content: tuple[tuple[str, ...], ...]

    def among(self, start: int, end: int) -> frozenset[str]:
        """The content words from one token to another."""
        return frozenset(word for words in self.content[start:end] for word in words)


def words_of(text: str, *, ruling: bool = True) -> Words:
    """Read a rule's text; without ``ruling``, words about rules carry nothing."""
    prose = own_prose(text)
    masked = _shown(prose)
    tokens = tokenize(masked)
    content = []
    for token in tokens:
        raw = text[token.start : token.end]
        content.append(_content(token.word, raw, ruling))
    return Words(tokens, tuple(content))


def _shown(prose: Prose) -> str:
    """The masked text, with what was blanked or quoted shown again: it is a rule's."""
    masked = prose.masked
    if not masked.strip():
        return prose.text
    parts, done = [], 0
    for start, end in prose.quotes:
        parts += [masked[done:start], prose.text[start:end]]
        done = end
    return "".join((*parts, masked[done:]))


def _content(word: str, raw: str, ruling: bool) -> tuple[str, ...]:
    if word == QUOTE:
        return ()
    if word == ENTITY:
        return (raw.strip("`\"'").lower(),)
    found = []
    for part in word.split("-"):
        bare = stem(part)
        if not part or bare in _STOP or part in _STOP:
            continue
        if ruling or not {part, bare} & _RULING:
            found.append(_SAME.get(bare, _SAME.get(part, bare)))
    return tuple(found)


def parts_of_things(text: str) -> frozenset[str]:
    """The words inside the names of things: ``CHANGELOG.md`` is a changelog too."""
    words = words_of(text)
    return frozenset(
        stem(part.lower())
        for token in words.tokens
        if token.word == ENTITY
        for part in re.split(r"[\W_]+", text[token.start : token.end])
        if len(part) > 2
    )


def narrowed(text: str) -> frozenset[str]:
    """The content words of a rule that stand after a preposition: its limits."""
    words = words_of(text)
    found: set[str] = set()
    after = False
    for at, token in enumerate(words.tokens):
        if token.word in PREPOSITIONS - {"of"} and at:
            after = True
        elif after:
            found.update(words.content[at])
    return frozenset(found)


def content_of(text: str) -> frozenset[str]:
    """The content words of a rule's text."""
    words = words_of(text)
    return words.among(0, len(words.tokens))


def sides(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """What a rule demands and what it forbids, as content words.

    "Use X, not Y" demands X and forbids Y; what comes after ``without`` or
    ``unless`` is a condition and belongs to neither.
    """
    words = words_of(text)
    demanded: set[str] = set()
    forbidden: set[str] = set()
    side = demanded
    for at, token in enumerate(words.tokens):
        word = token.word
        if word in _NEGATIONS or word == "not" or _set_against(words.tokens, at):
            side = forbidden
        elif word in ("but", ";") or (word == "," and _commands(words.tokens, at + 1)):
            side = demanded
        elif word in ("without", "unless", "except", "because", "since", "if", "when"):
            side = set()
        else:
            side.update(words.content[at])
    return frozenset(demanded), frozenset(forbidden)


def _set_against(tokens: Sequence[Token], at: int) -> bool:
    word = tokens[at].word
    after = tokens[at + 1].word if at + 1 < len(tokens) else ""
    return (
        (word, after) in (("instead", "of"), ("rather", "than"))
        or (word == "over" and tokens[0].word in ("prefer", "use", "favor"))
        or (word == "no" and at == 0)
    )


def _commands(tokens: Sequence[Token], at: int) -> bool:
    return at < len(tokens) and tokens[at].word in ("use", "always", "prefer", "run")


def sequence(text: str) -> tuple[str, ...]:
    """The words of a rule in order, without filler, negations as one word.

    Two rules with the same sequence say the same.
    """
    words = words_of(text)
    found: list[str] = []
    for token in words.tokens:
        word = token.word
        if word in FILLER:
            continue
        if word in _NEGATIONS:
            word = NEGATIVE
        if word == ENTITY:
            word = text[token.start : token.end].strip("`\"'")
        elif word == "from" and found[-1:] == [NEGATIVE]:
            continue
        elif word == "do":
            continue
        else:
            word = stem(word)
        if word != NEGATIVE or found[-1:] != [NEGATIVE]:
            found.append(word)
    return tuple(found)


def spelled(text: str) -> frozenset[str]:
    """Words that name somebody or something: capitals inside the text, in lower case."""
    return frozenset(
        word
        for raw in text.split()[1:]
        if raw[:1].isupper() and not raw.isupper()
        for word in expand(raw.strip(".,;:!?\"'()"))
    )
