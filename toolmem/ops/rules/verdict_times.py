"""Warn of verdicts that are close to the time limit, or exceed it."""

from collections import Counter
from datetime import datetime, timedelta

from toolmem.core import hook_limits
from toolmem.core.shown import counted as number_of
from toolmem.store.journal.verdict_log import LARGE, LATE, SLOW, counted

_RECENT = timedelta(days=7)
CURE = (
    "`toolmem doctor` detects a slow disk; guards that name a program, path or text "
    "are faster"
)


def time_warning(now: datetime) -> str:
    """One line about the verdicts of the last week; empty when all were quick."""
    verdicts = counted(now - _RECENT)
    kinds = Counter(verdict.kind for verdict in verdicts)
    parts = []
    for kind, why in ((LATE, "in time"), (LARGE, "because of their size")):
        if kinds[kind]:
            times = number_of(kinds[kind], "event")
            parts.append(f"{times} of agents not checked {why}")
    if kinds[SLOW]:
        slowest = max(verdict.seconds for verdict in verdicts if verdict.kind == SLOW)
        parts.append(
            f"{number_of(kinds[SLOW], 'verdict')} close to the limit of "
            f"{hook_limits.CALL_SECONDS} s (slowest: {slowest:.2f} s)"
        )
    if not parts:
        return ""
    return f"in a week: {'; '.join(parts)}, last in {verdicts[-1].folder or 'a folder'}"
