"""Propose cleanups of rules: duplicates, contradictions, expired and unused ones."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.capture.relate.rules import KnownRule, contradict
from toolmem.core.comparison.same import same_text, text_key
from toolmem.core.comparison.verdict import SaveAction, SaveVerdict, compare
from toolmem.core.comparison.verdict import TermStatistics as VaultWords
from toolmem.core.guard.derivation.stated import guards_in_force
from toolmem.core.model import Rule
from toolmem.core.reflect.plan import LOOK, RETIRE, Step, Version
from toolmem.core.reflect.similarity import similar_ones
from toolmem.core.reflect.word_table import WordTable
from toolmem.core.rules.effective import by_person
from toolmem.core.scope import is_narrower

_MET = ("matched", "asked", "denied")
_SMALL = 200
"""Maximum number of rules of one tool that are compared in pairs."""


class StoredRule(NamedTuple):
    """A rule that is not an override, the key of its tool, and its file as read."""

    rule: Rule
    tool: str
    version: Version

    @property
    def short(self) -> str:
        """Beginning of its id, as listings show it."""
        return self.rule.id[: limits.ID_SHOWN]


def rule_steps(
    rules: Sequence[StoredRule],
    met: Mapping[str, Mapping[str, int]],
    now: datetime,
    share: str,
) -> Iterator[Step]:
    """Yield the proposals for rules; ``met`` has counts of events by rule id.

    ``share`` is the remark that too many rules are critical, if they are.
    """
    lasting = []
    for stored in rules:
        expires = stored.rule.expires_at
        if expires is not None and expires <= now:
            reason = f"rule {stored.short} expired on {expires:%Y-%m-%d}"
            yield Step(RETIRE, reason, (stored.version,))
        elif stored.rule.enabled:
            lasting.append(stored)
    by_tool: dict[str, list[StoredRule]] = defaultdict(list)
    for stored in lasting:
        by_tool[stored.tool].append(stored)
    for tool in sorted(by_tool):
        yield from _among(sorted(by_tool[tool], key=_precedence))
    if met:
        yield from _never_met(lasting, met, now)
    if share:
        yield Step(LOOK, share)


def _precedence(stored: StoredRule) -> tuple[bool, int, float, str]:
    """Sort key of equal rules: a person's and the most binding one come first."""
    rule = stored.rule
    first = rule.created_at.timestamp() if rule.created_at else 0.0
    return not by_person(rule.stated), rule.priority.rank, first, rule.path


def _among(rules: Sequence[StoredRule]) -> Iterator[Step]:
    """Yield the proposals for the rules of one tool."""
    retired: set[str] = set()
    first: dict[str, list[StoredRule]] = defaultdict(list)
    for stored in rules:
        known = first[text_key(stored.rule.rule)]
        stays = next((rule for rule in known if _says_for(rule, stored)), None)
        if stays is not None:
            retired.add(stored.rule.path)
            where = f"{stays.short} ({stays.rule.scope})"
            reason = f"rule {stored.short} is the same as {where}"
            yield Step(RETIRE, f"{reason}, which stays", (stored.version,))
        known.append(stored)
    left = [stored for stored in rules if stored.rule.path not in retired]
    yield from _nearly(left)


def _says_for(stays: StoredRule, other: StoredRule) -> bool:
    """Return True if one rule makes another with the same text redundant."""
    same_place = stays.rule.scope == other.rule.scope
    everywhere = is_narrower(other.rule.scope, stays.rule.scope)
    return (
        same_text(stays.rule.rule, other.rule.rule)
        and (same_place or (everywhere and stays.rule.scope.kind != "agent-type"))
        and stays.rule.priority.rank <= other.rule.priority.rank
        and stays.rule.expires_at is None
        and _guards_as(stays.rule, other.rule)
        and (by_person(stays.rule.stated) or not by_person(other.rule.stated))
    )


def _guards_as(stays: Rule, other: Rule) -> bool:
    own = guards_in_force(stays)
    return all(guard in own for guard in guards_in_force(other))


def _nearly(rules: Sequence[StoredRule]) -> Iterator[Step]:
    """Yield proposals for nearly equal and for contradicting rules."""
    known = WordTable()
    numbers = [known.add(stored.rule.rule) for stored in rules]

    def may_meet(one: int, other: int) -> bool:
        return _see_each_other(rules[one], rules[other])

    vault = VaultWords(known.documents, known.frequency)
    pairs = {tuple(sorted(pair[:2])) for pair in similar_ones(numbers, known, may_meet)}
    if len(rules) <= _SMALL:
        everyone = range(len(rules))
        pairs |= {
            (a, b) for a in everyone for b in everyone if a < b and may_meet(a, b)
        }
    for one, other in sorted(pairs):
        yield from _pair(rules[one], rules[other], vault)


def _see_each_other(one: StoredRule, other: StoredRule) -> bool:
    scopes = one.rule.scope, other.rule.scope
    return scopes[0] == scopes[1] or is_narrower(*scopes) or is_narrower(*scopes[::-1])


def _pair(one: StoredRule, other: StoredRule, vault: VaultWords) -> Iterator[Step]:
    files = (one.version, other.version)
    both = f"rules {one.short} and {other.short}"
    sides = [
        KnownRule(stored.rule.id, stored.tool, stored.rule.rule)
        for stored in (one, other)
    ]
    if contradict(*sides):
        yield Step(LOOK, f"{both} contradict each other: retire one", files)
        return
    verdict = _compared(one, other, vault)
    if verdict.action is SaveAction.CONTESTED:
        differ = ", ".join(verdict.differing)
        reason = f"{both} read alike and differ in {differ}: are both meant?"
        yield Step(LOOK, reason, files)
    elif verdict.action in (SaveAction.DEDUPLICATED, SaveAction.MERGED):
        reason = f"{both} are very similar ({verdict.similarity:.2f})"
        yield Step(LOOK, f"{reason}: one may be enough", files)


def _compared(one: StoredRule, other: StoredRule, vault: VaultWords) -> SaveVerdict:
    return compare(one.rule.rule, other.rule.rule, vault)


def _never_met(
    rules: Iterable[StoredRule], met: Mapping[str, Mapping[str, int]], now: datetime
) -> Iterator[Step]:
    oldest = now - timedelta(days=limits.UNUSED_DAYS)
    for stored in rules:
        rule = stored.rule
        since = rule.updated_at or rule.created_at
        if since is None or since > oldest or not guards_in_force(rule):
            continue
        counts = met.get(rule.id, {})
        if not any(counts.get(kind) for kind in _MET):
            days = limits.UNUSED_DAYS
            reason = (
                f"rule {stored.short}: no call matched its guard here in {days} days"
            )
            yield Step(
                LOOK, f"{reason}: does it still say what is meant?", (stored.version,)
            )
