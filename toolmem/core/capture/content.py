"""Which words of a rule carry its content, and which side of it they stand on.

Small words, courtesy, light verbs and words of habit carry none. Near synonyms
count as one word, so that "you can edit auth.py again" meets "don't touch auth.py".
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from toolmem.core.capture.classes import CLASSES
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
    "again please kindly just really ever simply also do , . ! ; : … - – —"
)
"""Words without which a rule says the same."""
_NEGATIONS = word_set("never avoid stop cease quit refrain")
_LIGHT = word_set(
    "actually again ahead allow also always any anymore as available avoid back ban be"
    " bit cease circumstance cool direct directly do doing earlier else enabled even"
    " ever fair"
    " far feel fine forbidden free freely from future game get go good happen have"
    " hereby here instead just keep last let like limit long longer make mind more most"
    " must need never no not now off-limits okay on only onward open other ought over"
    " perfectly permission permit please prefer previous problem put quit rather really"
    " refrain resume rule run safe say should skip so start still stop stuff sure take"
    " then there thing time today tomorrow tool too totally try under unless use very"
    " want way well whenever without word work yesterday yet before banned except"
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
_SYNONYMS = """
edit touch change modify alter update rewrite fix refactor tweak adjust
delete remove rm erase drop
email mail e-mail
browser browse browsing
sms text
message dm ping
deploy deployment ship
buy purchase
schedule book
ask confirm check
prod production
test tests testing
lint linter linting
format formatter reformat auto-format
tweet twitter
docs documentation doc
repo repository
db database
install installation
migration migrate
"""
_SAME = {
    word: line.split()[0]
    for line in _SYNONYMS.strip().split("\n")
    for word in line.split()
}


class Words(NamedTuple):
    """The tokens of a rule's text and, beside each, its content words."""

    tokens: tuple[Token, ...]
    content: tuple[tuple[str, ...], ...]

    def among(self, start: int, end: int) -> frozenset[str]:
        """The content words from one token to another."""
        return frozenset(word for words in self.content[start:end] for word in words)


@lru_cache(maxsize=512)
def words_of(text: str, *, ruling: bool = True) -> Words:
    """Read a rule's text; without ``ruling``, words about rules carry nothing."""
    tokens = tokenize(_shown(own_prose(text)))
    content = (_content(t.word, text[t.start : t.end], ruling) for t in tokens)
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
        elif _goes_on(words.tokens, at):
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


def _goes_on(tokens: Sequence[Token], at: int) -> bool:
    """Whether a new demand begins after this word: ", use …", "; …", "but …"."""
    after = tokens[at + 1].word if at + 1 < len(tokens) else ""
    if tokens[at].word == ",":
        return after in ("use", "always", "prefer", "run")
    return tokens[at].word in ("but", ";")


def sequence(text: str) -> tuple[str, ...]:
    """The words of a rule in order, without filler, negations as one word.

    Two rules with the same sequence say the same.
    """
    found: list[str] = []
    before = ""
    for token in words_of(text).tokens:
        word = token.word
        filler = word in FILLER or (word == "more" and before == "any")
        filler = filler or (word == "from" and found[-1:] == [NEGATIVE])
        before = word
        if filler:
            continue
        if word == ENTITY:
            word = text[token.start : token.end].strip("`\"'")
        else:
            word = NEGATIVE if word in _NEGATIONS else stem(word)
        if word != NEGATIVE or found[-1:] != [NEGATIVE]:
            found.append(word)
    return tuple(found)


def spelled(text: str) -> frozenset[str]:
    """Words with a capital inside the text: they name somebody or something."""
    return frozenset(
        word
        for raw in text.split()[1:]
        if raw[:1].isupper() and not raw.isupper()
        for word in expand(raw.strip(".,;:!?\"'()"))
    )
