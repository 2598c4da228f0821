"""Find facts in the prose of memories: ``key: value`` lines, "the port is `8080`".

Where several memories state a fact, the newest decides, if one is.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sized
from typing import NamedTuple

from toolmem.core.facts.parse import parse_facts
from toolmem.core.memories.sentences import blocks, is_fence, sentences
from toolmem.core.reflect.plan import FACT, LOOK, Step
from toolmem.core.text.safetext import one_line, visible

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
    facts: dict[str, str] = {}
    may_state = ":" in body and _MAY_HAVE_KEY.search(body)
    stated = parse_facts(body).facts if may_state else ()
    for fact in stated:
        if _KEY.fullmatch(fact.key) and 0 < len(fact.value) <= _VALUE_CHARS:
            facts.setdefault(fact.key, fact.value)
    for block in blocks(body) if "`" in body else ():
        if is_fence(block):
            continue
        for sentence in sentences(block):
            match = _IS.fullmatch(sentence.strip())
            if match and len(match[2]) <= _VALUE_CHARS:
                facts.setdefault(_snake(match[1]), match[2].strip())
    return tuple(
        HiddenFact(key, value) for key, value in facts.items() if key and value
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


def one_value_a_fact(steps: Iterable[Step], changed: Mapping[str, str]) -> list[Step]:
    """Return the steps with one value for each fact; ``changed`` is by path.

    An older memory with another value needs a review; one with the same value needs no
    step. Where no memory is newer than all with another value, each needs a review.
    """
    every = list(steps)
    newest: dict[tuple[str, str], Step] = {}
    for step in every:
        if step.action == FACT:
            known = newest.setdefault((step.scope, step.key), step)
            if _when(step, changed) > _when(known, changed):
                newest[step.scope, step.key] = step
    open_keys = {
        (step.scope, step.key)
        for step in every
        if step.action == FACT
        and (known := newest[step.scope, step.key]).value != step.value
        and _when(step, changed) == _when(known, changed)
    }
    return list(_newest_only(every, newest, open_keys))


def _newest_only(
    steps: Iterable[Step],
    newest: Mapping[tuple[str, str], Step],
    open_keys: Collection[tuple[str, str]],
) -> Iterator[Step]:
    for step in steps:
        newest_step = (
            newest.get((step.scope, step.key)) if step.action == FACT else None
        )
        if newest_step is not None and (step.scope, step.key) in open_keys:
            yield Step(LOOK, f"{step.reason}, and another memory differs", step.files)
        elif newest_step is None or newest_step is step:
            yield step
        elif newest_step.value != step.value:
            newer = f"a newer memory says {visible(newest_step.value)}"
            yield Step(LOOK, f"{step.reason}, but {newer}", step.files)


def _when(step: Step, changed: Mapping[str, str]) -> str:
    return max((changed.get(file.path, "") for file in step.files), default="")
