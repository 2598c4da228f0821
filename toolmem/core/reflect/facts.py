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
    return list(_newest_only(every, newest))


def _newest_only(
    steps: Iterable[Step], newest: Mapping[tuple[str, str], Step]
) -> Iterator[Step]:
    for step in steps:
        newest_step = (
            newest.get((step.scope, step.key)) if step.action == FACT else None
        )
        if newest_step is None or newest_step is step:
            yield step
        elif newest_step.value != step.value:
            newer = f"a newer memory says {visible(newest_step.value)}"
            yield Step(LOOK, f"{step.reason}, but {newer}", step.files)


def _when(step: Step, changed: Mapping[str, str]) -> str:
    return max((changed.get(one.path, "") for one in step.files), default="")
