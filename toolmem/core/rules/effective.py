"""Which rules hold: the files of a chain, put together scope by scope.

Broadest first, a file with the id of a broader one is an override and changes
the keys that it states. Nothing weakens a critical rule without a reason, and
nothing that is not a person weakens a critical rule of a person.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from toolmem.core.model import Priority, Rule, Scope, Source
from toolmem.core.named_tuple import NamedTuple
from toolmem.core.names import fold
from toolmem.core.rules.rule_file import RuleFile
from toolmem.errors import UsageError

_BREADTH = {"system": 0, "agent-type": 1, "project": 2, "override": 3, "agent": 4}
# What a rule says, where, and whether it holds: the keys that can silence it.
WEAKENING_KEYS = ("enabled", "priority", "rule", "tool", "expires_at", "guard")
_OTHERS = 1 << 20
"""Where the groups begin that are not a person's; more copies there are not."""
ORPHAN = "no broader scope has this rule"
"""Why an override without a rule has no effect."""
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
    """A rule as it stands after its overrides; ``layers`` begins with its base.

    ``rule`` is None for an override whose rule is in no broader scope.
    """

    id: str
    rule: Rule | None
    layers: tuple[RuleLayer, ...]

    def holds(self, now: datetime) -> bool:
        """Whether it is in effect: enabled and not expired."""
        rule = self.rule
        if rule is None or not rule.enabled:
            return False
        return rule.expires_at is None or rule.expires_at > now


def breadth(scope: Scope) -> int:
    """0 for system up to 4 for an agent's own: the order of the chain, reversed."""
    return _BREADTH[scope.kind]


def combine(files: Iterable[RuleFile]) -> tuple[EffectiveRule, ...]:
    """Put files of one chain together by id, in order of id.

    A second file with the same id in the same scope is a rule of its own, so
    that a copying mistake hides nothing (``check`` reports it). A person's
    critical rule is no override of what others put under its id: these are
    rules of their own as well.
    """
    groups: dict[tuple[str, int], list[RuleFile]] = {}
    seen: dict[tuple[str, Scope], int] = {}
    for file in sorted(files, key=layer_order):
        copy = seen[file.id, file.scope] = seen.get((file.id, file.scope), -1) + 1
        group = groups.setdefault((file.id, copy), [])
        if group and _is_decree(file):
            others = [known for known in group if not by_person(known.stated)]
            if others:
                groups[file.id, _OTHERS + len(groups)] = others
                group[:] = [known for known in group if by_person(known.stated)]
        group.append(file)
    return tuple(_layered(group) for _, group in sorted(groups.items()))


def layer_order(file: RuleFile) -> tuple[int, bool, str]:
    """The order in which files of one id are put together: broadest first.

    Within a scope people's come first: no copy takes an override from them.
    """
    return breadth(file.scope), not by_person(file.stated), file.path


def _is_decree(file: RuleFile) -> bool:
    stated = file.stated
    is_critical = "rule" in stated and stated.get("priority") == "critical"
    return is_critical and by_person(stated)


def layers_of(broader: Iterable[RuleFile], file: RuleFile) -> tuple[RuleLayer, ...]:
    """What a file changes of the rule in broader scopes: alone, and after others.

    Other overrides may be absent from a chain, so that both have to be looked at.
    """
    ordered = sorted(broader, key=layer_order)
    bases = [known for known in ordered if "rule" in known.stated]
    chains = (bases[:1], ordered) if bases else (ordered,)
    return tuple(combine([*chain, file])[0].layers[-1] for chain in chains)


def _layered(files: list[RuleFile]) -> EffectiveRule:
    base = next((n for n, file in enumerate(files) if "rule" in file.stated), None)
    if base is None:
        orphans = tuple(RuleLayer(f.scope, f.path, (), ORPHAN) for f in files)
        return EffectiveRule(files[0].id, None, orphans)
    first = files[base]
    if len(files) == 1:
        alone = RuleLayer(first.scope, first.path, ())
        return EffectiveRule(first.id, rule_from(first.stated, first), (alone,))
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
    """A rule under some of its overrides, whose own caps are applied.

    ``raised``: a person's override made it critical.
    """

    table: Mapping[str, Any]
    base: RuleFile
    raised: bool = False

    @property
    def priority(self) -> Priority:
        """The priority under these overrides."""
        return Priority(self.table.get("priority", "normal"))

    @property
    def is_decree(self) -> bool:
        """Whether it is a person's critical rule, which binds every agent."""
        if self.priority is not Priority.CRITICAL:
            return False
        from_person = self.table.get("source", "user_explicit") == "user_explicit"
        return self.raised or (from_person and self.base.scope.kind != "agent")

    def get(self, key: str) -> Any:
        """The value of a key, defaults included."""
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
    if {"rule", "tool"} & set(changes) and "guard" not in file.stated:
        _forget_derived_guards(table)
    raises = by_person(file.stated) and changes.get("priority") == "critical"
    return layer, state._replace(table=table, raised=state.raised or raises)


def _forget_derived_guards(table: dict[str, Any]) -> None:
    """Drop guards that follow from words that an override has replaced.

    Those that follow from the new words are derived where they are needed. Guards that
    a person wrote stay.
    """
    guards = table.get("guard")
    if guards and all(guard.get("derived") is True for guard in guards):
        del table["guard"]


def _refusal(state: _State, changes: Mapping[str, Any], file: RuleFile) -> str:
    """Why an override may not change this rule, or an empty text if it may."""
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
    """Whether a file is a person's: no agent wrote it and no program's source."""
    return "agent" not in stated and stated.get("source", "user_explicit") == (
        "user_explicit"
    )


def capped_priority(table: Mapping[str, Any]) -> Priority:
    """The priority of a rule; what an agent wrote is at most high."""
    priority = Priority(table.get("priority", "normal"))
    if priority is Priority.CRITICAL and "agent" in table:
        return Priority.HIGH
    return priority


def rule_from(table: Mapping[str, Any], base: RuleFile) -> Rule:
    """The rule that a table states, read at the base's place."""
    return Rule(
        id=base.id,
        tool=table.get("tool", base.folder_tool),
        rule=table["rule"],
        priority=capped_priority(table),
        source=Source(table.get("source", "programmatic")),
        tags=tuple(table.get("tags", ())),
        created_at=table.get("created_at"),
        updated_at=table.get("updated_at"),
        scope=base.scope,
        path=base.path,
        expires_at=table.get("expires_at"),
        evidence=table.get("evidence"),
        reason=table.get("reason"),
        agent=table.get("agent"),
        enabled=table.get("enabled", True),
        guards=tuple(table.get("guard", ())),
        stated=dict(table),
    )


def listing_order(rule: Rule) -> tuple[int, float, str]:
    """The order of every listing: priority, then newest, then id."""
    updated = rule.updated_at or rule.created_at
    return (rule.priority.rank, -updated.timestamp() if updated else 0.0, rule.id)


def find_by_prefix(ids: Iterable[str], prefix: str) -> str | None:
    """The one id that is or begins with ``prefix``; None when there is none.

    Case counts only where nothing else tells ids apart. Raises ``UsageError``
    naming the candidates when several begin with it.
    """
    given = prefix.strip()
    known = sorted(set(ids))
    if given in known:
        return given
    wanted = fold(given)
    exact = [id_ for id_ in known if fold(id_) == wanted]
    found = exact or [id_ for id_ in known if wanted and fold(id_).startswith(wanted)]
    if len(found) > 1:
        raise UsageError(
            f"{prefix!r} is a prefix of several ids: {', '.join(found[:5])}"
        )
    return found[0] if found else None
