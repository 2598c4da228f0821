"""Events of a transcript, common to all agents."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple


class ToolKind(StrEnum):
    """Kind of a tool, as needed for turns."""

    SHELL = "shell"
    WRITE = "write"
    EDIT = "edit"
    DELETE = "delete"
    READ = "read"
    SEARCH = "search"
    WEB = "web"
    MCP = "mcp"
    OTHER = "other"


class CallStatus(StrEnum):
    """Outcome of a call; only ``failed`` is a failure of the tool."""

    OK = "ok"
    FAILED = "failed"
    REJECTED = "rejected"
    CANCELLED = "cancelled"
    DENIED_BY_HOOK = "denied_by_hook"
    RUNNING = "running"
    UNKNOWN = "unknown"


class Position(NamedTuple):
    """Position of an event: line from 0, item in that line, byte offset of the line.

    ``key`` is the agent's own id of the message, else derived from the position.
    """

    line: int = 0
    item: int = 0
    offset: int = 0
    key: str = ""

    def named(self, key: str) -> "Position":
        """Return the position with a stable key; ``line.item`` if it is empty."""
        return self._replace(key=key or f"{self.line}.{self.item}")


START = Position()
"""Beginning of a transcript."""


class Session(NamedTuple):
    """Metadata of a transcript; empty where it has none.

    ``tools`` are the names that it declares as available to the model.
    """

    agent: str = ""
    id: str = ""
    cwd: str = ""
    branch: str = ""
    started: datetime | None = None
    version: str = ""
    subagent: bool = False
    tools: tuple[str, ...] = ()


class UserText(NamedTuple):
    """A message on the user's side; a person typed it unless ``synthetic``."""

    text: str
    synthetic: bool = False
    ts: datetime | None = None
    uuid: str = ""
    position: Position = START


class AssistantText(NamedTuple):
    """A message of the model."""

    text: str
    ts: datetime | None = None
    position: Position = START


class TranscriptCall(NamedTuple):
    """A call as the model made it; ``tool`` is the agent's own name of the tool.

    ``paths`` are the files that a read, write or edit names, ``deleted`` those that a
    patch or a delete tool removes, ``created`` those of ``paths`` that a patch adds,
    ``cwd`` the folder that the call requested.
    """

    id: str
    tool: str
    kind: ToolKind = ToolKind.OTHER
    args: Mapping[str, Any] = MappingProxyType({})
    command: str | None = None
    paths: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    created: tuple[str, ...] = ()
    cwd: str = ""
    declared_dangerous: bool = False
    ts: datetime | None = None
    position: Position = START


class ToolResult(NamedTuple):
    """Result of a call; ``output`` is capped, and must be redacted before display.

    ``created`` is True for a new file, False for an existing one, None if unknown.
    """

    call_id: str
    status: CallStatus
    exit_code: int | None = None
    output: str = ""
    duration_ms: int | None = None
    ts: datetime | None = None
    position: Position = START
    created: bool | None = None


class Marker(NamedTuple):
    """``interrupt``, ``compaction`` or ``session_end``."""

    kind: str
    ts: datetime | None = None
    position: Position = START


Event = Session | UserText | AssistantText | TranscriptCall | ToolResult | Marker


class ToolUse(NamedTuple):
    """A call and its result, if there is one."""

    call: TranscriptCall
    result: ToolResult | None = None

    @property
    def status(self) -> CallStatus:
        """Status of the result; ``unknown`` without one."""
        return self.result.status if self.result else CallStatus.UNKNOWN


class Turn(NamedTuple):
    """Events from one typed message to the next.

    ``index`` counts typed messages from 0; -1 is the part before the first one (the end
    of an earlier turn, when reading was resumed).
    """

    index: int  # type: ignore[assignment]  # not the tuple's own
    texts: tuple[UserText, ...] = ()
    replies: tuple[AssistantText, ...] = ()
    uses: tuple[ToolUse, ...] = ()
    markers: tuple[Marker, ...] = ()
    position: Position = START


class Transcript(NamedTuple):
    """A whole transcript, or its part from ``start``.

    ``end`` is where the next reading can start; ``skipped`` counts ignored records by
    reason.
    """

    format: str
    session: Session
    events: tuple[Event, ...]
    turns: tuple[Turn, ...]
    skipped: Mapping[str, int]
    end: Position
