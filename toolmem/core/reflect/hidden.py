"""Find facts in prose: ``key: value`` lines, and "the port is `8080`"."""

import re
from collections.abc import Sized
from typing import NamedTuple

from toolmem.core.facts.parse import parse_facts
from toolmem.core.memories.sentences import blocks, is_fence, sentences
from toolmem.core.text.safetext import one_line

_KEY = re.compile(r"[a-z][a-z0-9]*(?:[_-][a-z0-9]+)+")
"""Spellings used only for keys: ``test_command``, not ``Note`` or ``result``."""
_IS = re.compile(
    r"(?:the|our)\s+((?:[A-Za-z][\w-]*\s+){1,4}?)(?:is|are|=)\s*:?\s*`([^`\n]+)`\.?",
    re.IGNORECASE,
)
_VALUE_CHARS = 200
_MAY_HAVE_KEY = re.compile(r"(?<=[a-z0-9])[_-][a-z0-9]+(?:\*\*|__)?[ \t]*:")
"""In every text with a line of facts whose key has that spelling."""


class HiddenFact(NamedTuple):
    """A fact in the form of ``facts.md``."""

    key: str
    value: str


def facts_in(body: str) -> tuple[HiddenFact, ...]:
    """Return the facts that a memory's text states, each key once, in order."""
    found: dict[str, str] = {}
    may_state = ":" in body and _MAY_HAVE_KEY.search(body)
    stated = parse_facts(body).facts if may_state else ()
    for fact in stated:
        if _KEY.fullmatch(fact.key) and 0 < len(fact.value) <= _VALUE_CHARS:
            found.setdefault(fact.key, fact.value)
    for block in blocks(body) if "`" in body else ():
        if is_fence(block):
            continue
        for sentence in sentences(block):
            match = _IS.fullmatch(sentence.strip())
            if match and len(match[2]) <= _VALUE_CHARS:
                found.setdefault(_snake(match[1]), match[2].strip())
    return tuple(
        HiddenFact(key, value) for key, value in found.items() if key and value
    )


def settled_fact(key: str, value: str) -> str:
    """Return the form in which a memory names a fact that is settled."""
    return one_line(f"{key}: {value}")


def states_only(body: str, facts: Sized) -> bool:
    """Return True if a text has a line for each of its facts and no other.

    Any other line may say that they are an example, old, or wrong.
    """
    return len(facts) == sum(bool(line.strip()) for line in body.splitlines())


def _snake(phrase: str) -> str:
    return "_".join(phrase.replace("-", " ").lower().split())
