"""Claude Code: session files, and the stream of ``--output-format stream-json``."""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from toolmem.core.transcript.events import (
    AssistantText,
    CallStatus,
    Event,
    Marker,
    Position,
    Session,
    ToolResult,
    UserText,
)
from toolmem.core.transcript.fields import (
    capped,
    flatten,
    mapping,
    milliseconds,
    moment,
    names,
    text,
)
from toolmem.core.transcript.harness import is_interrupt, typed_part, user_texts
from toolmem.core.transcript.outcome import leading_exit_code, refusal
from toolmem.core.transcript.readers.anthropic import (
    CALLS,
    RESULTS,
    call_in,
    read_content,
)
from toolmem.core.transcript.records import TranscriptRecord

_ENTRIES = frozenset(
    (
        *("system", "summary", "attachment", "progress", "queue-operation", "mode"),
        *("file-history-snapshot", "permission-mode", "result", "last-prompt"),
    )
)
_SYNTHETIC_FLAGS = (
    *("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "isSidechain"),
    *("isSynthetic", "parent_tool_use_id", "agentId"),
)
_HUMAN_ORIGINS = frozenset(("human", "cli", "user"))
_HUMAN_SOURCES = frozenset(("typed", "user", "cli", "sdk", "queued", "paste", "voice"))


class _State:
    """State of reading; ``command`` is the id of the line that ran a slash command."""

    def __init__(self) -> None:
        self.session = Session("claude")
        self.seen: set[str] = set()
        self.command = ""


def sniff(record: dict[str, Any]) -> int:
    """Score how much an object looks like a line of Claude Code, 0 to 3."""
    kind = record.get("type")
    if kind in ("user", "assistant") and isinstance(record.get("message"), dict):
        return 3
    named = "sessionId" in record or "session_id" in record
    return 2 if named and isinstance(kind, str) and kind in _ENTRIES else 0


def read(records: Iterable[TranscriptRecord], skipped: Counter[str]) -> Iterator[Event]:
    """Yield the events of a session; lines that resumed files repeat are dropped."""
    state = _State()
    for record in records:
        line = record.value
        uuid = text(line.get("uuid"))
        if uuid in state.seen:
            skipped["repeated"] += 1
            continue
        if uuid:
            state.seen.add(uuid)
        session = _session(line, state.session)
        if session is not state.session:
            state.session = session
            yield session
        place = record.position.named(uuid)
        yield from _line(line, place, moment(line.get("timestamp")), state, skipped)


def _session(line: dict[str, Any], known: Session) -> Session:
    if known.id and known.cwd and known.branch and known.version:
        return known
    tools = names(line.get("tools")) if line.get("subtype") == "init" else ()
    found = known._replace(
        id=known.id or text(line.get("sessionId")) or text(line.get("session_id")),
        cwd=known.cwd or text(line.get("cwd")),
        branch=known.branch or text(line.get("gitBranch")),
        started=known.started or moment(line.get("timestamp")),
        version=known.version or text(line.get("version")),
        subagent=known.subagent if known.id else line.get("isSidechain") is True,
        tools=known.tools or tools,
    )
    return known if found == known else found


def _line(
    line: dict[str, Any],
    place: Position,
    ts: datetime | None,
    state: _State,
    skipped: Counter[str],
) -> Iterator[Event]:
    kind = text(line.get("type"))
    if kind == "user":
        yield from _user(line, place, ts, state)
    elif kind == "assistant":
        yield from _assistant(line, place, ts, skipped)
    elif kind in CALLS:
        yield call_in(line, place, ts)
    elif kind in RESULTS:
        yield result_in(line, line, place, ts)
    elif kind == "attachment":
        yield from _attachment(mapping(line.get("attachment")), place, ts, skipped)
    elif kind == "system" and line.get("subtype") == "compact_boundary":
        yield Marker("compaction", ts, place)
    elif kind == "result" and "num_turns" in line:
        yield Marker("session_end", ts, place)
    else:
        skipped[kind[:40] or "no type"] += 1


def _user(
    line: dict[str, Any], place: Position, ts: datetime | None, state: _State
) -> Iterator[Event]:
    message = mapping(line.get("message"))
    content = read_content(message.get("content"))
    for block in content.results:
        yield result_in(block, line, place, ts)
    if any(is_interrupt(part) for part in content.texts):
        yield Marker("interrupt", ts, place)
        return
    expansion = state.command and line.get("parentUuid") == state.command
    if expansion and isinstance(message.get("content"), list):
        by_person = False
    else:
        by_person = not content.results and _by_person(line, message)
    state.command = ""
    for prompt in user_texts(content.texts, place, ts, by_person):
        if prompt.text.startswith("<command-"):
            state.command = place.key
        yield prompt
    words = denial_words(line, content.results)
    if words:
        yield UserText(words, False, ts, place.key, place)


def _by_person(line: dict[str, Any], message: dict[str, Any]) -> bool:
    """Return True if the line's own marks allow that a person typed its text."""
    if message.get("role", "user") != "user":
        return False
    if any(line.get(flag) for flag in _SYNTHETIC_FLAGS):
        return False
    return _human(line.get("origin"), line.get("promptSource"))


def _human(origin: object, source: object) -> bool:
    if isinstance(origin, dict) and "kind" in origin:
        kind = origin["kind"]
        return isinstance(kind, str) and kind in _HUMAN_ORIGINS and source != "system"
    return source is None or (isinstance(source, str) and source in _HUMAN_SOURCES)


def _attachment(
    attached: dict[str, Any],
    place: Position,
    ts: datetime | None,
    skipped: Counter[str],
) -> Iterator[Event]:
    """Yield a message typed while the agent worked; other attachments are skipped."""
    if attached.get("type") != "queued_command":
        skipped["attachment"] += 1
        return
    by_person = (
        attached.get("commandMode", "prompt") == "prompt"
        and not attached.get("isMeta")
        and _human(attached.get("origin"), None)
    )
    texts = read_content(attached.get("prompt")).texts
    yield from user_texts(texts, place, ts, by_person)


def _assistant(
    line: dict[str, Any], place: Position, ts: datetime | None, skipped: Counter[str]
) -> Iterator[Event]:
    content = read_content(mapping(line.get("message")).get("content"))
    skipped.update({"block": content.unknown} if content.unknown else {})
    text = "\n".join(filter(str.strip, content.texts))
    if line.get("isApiErrorMessage"):
        skipped["API error"] += 1
    elif text and not line.get("isSidechain"):
        yield AssistantText(text, ts, place)
    for block in content.calls:
        yield call_in(block, place, ts)


_REFUSED = "The user doesn't want to proceed with this tool use."
_USER_REPLY = "the user said:\n"
_CREATED = {"create": True, "update": False}
_NOTE = "\n\nNote: The user's next message"


def result_in(
    block: dict[str, Any], line: dict[str, Any], place: Position, ts: datetime | None
) -> ToolResult:
    """Return the result in a ``tool_result`` block; its flag decides, not its text."""
    output = flatten(block.get("content", block.get("output")))
    extra = mapping(line.get("toolUseResult", line.get("tool_use_result")))
    failed = block.get("is_error") is True
    denial = text(line.get("toolDenialKind")).lower()
    if denial:
        status = CallStatus.DENIED_BY_HOOK if "hook" in denial else CallStatus.REJECTED
    elif failed:
        status = refusal(output) or CallStatus.FAILED
    else:
        status = _unfailed(extra)
    return ToolResult(
        call_id=text(block.get("tool_use_id")),
        status=status,
        exit_code=leading_exit_code(output) if status is CallStatus.FAILED else None,
        output=capped(output),
        duration_ms=_duration(extra),
        ts=ts,
        position=place,
        created=_CREATED.get(text(extra.get("type"))),
    )


def denial_words(line: dict[str, Any], results: list[dict[str, Any]]) -> str:
    """Return the text that the user typed when refusing a call.

    The text is inside a tool result, so the harness's own mark on the line is required
    in addition to the fixed sentence: no tool output can set that mark.
    """
    if not text(line.get("toolDenialKind")).lower().startswith("user"):
        return ""
    reason = flatten(results[0].get("content")) if len(results) == 1 else ""
    if not reason.startswith(_REFUSED):
        return ""
    return typed_part(reason.partition(_USER_REPLY)[2].partition(_NOTE)[0])


def _unfailed(extra: dict[str, Any]) -> CallStatus:
    if extra.get("backgroundTaskId"):
        return CallStatus.RUNNING
    if extra.get("interrupted") is True:
        return CallStatus.CANCELLED
    return CallStatus.OK


def _duration(extra: dict[str, Any]) -> int | None:
    for key, factor in (("durationMs", 1), ("totalDurationMs", 1)):
        if key in extra:
            return milliseconds(extra[key], factor)
    return milliseconds(extra.get("durationSeconds"), 1000)
