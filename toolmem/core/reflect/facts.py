"""Resolve facts that several memories state: the newest memory decides, if one is."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from toolmem.core.reflect.plan import FACT, LOOK, Step
from toolmem.core.text.safetext import visible


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
    return max((changed.get(one.path, "") for one in step.files), default="")
