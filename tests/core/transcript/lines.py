"""Lines of transcripts in the shapes that the agents' formats document."""

import json
from itertools import count
from typing import Any

from toolmem.core.transcript.events import ToolResult, ToolUse

Json = dict[str, Any]


def jsonl(*records: Any) -> bytes:
    """Return the records as JSON lines; a string is a line as it is."""
    lines = (r if isinstance(r, str) else json.dumps(r) for r in records)
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")


def result_of(use: ToolUse) -> ToolResult:
    """The result of a call that has one."""
    assert use.result is not None
    return use.result


class Claude:
    """Builds the lines of one Claude Code session."""

    def __init__(self) -> None:
        self._ids = count()

    def line(self, kind: str, content: Any, **keys: Any) -> Json:
        number = next(self._ids)
        return {
            "type": kind,
            "uuid": f"u{number}",
            "parentUuid": f"u{number - 1}" if number else None,
            "isSidechain": False,
            "sessionId": "s-1",
            "cwd": "/w/app",
            "gitBranch": "main",
            "version": "2.1.39",
            "timestamp": f"2026-02-01T10:00:{number % 60:02d}.000Z",
            "message": {"role": kind, "content": content},
            **keys,
        }

    def user(self, content: Any, **keys: Any) -> Json:
        return self.line("user", content, **keys)

    def says(self, text: str) -> Json:
        return self.line("assistant", [{"type": "text", "text": text}])

    def call(self, tool: str, call_id: str, **args: Any) -> Json:
        block = {"type": "tool_use", "id": call_id, "name": tool, "input": args}
        return self.line("assistant", [block])

    def result(
        self, call_id: str, content: Any, error: Any = None, **keys: Any
    ) -> Json:
        block = {"type": "tool_result", "tool_use_id": call_id, "content": content}
        if error is not None:
            block["is_error"] = error
        return self.user([block], **keys)


def codex(line: str, /, **payload: Any) -> Json:
    """One line of a Codex rollout."""
    return {"timestamp": "2026-05-01T08:00:00.000Z", "type": line, "payload": payload}


def codex_call(call_id: str, name: str, **args: Any) -> Json:
    text = json.dumps(args)
    return codex(
        "response_item",
        type="function_call",
        name=name,
        arguments=text,
        call_id=call_id,
    )


def codex_output(call_id: str, output: Any) -> Json:
    return codex(
        "response_item", type="function_call_output", call_id=call_id, output=output
    )


def codex_user(text: str) -> Json:
    content = [{"type": "input_text", "text": text}]
    return codex("response_item", type="message", role="user", content=content)
