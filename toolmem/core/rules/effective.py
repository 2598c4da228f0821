"""Combine the rule files of a chain of scopes into effective rules.

Broadest first: a file with the id of a broader one is an override and changes the keys
that it states. A critical rule cannot be weakened without a reason, and that of a
person only by a person.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from toolmem.core.model import PRIORITIES, SOURCES, Priority, Rule, Scope
from toolmem.core.names import fold
from toolmem.core.rules.rule_file import RuleFile
from toolmem.core.scope import breadth
from toolmem.errors import UsageError

# Keys that can disable a rule, or change its text or place.
WEAKENING_KEYS = ("enabled", "priority", "rule", "tool", "expires_at", "guard", "duty")
_OTHERS = 1 << 20
"""First number of the groups of rules by agents; there are fewer copies than that."""
ORPHAN = "no broader scope has this rule"
"""Reason why an override without a rule has no effect."""
# Keys of the override file itself, which do not become the rule's.
_OWN_KEYS = frozenset(
    {"id", "source", "agent", "created_at", "evidence", "reason", "conflict"}
)


class RuleLayer(NamedTuple):
    """One file's part in an effective rule: the keys it changed, or why not."""

    scope: Scope
    path: str
    changed: tuple[str, ...]
    refused: str = ""
    reason: str | None = None


class EffectiveRule(NamedTuple):
    """A rule after its overrides; ``layers`` begins with its base.

    An override has no ``rule`` if that is in no broader scope.
    """

    id: str
    rule: Rule | None
    layers: tuple[RuleLayer, ...]

    def is_in_effect(self, now: datetime) -> bool:
        """Return True if it is enabled and not expired."""
        rule = self.rule
        if rule is None or not rule.enabled:
            return False
        return rule.expires_at is None or rule.expires_at > now


def combine(files: Iterable[RuleFile]) -> tuple[EffectiveRule, ...]:
    """Combine files of one chain by id, in order of id.

    A second file with the same id in the same scope is a separate rule, so that a
    copying mistake hides nothing (``check`` reports it). A person's critical rule is
    not an override of files by others under its id: these are separate rules as well.
    """
    every = list(files)
    counts = Counter(file.id for file in every)
    several = [file for file in every if counts[file.id] > 1]
    groups = {(file.id, 0): [file] for file in every if counts[file.id] == 1}
    seen: dict[tuple[str, Scope], int] = {}
    for file in sorted(several, key=layer_order):
        copy = seen[file.id, file.scope] = seen.get((file.id, file.scope), -1) + 1
        group = groups.setdefault((file.id, copy), [])
        if group and _is_decree(file):
            others = [known for known in group if not by_person(known.stated)]
            if others:
                groups[file.id, _OTHERS + len(groups)] = others
                group[:] = [known for known in group if by_person(known.stated)]
        group.append(file)
    return tuple(_layered(groups[key]) for key in sorted(groups))


def layer_order(file: RuleFile) -> tuple[int, bool, str]:
    """Return the order in which files of one id are combined: broadest first.

    Within a scope people's files come first, so that a copy cannot replace them.
    """
    return breadth(file.scope), not by_person(file.stated), file.path


def _is_decree(file: RuleFile) -> bool:
    stated = file.stated
    is_critical = "rule" in stated and stated.get("priority") == "critical"
    return is_critical and by_person(stated)


def layers_of(broader: Iterable[RuleFile], file: RuleFile) -> tuple[RuleLayer, ...]:
    """Return a file's changes to the rule in broader scopes: alone, and after others.

    A chain may lack some of the other overrides, so both have to be checked.
    """
    ordered = sorted(broader, key=layer_order)
    bases = [known for known in ordered if "rule" in known.stated]
    chains = (bases[:1], ordered) if bases else (ordered,)
    return tuple(combine([*chain, file])[0].layers[-1] for chain in chains)


def _layered(files: list[RuleFile]) -> EffectiveRule:
    first = files[0]
    if len(files) == 1 and "rule" in first.stated:
        alone = RuleLayer(first.scope, first.path, ())
        return EffectiveRule(first.id, rule_from(first.stated, first), (alone,))
    base = next((n for n, file in enumerate(files) if "rule" in file.stated), None)
    if base is None:
        orphans = tuple(RuleLayer(f.scope, f.path, (), ORPHAN) for f in files)
        return EffectiveRule(files[0].id, None, orphans)
    first = files[base]
    table = dict(first.stated)
    if "priority" in table:
        table["priority"] = capped_priority(table).value
    layers = [RuleLayer(f.scope, f.path, (), ORPHAN) for f in files[:base]]
    layers.append(RuleLayer(first.scope, first.path, ()))
    state = _State(table, first)
    for file in files[base + 1 :]:
        layer, state = _apply(state, file)
        layers.append(layer)
    rule = rule_from(state.table, first)._replace(priority=state.priority)
    return EffectiveRule(first.id, rule, tuple(layers))


class _State(NamedTuple):
    """A rule after some of its overrides, with their own caps applied.

    ``raised``: a person's override made it critical.
    """

    table: Mapping[str, Any]
    base: RuleFile
    raised: bool = False

    @property
    def priority(self) -> Priority:
        """Priority after these overrides."""
        return Priority(self.table.get("priority", "normal"))

    @property
    def is_decree(self) -> bool:
        """True for a person's critical rule, which binds every agent."""
        if self.priority is not Priority.CRITICAL:
            return False
        from_person = self.table.get("source", "user_explicit") == "user_explicit"
        return self.raised or (from_person and self.base.scope.kind != "agent")

    def get(self, key: str) -> Any:
        """Return the value of a key, defaults included."""
        defaults = {
            "enabled": True,
            "tool": self.base.folder_tool,
            "priority": "normal",
        }
        return self.table.get(key, defaults.get(key))


def _apply(state: _State, file: RuleFile) -> tuple[RuleLayer, _State]:
    changes = {
        key: value
        for key, value in file.stated.items()
        if key not in _OWN_KEYS and value != state.get(key)
    }
    refused = _refusal(state, changes, file)
    if refused:
        changes = {k: v for k, v in changes.items() if k not in WEAKENING_KEYS}
    if "priority" in changes:
        changes["priority"] = capped_priority(file.stated).value
    keys = tuple(key for key in changes if key != "updated_at")
    layer = RuleLayer(file.scope, file.path, keys, refused, file.stated.get("reason"))
    table = {**state.table, **changes}
    raises = by_person(file.stated) and changes.get("priority") == "critical"
    return layer, state._replace(table=table, raised=state.raised or raises)


def _refusal(state: _State, changes: Mapping[str, Any], file: RuleFile) -> str:
    """Return why an override may not change this rule; empty if it may."""
    weakens = [key for key in changes if key in WEAKENING_KEYS]
    if not weakens or state.priority is not Priority.CRITICAL:
        return ""
    if state.is_decree:
        if file.scope.kind == "agent":
            return "an agent's scope cannot change a critical rule of a person"
        if not by_person(file.stated):
            return "only a person can change a critical rule of a person"
    if not str(file.stated.get("reason", "")).strip():
        return "changing a critical rule needs a reason"
    return ""


def by_person(stated: Mapping[str, Any]) -> bool:
    """Return True for a file of a person: no agent and no program wrote it."""
    return "agent" not in stated and stated.get("source", "user_explicit") == (
        "user_explicit"
    )


def capped_priority(table: Mapping[str, Any]) -> Priority:
    """Return the priority of a rule; a rule by an agent is at most high."""
    priority = PRIORITIES[table.get("priority", "normal")]
    if priority is Priority.CRITICAL and "agent" in table:
        return Priority.HIGH
    return priority


def rule_from(table: Mapping[str, Any], base: RuleFile) -> Rule:
    """Return the rule that a table states, with the base's place."""
    get = table.get
    created = get("created_at")
    # In the order of the fields: names take longer, and there may be thousands.
    return Rule(
        base.id,
        get("tool", base.folder_tool),
        table["rule"],
        capped_priority(table),
        SOURCES[get("source", "programmatic")],
        tuple(get("tags", ())),
        created,
        get("updated_at", created),
        base.scope,
        base.path,
        get("expires_at"),
        get("evidence"),
        get("reason"),
        get("agent"),
        get("enabled", True),
        tuple(get("guard", ())),
        dict(table),
    )


def listing_order(rule: Rule) -> tuple[int, float, str]:
    """Order of every listing: priority, then newest, then id."""
    updated = rule.updated_at or rule.created_at
    return (rule.priority.rank, -updated.timestamp() if updated else 0.0, rule.id)


def find_by_prefix(ids: Iterable[str], prefix: str) -> str | None:
    """Return the one id that is or begins with ``prefix``; None without one.

    Case matters only if ids differ in nothing else. Raises ``UsageError`` with the
    candidates if several begin with it.
    """
    given = prefix.strip()
    known = sorted(set(ids))
    if given in known:
        return given
    wanted = fold(given)
    exact = [id_ for id_ in known if fold(id_) == wanted]
    matches = exact or [id_ for id_ in known if wanted and fold(id_).startswith(wanted)]
    if len(matches) > 1:
        raise UsageError(
            f"{prefix!r} is a prefix of several ids: {', '.join(matches[:5])}"
        )
    return matches[0] if matches else None
