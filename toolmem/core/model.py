"""Values of the domain: scopes, rules, facts and problems."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple

ANY_TOOL = "_any"
"""Folder and key of rules for every tool."""


class Priority(StrEnum):
    """Priority of a rule; critical and high ones are in the prompt."""

    CRITICAL = "critical"
    HIGH = "high"
    NORMAL = "normal"

    @property
    def rank(self) -> int:
        """Rank: 0 for critical, 1 for high, 2 for normal."""
        return PRIORITY_RANKS[self]


PRIORITY_RANKS = {priority: rank for rank, priority in enumerate(Priority)}
"""Priority (or its text) to its rank; the most binding one is 0."""
PRIORITIES = {priority.value: priority for priority in Priority}
"""Priority by its text: quicker than a call of the class."""


class Source(StrEnum):
    """Origin of a rule: a person, the pipeline after a turn, or a program."""

    USER_EXPLICIT = "user_explicit"
    POST_TURN = "post_turn"
    PROGRAMMATIC = "programmatic"


SOURCES = {source.value: source for source in Source}
"""Source by its text."""


class Scope(NamedTuple):
    """Part of the vault; ``str(scope)`` is its text form.

    ``kind`` is ``system``, ``agent-type``, ``project``, ``override`` or ``agent``; an
    override is a project (``name``) for an agent type (``sub``).
    """

    kind: str
    name: str = ""
    sub: str = ""

    def __str__(self) -> str:
        if self.kind == "system":
            return "system"
        if self.kind in ("project", "override"):
            # A slash ends a project's name: inside the name it is encoded as in a
            # folder name.
            name = self.name.replace("%", "%25").replace("/", "%2F")
            return f"project:{name}/{self.sub}" if self.sub else f"project:{name}"
        return f"{self.kind}:{self.name}"


SYSTEM = Scope("system")


class Rule(NamedTuple):
    """One rule file: its values, its location, and its table.

    ``stated`` is the parsed TOML table (known and unknown keys, in order): an override
    states only what it changes, so the effective rule is made from the tables of the
    chain, broadest first. ``vault`` is the folder of another vault that the rule comes
    from, empty for the current one.
    """

    id: str
    tool: str
    rule: str
    priority: Priority
    source: Source
    tags: tuple[str, ...]
    created_at: datetime | None
    updated_at: datetime | None
    scope: Scope
    path: str
    expires_at: datetime | None = None
    evidence: str | None = None
    reason: str | None = None
    agent: str | None = None
    enabled: bool = True
    guards: tuple[dict[str, Any], ...] = ()
    stated: Mapping[str, Any] = MappingProxyType({})
    vault: str = ""


class Fact(NamedTuple):
    """One ``key: value`` line of a scope's ``facts.md``; ``line`` counts from 1."""

    key: str
    value: str
    namespace: str
    scope: Scope
    path: str
    line: int


class Problem(NamedTuple):
    """One defect of a vault; ``line`` is 0 if it has no line.

    ``severity`` is ``error`` (something is lost, hidden or unsafe) or ``warning`` (it
    works, but needs a review).
    """

    path: str
    line: int
    code: str
    message: str
    severity: str = "error"

    @property
    def place(self) -> str:
        """Location: ``path:line``, or the path alone."""
        return f"{self.path}:{self.line}" if self.line else self.path


class Action(StrEnum):
    """Action for a call, mildest first."""

    ALLOW = "allow"
    WARN = "warn"
    ASK = "ask"
    DENY = "deny"

    @property
    def rank(self) -> int:
        """Return 0 for allow to 3 for deny."""
        return _RANK[self]


_RANK = {action: rank for rank, action in enumerate(Action)}
