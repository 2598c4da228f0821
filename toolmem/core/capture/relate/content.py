"""Content words of a rule's text, and the side of the rule that each is on.

Function words, courtesy, light verbs and words of habit are left out. Synonyms count as
one word, so that "you can edit auth.py again" matches "don't touch auth.py".
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from toolmem.core.capture.text.lists import phrases, word_list
from toolmem.core.capture.text.masking import MaskedMessage, mask_message
from toolmem.core.capture.text.words import ENTITY, QUOTE, Token, tokenize, word_set
from toolmem.core.language.language import ENGLISH

_DETERMINERS = word_list("content determiners")
_NEGATIONS = word_set("never avoid stop cease quit refrain")
PREPOSITIONS = word_list("content prepositions")
_SMALL = _DETERMINERS | PREPOSITIONS | word_set(
    "am are be been being can could did do does doing done had has have is may might"
    " must need ought shall should was were will would and but nor or plus so then yet"
    " he him i it me mine nobody nothing she someone something them there they us we"
    " you yours all each every no of not neither anything everything anyone everyone"
    " actually again ahead allow allowed also always anymore available avoid back ban"
    " banned bit cease cool direct directly earlier else enabled even ever except fair"
    " far feel fine forbidden free freely future get go good happen here instead just"
    " keep last let like limit long longer make mind more most never now off-limits ok"
    " okay only onward open other over perfectly permission permit please prefer"
    " previous problem put quit rather really refrain resume run safe say skip start"
    " still stop stuff sure take thing time today tomorrow tool too totally try use"
    " very want way well whenever word work yesterday welcome care careful , ; : . ! ?"
    " ( ) [ ] - – — … ~ & | / > < = + % # \" '"
)  # fmt: skip
RULING = word_list("content ruling")
"""Words that speak about rules and carry nothing of what a rule is about."""
_IRREGULAR = dict(line.split(" ", 1) for line in phrases("irregular"))
_SYNONYMS = tuple(line.split() for line in phrases("synonyms"))


def stem(word: str) -> str:
    """Return the stem of a word in lower case; identifiers stay as they are."""
    word = _IRREGULAR.get(word, word)
    return ENGLISH.stem_of(word) if word.isalpha() and len(word) > 3 else word


_SAME = {stem(word): stem(group[0]) for group in _SYNONYMS for word in group}
_STOP = _SMALL | {stem(word) for word in _SMALL}
_ABOUT_RULES = RULING | {stem(word) for word in RULING}


class ContentWords(NamedTuple):
    """The tokens of a text and, for each, its content words."""

    tokens: tuple[Token, ...]
    content: tuple[tuple[str, ...], ...]

    def among(self, start: int, end: int) -> frozenset[str]:
        """Return the content words from one token to another."""
        return frozenset(word for words in self.content[start:end] for word in words)


@lru_cache(maxsize=512)
def content_words(text: str, *, ruling: bool = True) -> ContentWords:
    """Read a rule's text; without ``ruling``, words about rules are left out."""
    tokens = tokenize(_with_quotations(mask_message(text)))
    content = (words_of_part(t.word, text[t.start : t.end], ruling) for t in tokens)
    return ContentWords(tokens, tuple(content))


def _with_quotations(message: MaskedMessage) -> str:
    """Return the masked text with its quotations, which belong to the rule."""
    masked = message.masked
    if not masked.strip():
        return message.text
    parts, done = [], 0
    for start, end in message.quotes:
        parts += [masked[done:start], message.text[start:end]]
        done = end
    return "".join((*parts, masked[done:]))


def words_of_part(word: str, raw: str, ruling: bool) -> tuple[str, ...]:
    """Return the content words of a token or of a part of one."""
    if word == QUOTE:
        return ()
    if word == ENTITY:
        return (raw.strip("`\"'").lower(),)
    stems = []
    for part in word.split("-"):
        bare = stem(part)
        if not part or bare in _STOP or part in _STOP:
            continue
        if ruling or not {part, bare} & _ABOUT_RULES:
            stems.append(_SAME.get(bare, bare))
    return tuple(stems)


def content_of(text: str) -> frozenset[str]:
    """Return the content words of a rule's text."""
    words = content_words(text)
    return words.among(0, len(words.tokens))


def parts_of_things(text: str) -> frozenset[str]:
    """Return the words inside names of things: ``CHANGELOG.md`` is a changelog."""
    words = content_words(text)
    return frozenset(
        stem(part.lower())
        for token in words.tokens
        if token.word == ENTITY
        for part in re.split(r"[\W_]+", text[token.start : token.end])
        if len(part) > 2
    )


def sides(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return what a rule demands and what it forbids, as content words.

    "Use X, not Y" demands X and forbids Y; what follows ``without`` or ``unless`` is
    a condition and belongs to neither.
    """
    words = content_words(text)
    demanded: set[str] = set()
    forbidden: set[str] = set()
    side = demanded
    for at, token in enumerate(words.tokens):
        word = token.word
        if word in _NEGATIONS or word == "not" or _is_contrast(words.tokens, at):
            side = forbidden
        elif _is_new_demand(words.tokens, at):
            side = demanded
        elif word in ("without", "unless", "except", "because", "since", "if", "when"):
            side = set()
        else:
            side.update(words.content[at])
    return frozenset(demanded), frozenset(forbidden)


def _is_contrast(tokens: Sequence[Token], at: int) -> bool:
    word = tokens[at].word
    after = tokens[at + 1].word if at + 1 < len(tokens) else ""
    return (
        (word, after) in (("instead", "of"), ("rather", "than"))
        or (word == "over" and tokens[0].word in ("prefer", "use", "favor"))
        or (word == "no" and at == 0)
    )


def _is_new_demand(tokens: Sequence[Token], at: int) -> bool:
    after = tokens[at + 1].word if at + 1 < len(tokens) else ""
    if tokens[at].word == ",":
        return after in ("use", "always", "prefer", "run")
    return tokens[at].word in ("but", ";")
