"""What a scope, a rule, a fact and a memory are: plain values, no behaviour."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType

from toolmem.core.named_tuple import NamedTuple
from toolmem.hints import Any

ANY_TOOL = "_any"
"""The folder and key of rules for every tool."""


class Priority(StrEnum):
    """How binding a rule is; critical and high ones stand in the prompt."""

    CRITICAL = "critical"
    HIGH = "high"
    NORMAL = "normal"

    @property
    def rank(self) -> int:
        """0 for critical, 1 for high, 2 for normal: the order of listings."""
        return PRIORITY_RANKS[self]


PRIORITY_RANKS = {priority: rank for rank, priority in enumerate(Priority)}
"""Priority (or its text) to its rank; the most binding one is 0."""


class Source(StrEnum):
    """Who said it: a person, the pipeline after a turn, or a program."""

    USER_EXPLICIT = "user_explicit"
    POST_TURN = "post_turn"
    PROGRAMMATIC = "programmatic"


class Scope(NamedTuple):
    """Where something holds; ``str(scope)`` is the text form of the design.

    ``kind`` is ``system``, ``agent-type``, ``project``, ``override`` or
    ``agent``; an override is a project (``name``) for an agent type (``sub``).
    """

    kind: str
    name: str = ""
    sub: str = ""

    def __str__(self) -> str:
        if self.kind == "system":
            return "system"
        if self.kind in ("project", "override"):
            # A slash ends a project's name: one within it is written as in the
            # name of a folder.
            name = self.name.replace("%", "%25").replace("/", "%2F")
            return f"project:{name}/{self.sub}" if self.sub else f"project:{name}"
        return f"{self.kind}:{self.name}"


SYSTEM = Scope("system")


class Rule(NamedTuple):
    """One rule file: its values, where it lies, and the table it came from.

    ``stated`` is the parsed TOML table (known and unknown keys, in order): an
    override states only what it changes, so the effective rule is made from
    the tables of the chain, broadest first. ``vault`` is the folder of another vault
    that the rule comes from, empty for the vault that is worked on.
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
    """One defect of a vault; ``line`` is 0 where it has no line.

    ``severity`` is ``error`` (something is lost, hidden or unsafe) or
    ``warning`` (it works, but somebody should look).
    """

    path: str
    line: int
    code: str
    message: str
    severity: str = "error"

    @property
    def place(self) -> str:
        """``path:line``, or the path alone."""
        return f"{self.path}:{self.line}" if self.line else self.path
