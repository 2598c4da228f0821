"""Resolve facts that several memories state: the newest memory decides."""

from collections.abc import Iterable, Iterator, Mapping

from toolmem.core.reflect.plan import FACT, LOOK, Step
from toolmem.core.text.safetext import visible


def one_value_a_fact(steps: Iterable[Step], changed: Mapping[str, str]) -> list[Step]:
    """Return the steps with one value for each fact; ``changed`` is by path.

    An older memory with another value needs a review; one with the same value needs no
    step.
    """
    every = list(steps)
    newest: dict[tuple[str, str], Step] = {}
    for step in every:
        if step.action == FACT:
            known = newest.setdefault((step.scope, step.key), step)
            if _when(step, changed) > _when(known, changed):
                newest[step.scope, step.key] = step
    return list(_settled(every, newest))


def _settled(
    steps: Iterable[Step], newest: Mapping[tuple[str, str], Step]
) -> Iterator[Step]:
    for step in steps:
        kept = newest.get((step.scope, step.key)) if step.action == FACT else None
        if kept is None or kept is step:
            yield step
        elif kept.value != step.value:
            newer = f"a newer memory says {visible(kept.value)}"
            yield Step(LOOK, f"{step.reason}, but {newer}", step.files)


def _when(step: Step, changed: Mapping[str, str]) -> str:
    return max((changed.get(one.path, "") for one in step.files), default="")
