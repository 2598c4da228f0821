"""Events of rules in the lines of a journal: how often, when, and for which calls."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from toolmem.core.duties.record import DUTY_EVENTS
from toolmem.core.times import parse_moment, rfc3339
from toolmem.store.state.trace import GUARD, TraceLine

RULE_EVENTS = ("shown", "matched", "asked", "denied", "observed", *DUTY_EVENTS)
"""Kinds of events of a rule while an agent works.

``observed``: the call would have been denied or asked about.
"""


class RuleEvent(NamedTuple):
    """One kind of event of one rule, on calls of one tool (empty where shown).

    ``at`` is the moment of the last one on its day (RFC 3339).
    """

    rule: str
    kind: str
    tool: str
    at: str
    times: int


def rule_events(
    lines: Iterable[Mapping[str, Any]], now: datetime
) -> tuple[RuleEvent, ...]:
    """Count the events in lines by rule, kind, tool and day.

    Lines without a moment (of an earlier version) happened ``now``.
    """
    counts: Counter[tuple[str, str, str, str]] = Counter()
    last: dict[tuple[str, str, str, str], str] = {}
    for line in lines:
        at = rfc3339(_moment(line) or now)
        tool = str(_verdict(line).get("tool", ""))
        for kind in RULE_EVENTS:
            ids = line.get(kind)
            for rule in ids if isinstance(ids, list) else ():
                key = (str(rule), kind, tool, at[:10])
                counts[key] += 1
                last[key] = max(at, last.get(key, ""))
    return tuple(
        RuleEvent(*key[:3], last[key], times) for key, times in sorted(counts.items())
    )


def verdicts(lines: Iterable[Mapping[str, Any]], now: datetime) -> Iterator[TraceLine]:
    """Yield the verdicts on calls as lines of the trace."""
    for line in lines:
        verdict = _verdict(line)
        if verdict:
            texts: dict[str, Any] = {
                name: str(verdict.get(name, ""))
                for name in ("tool", "agent", "status", "rule", "reason")
            }
            project = str(line.get("project", ""))
            at = _moment(line) or now
            yield TraceLine(at, event=GUARD, project=project, **texts).stored


def _moment(line: Mapping[str, Any]) -> datetime | None:
    at = line.get("at")
    return parse_moment(at) if isinstance(at, str) else None


def _verdict(line: Mapping[str, Any]) -> Mapping[str, Any]:
    verdict = line.get("verdict")
    return verdict if isinstance(verdict, dict) else {}
