"""The same rule put again: what is stronger is taken over, the rest is reported."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from toolmem.core.model import Priority
from toolmem.core.rules.effective import by_person, capped_priority
from toolmem.core.rules.rule_file import RuleFile
from toolmem.core.times import local_time


class Again(NamedTuple):
    """Keys that change, and what is asked for that does not.

    ``differs`` has texts such as "its priority is still critical".
    """

    changes: Mapping[str, Any]
    differs: tuple[str, ...]


def compare_again(
    known: RuleFile, table: Mapping[str, Any], *, is_agent: bool
) -> Again:
    """Compare a rule with a table of the same text that is put again.

    A higher priority, more tags, a later end or none, more guards and a person's own
    source are stronger. An agent changes nothing of a person's rule.
    """
    stated = known.stated
    comparisons = (
        _priority(stated, table),
        _source(stated, table, is_agent=is_agent),
        _tags(stated, table),
        _expiry(stated, table),
        _evidence(stated, table),
        _guards(stated, table),
    )
    changes: dict[str, Any] = {}
    differs: list[str] = []
    for comparison in comparisons:
        changes |= comparison.changes
        differs += comparison.differs
    if changes and is_agent and by_person(stated):
        names = ", ".join(sorted({_NAMES.get(key, key) for key in changes}))
        return Again({}, (*differs, f"only a person changes its {names}"))
    return Again(changes, tuple(differs))


_NAMES = {"expires_at": "expiry", "guard": "guards"}
_SAME = Again({}, ())


def _unchanged(text: str) -> Again:
    return Again({}, (text,))


def _priority(stated: Mapping[str, Any], table: Mapping[str, Any]) -> Again:
    if table["priority"] is None:
        return _SAME
    stored, asked = capped_priority(stated), Priority(table["priority"])
    if asked.rank < stored.rank:
        return Again({"priority": asked.value}, ())
    return (
        _SAME
        if asked is stored
        else _unchanged(f"its priority is still {stored.value}")
    )


def _source(
    stated: Mapping[str, Any], table: Mapping[str, Any], *, is_agent: bool
) -> Again:
    """Make an agent's rule a person's when a person states it."""
    own = table["source"] in (None, "user_explicit")
    if is_agent or not own or by_person(stated):
        return _SAME
    changes: dict[str, Any] = {"source": "user_explicit"}
    if "agent" in stated:
        changes["agent"] = None
    if table["kept_by"]:
        changes["kept_by"] = table["kept_by"]
    return Again(changes, ())


def _tags(stated: Mapping[str, Any], table: Mapping[str, Any]) -> Again:
    stored, asked = list(stated.get("tags", ())), table["tags"]
    if asked is None:
        return _SAME
    if not asked:
        return (
            _unchanged(f"its tags are still {', '.join(stored)}") if stored else _SAME
        )
    merged = list(dict.fromkeys((*stored, *asked)))
    return Again({"tags": merged}, ()) if merged != stored else _SAME


def _expiry(stated: Mapping[str, Any], table: Mapping[str, Any]) -> Again:
    stored, asked = stated.get("expires_at"), table["expires_at"]
    if stored is None and asked is None:
        return _SAME
    if stored is None:
        return _unchanged("it still has no expiry")
    if asked is None or asked > stored:
        return Again({"expires_at": asked}, ())
    return (
        _SAME
        if asked == stored
        else _unchanged(f"it still expires at {local_time(stored)}")
    )


def _evidence(stated: Mapping[str, Any], table: Mapping[str, Any]) -> Again:
    stored, asked = stated.get("evidence"), table["evidence"]
    if not asked or asked == stored:
        return _SAME
    return (
        _unchanged("its evidence is unchanged")
        if stored
        else Again({"evidence": asked}, ())
    )


def _guards(stated: Mapping[str, Any], table: Mapping[str, Any]) -> Again:
    """Guards that are refused stay so, unless some are given."""
    stored, asked = stated.get("guard"), table["guard"]
    if asked is None or asked == stored:
        return _SAME
    if not asked:
        return _unchanged("its guards are unchanged")
    new = [guard for guard in asked if guard not in (stored or ())]
    return Again({"guard": [*(stored or ()), *new]}, ()) if new else _SAME
