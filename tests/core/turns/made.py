"""Turns made from calls, without a transcript around them."""

from toolmem.core.transcript.events import START as HERE
from toolmem.core.transcript.events import Status, ToolResult, ToolUse, Turn, UserText
from toolmem.core.transcript.tools import make_call


def use(
    tool, args, status=Status.OK, code=None, output="", duration=None, declared=None
):
    call = make_call("", tool, args, HERE, None, declared)
    if status is None:
        return ToolUse(call)
    return ToolUse(call, ToolResult("", status, code, output, duration))


def bash(command, code=0, output="", tool="bash", **args):
    status = Status.FAILED if code else Status.OK
    return use(tool, {"command": command, **args}, status, code, output)


def write(path, status=Status.OK):
    return use("write_file", {"path": path}, status)


def edit(path, status=Status.OK):
    return use("edit_file", {"path": path}, status)


def turn(*uses):
    return Turn(0, (UserText("go"),), uses=uses)
