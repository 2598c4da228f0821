"""Summarise a long memory by its most central sentences.

A sentence is central when its words are those of the whole text (the mean of their
frequency, as in Luhn, "The Automatic Creation of Literature Abstracts", 1958); the
chosen ones are in the order of the text. Nothing is invented.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from toolmem.core import limits
from toolmem.core.language.language import Language
from toolmem.core.memories.sentences import blocks, is_fence, sentences
from toolmem.core.text.terms import asked_words, count_words, words
from toolmem.core.text.tokens import estimate_tokens

_FEWEST_WORDS = 4
"""Shorter statements are headings and labels."""


def needs_summary(body: str) -> bool:
    """Return True if a body is too long to be shown whole."""
    return estimate_tokens(body) > limits.SUMMARY_FROM_TOKENS


def summary_of(title: str, body: str, language: Language) -> str:
    """Return the most central sentences within the size of a summary, in order.

    Words are compared by their stems in the ``language`` of the vault.
    """
    stated: dict[str, str] = {}
    for one in _statements(body):
        stated.setdefault(" ".join(words(one)), one)
    return _central(title, list(stated.values()), language) or _head(body)


def _statements(body: str) -> Iterator[str]:
    """Yield the sentences of a text, without its headings, labels and code."""
    return (
        one
        for block in blocks(body)
        if not is_fence(block) and not block.lstrip().startswith("#")
        for one in sentences(block)
        if count_words(one) >= _FEWEST_WORDS
    )


def _central(title: str, stated: Sequence[str], language: Language) -> str:
    """Join the most central of different sentences, within the size of a summary."""
    stems = [set(language.stems(asked_words(one))) for one in stated]
    counts = Counter(stem for some in stems for stem in some)
    counts.update(dict.fromkeys(language.stems(asked_words(title)), 2))
    ranked = sorted(
        range(len(stated)),
        key=lambda n: (-_centrality(stems[n], counts) - (n == 0), n),
    )
    chosen: list[int] = []
    tokens_left = limits.SUMMARY_TOKENS
    for number in ranked:
        cost = estimate_tokens(stated[number])
        if cost <= tokens_left:
            chosen.append(number)
            tokens_left -= cost
    return " ".join(stated[number] for number in sorted(chosen))


def _centrality(stems: set[str], counts: Counter[str]) -> float:
    return sum(counts[stem] for stem in stems) / (len(stems) + 3) if stems else 0.0


def _head(body: str) -> str:
    """Return the beginning of a text without a sentence that is short enough."""
    parts: list[str] = []
    for word in body.split():
        parts.append(word)
        if estimate_tokens(" ".join(parts)) > limits.SUMMARY_TOKENS - 2:
            return " ".join(parts[:-1]) + " …"
    return " ".join(parts)
