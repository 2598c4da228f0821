"""Turns made from calls, without a transcript around them."""

from typing import Any

from toolmem.core.transcript.events import START as HERE
from toolmem.core.transcript.events import (
    CallStatus,
    ToolResult,
    ToolUse,
    Turn,
    UserText,
)
from toolmem.core.transcript.tools import make_call


def use(
    tool: str,
    args: Any,
    status: CallStatus | None = CallStatus.OK,
    code: int | None = None,
    output: str = "",
    duration: int | None = None,
    declared: object = None,
) -> ToolUse:
    call = make_call("", tool, args, HERE, None, declared)
    if status is None:
        return ToolUse(call)
    return ToolUse(call, ToolResult("", status, code, output, duration))


def bash(
    command: str, code: int = 0, output: str = "", tool: str = "bash", **args: Any
) -> ToolUse:
    status = CallStatus.FAILED if code else CallStatus.OK
    return use(tool, {"command": command, **args}, status, code, output)


def write(path: str, status: CallStatus | None = CallStatus.OK) -> ToolUse:
    return use("write_file", {"path": path}, status)


def edit(path: str, status: CallStatus | None = CallStatus.OK) -> ToolUse:
    return use("edit_file", {"path": path}, status)


def turn(*uses: ToolUse) -> Turn:
    return Turn(0, (UserText("go"),), uses=uses)
