"""What a step back finds among rules: said twice, contradicting, over, never met."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.capture.relate.rules import KnownRule, contradict
from toolmem.core.comparison.verdict import SaveAction, SaveVerdict, compare
from toolmem.core.comparison.verdict import TermStatistics as VaultWords
from toolmem.core.model import Rule
from toolmem.core.reflect.plan import LOOK, RETIRE, Step, Version
from toolmem.core.reflect.similarity import WordTable, similar_ones
from toolmem.core.rules.compose import same_text_key
from toolmem.core.rules.effective import by_person
from toolmem.core.scope import is_narrower
from toolmem.core.times import rfc3339

_MET = ("matched", "asked", "denied")
_SMALL = 200
"""Rules of one tool that are all compared with each other for contradictions."""


class StoredRule(NamedTuple):
    """A rule that is no override, the key of its tool, and the file as it was read."""

    rule: Rule
    tool: str
    version: Version

    @property
    def short(self) -> str:
        """The beginning of its id, as listings show it."""
        return self.rule.id[: limits.ID_SHOWN]


def rule_steps(
    rules: Sequence[StoredRule],
    met: Mapping[str, Mapping[str, int]],
    now: datetime,
    share: str,
) -> Iterator[Step]:
    """What should be done about rules; ``met`` counts by id what befell each.

    ``share`` says that too many are critical, if so.
    """
    lasting = []
    for held in rules:
        expires = held.rule.expires_at
        if expires is not None and expires <= now:
            said = f"rule {held.short} expired at {rfc3339(expires)}"
            yield Step(RETIRE, said, (held.version,))
        elif held.rule.enabled:
            lasting.append(held)
    by_tool: dict[str, list[StoredRule]] = defaultdict(list)
    for held in lasting:
        by_tool[held.tool].append(held)
    for tool in sorted(by_tool):
        yield from _among(sorted(by_tool[tool], key=_standing))
    if met:
        yield from _never_met(lasting, met, now)
    if share:
        yield Step(LOOK, share)


def _standing(held: StoredRule) -> tuple[bool, int, float, str]:
    """Which of rules that read the same stays: a person's, the most binding one."""
    rule = held.rule
    first = rule.created_at.timestamp() if rule.created_at else 0.0
    return not by_person(rule.stated), rule.priority.rank, first, rule.path


def _among(rules: Sequence[StoredRule]) -> Iterator[Step]:
    """What the rules of one tool have to do with each other."""
    told: set[str] = set()
    first: dict[str, list[StoredRule]] = defaultdict(list)
    for held in rules:
        known = first[same_text_key(held.rule.rule)]
        stays = next((one for one in known if _says_for(one, held)), None)
        if stays is not None:
            told.add(held.rule.path)
            where = f"{stays.short} ({stays.rule.scope})"
            said = f"rule {held.short} means the same as {where}"
            yield Step(RETIRE, f"{said}, which stays", (held.version,))
        known.append(held)
    left = [held for held in rules if held.rule.path not in told]
    yield from _nearly(left)


def _says_for(stays: StoredRule, held: StoredRule) -> bool:
    """Whether one rule makes another with the same text needless."""
    same_place = stays.rule.scope == held.rule.scope
    everywhere = is_narrower(held.rule.scope, stays.rule.scope)
    return (
        (same_place or (everywhere and stays.rule.scope.kind != "agent-type"))
        and stays.rule.priority.rank <= held.rule.priority.rank
        and stays.rule.expires_at is None
        and all(guard in stays.rule.guards for guard in held.rule.guards)
        and (by_person(stays.rule.stated) or not by_person(held.rule.stated))
    )


def _nearly(rules: Sequence[StoredRule]) -> Iterator[Step]:
    """Rules that read almost the same, and rules that say the opposite."""
    known = WordTable()
    numbers = [known.add(held.rule.rule) for held in rules]

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
        KnownRule(held.rule.id, held.tool, held.rule.rule) for held in (one, other)
    ]
    if contradict(*sides):
        yield Step(LOOK, f"{both} contradict each other: retire one", files)
        return
    verdict = _compared(one, other, vault)
    if verdict.action is SaveAction.CONTESTED:
        differ = ", ".join(verdict.differing)
        said = f"{both} read alike and differ in {differ}: are both meant?"
        yield Step(LOOK, said, files)
    elif verdict.action in (SaveAction.DEDUPLICATED, SaveAction.MERGED):
        said = f"{both} are very similar ({verdict.similarity:.2f})"
        yield Step(LOOK, f"{said}: one may be enough", files)


def _compared(one: StoredRule, other: StoredRule, vault: VaultWords) -> SaveVerdict:
    return compare(one.rule.rule, other.rule.rule, vault)


def _never_met(
    rules: Iterable[StoredRule], met: Mapping[str, Mapping[str, int]], now: datetime
) -> Iterator[Step]:
    oldest = now - timedelta(days=limits.UNUSED_DAYS)
    for held in rules:
        rule = held.rule
        since = rule.updated_at or rule.created_at
        if not rule.guards or since is None or since > oldest:
            continue
        counts = met.get(rule.id, {})
        if not any(counts.get(kind) for kind in _MET):
            days = limits.UNUSED_DAYS
            said = f"rule {held.short}: no call matched its guard here in {days} days"
            yield Step(
                LOOK, f"{said}: does it still say what is meant?", (held.version,)
            )
