"""Summarise a long memory by its most central sentences.

A sentence is central when its words are those of the whole text (the mean of their
frequency, as in Luhn, "The Automatic Creation of Literature Abstracts", 1958), and when
it has words by which a cause, a decision or an amount is stated (cue words: Edmundson,
"New Methods in Automatic Extracting", 1969). Sentences that differ in numbers only,
such as the lines of a log, count once. The chosen ones are in the order of the text.
Nothing is invented.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from toolmem.core import limits
from toolmem.core.language.language import Language
from toolmem.core.memories import sentences
from toolmem.core.text.terms import asked_words, count_words, words
from toolmem.core.text.tokens import estimate_tokens

_FEWEST_WORDS = 4
"""Shorter statements are headings and labels."""
_CAUSE = re.compile(
    r"\b(?:because|causes?|caused|reason|due to|led to|resulted? in|turned out|why)\b",
    re.IGNORECASE,
)
_DECISION = re.compile(
    r"\b(?:decided|decision|agreed|chose|chosen|must|never|always|from now on|fix|fixed"
    r"|solved|solution|resolved|instead of|lesson)\b",
    re.IGNORECASE,
)
_AMOUNT = re.compile(r"\b\d[\d.,]* ?(?:%|[^\W\d_])")
_CUES = ((_CAUSE, 1.5), (_DECISION, 1.5), (_AMOUNT, 0.25))
"""Cue words, and their weight; the most central sentence has 1 without any."""
_FIRST = 0.5
"""Weight of being the first sentence."""
_NUMBER = re.compile(r"\b\d+\b")


def needs_summary(body: str) -> bool:
    """Return True if a body is too long to be shown whole."""
    return estimate_tokens(body) > limits.SUMMARY_FROM_TOKENS


def summary_of(title: str, body: str, language: Language) -> str:
    """Return the most central sentences within the size of a summary, in order.

    Words are compared by their stems in the ``language`` of the vault.
    """
    stated: dict[str, str] = {}
    for statement in _statements(body):
        stated.setdefault(_NUMBER.sub("0", " ".join(words(statement))), statement)
    return _central(title, list(stated.values()), language) or _head(body)


def _statements(body: str) -> Iterator[str]:
    """Yield the sentences of a text, without its headings, labels and code."""
    return (
        sentence
        for block in sentences.blocks(body)
        if not sentences.is_fence(block) and not block.lstrip().startswith("#")
        for sentence in sentences.sentences(block)
        if count_words(sentence) >= _FEWEST_WORDS
    )


def _central(title: str, stated: Sequence[str], language: Language) -> str:
    """Join the most central of different sentences, within the size of a summary."""
    stems = [set(language.stems(asked_words(statement))) for statement in stated]
    counts = Counter(stem for some in stems for stem in some)
    counts.update(dict.fromkeys(language.stems(asked_words(title)), 2))
    central = [_centrality(some, counts) for some in stems]
    most = max(central, default=0.0) or 1.0
    worth = [
        value / most + _cues(statement)
        for value, statement in zip(central, stated, strict=True)
    ]
    worth[:1] = [value + _FIRST for value in worth[:1]]
    ranked = sorted(range(len(stated)), key=lambda n: (-worth[n], n))
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


def _cues(statement: str) -> float:
    return sum(weight for cue, weight in _CUES if cue.search(statement))


def _head(body: str) -> str:
    """Return the beginning of a text without a sentence that is short enough."""
    parts: list[str] = []
    for word in body.split():
        parts.append(word)
        if estimate_tokens(" ".join(parts)) > limits.SUMMARY_TOKENS - 2:
            return " ".join(parts[:-1]) + " …"
    return " ".join(parts)
