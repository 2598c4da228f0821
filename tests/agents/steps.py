"""Steps of a scripted model, and how each becomes a call of the tools on offer."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

SHELLS = (
    "Bash",
    "shell",
    "shell_command",
    "exec_command",
    "run_shell_command",
    "bash",
    "exec",
    "Execute",
    "run_commands",
    "execute_command",
)
_SEPARATORS = ("__", "::", "_", "-")
_PATHS = ("file_path", "filePath", "path")


class Step:
    """One thing that the model does."""


@dataclass(frozen=True)
class Say(Step):
    """Answer with a text; without calls next to it, this ends the turn."""

    text: str


@dataclass(frozen=True)
class Shell(Step):
    """Run a command line with the agent's shell tool."""

    command: str


@dataclass(frozen=True)
class Read(Step):
    """Read a file with the agent's reading tool."""

    path: str


@dataclass(frozen=True)
class Write(Step):
    """Write a whole file with the agent's writing tool."""

    path: str
    content: str


@dataclass(frozen=True)
class Edit(Step):
    """Replace a text in a file with the agent's editing tool."""

    path: str
    old: str
    new: str


@dataclass(frozen=True)
class Patch(Step):
    """Apply a patch in the ``*** Begin Patch`` format."""

    text: str


@dataclass(frozen=True)
class Tool(Step):
    """Call any tool, by the last part of its name."""

    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class FromRequest(Step):
    """A step that depends on what the model has read."""

    make: Callable[[Sequence[str]], Step]
    """From the texts of the request to the step."""


Answer = Step | tuple[Step, ...]
"""One answer of the model: a step, or several in one message."""


@dataclass(frozen=True)
class Offered:
    """A tool that a request offers: its JSON schema, or free text as its input."""

    name: str
    schema: Mapping[str, Any]
    free_text: bool = False

    @property
    def properties(self) -> Mapping[str, Any]:
        """Return the properties of the input schema."""
        found = self.schema.get("properties")
        return found if isinstance(found, dict) else {}


@dataclass(frozen=True)
class Call:
    """A call in an answer; ``arguments`` is a text for a tool with free text."""

    tool: str
    arguments: dict[str, Any] | str


def find_tool(offered: Mapping[str, Offered], *names: str) -> Offered | None:
    """Find the first offered tool that has one of the names, or ends with one."""
    for name in names:
        for tool in offered.values():
            endings = tuple(separator + name for separator in _SEPARATORS)
            if tool.name == name or tool.name.endswith(endings):
                return tool
    return None


def call_for(step: Step, offered: Mapping[str, Offered]) -> Call:
    """Return the call by which the agent's own tools do a step."""
    texts: dict[tuple[str, ...], str]
    match step:
        case Shell(command):
            return _shell(command, offered)
        case Patch(text):
            return _patch(text, offered)
        case Read(path):
            return _file(offered, ("Read", "read_file", "view", "read"), path)
        case Write(path, content):
            names = ("Write", "write_file", "create", "write", "Create", "editor")
            texts = {("content", "file_text", "new_text"): content}
            return _file(offered, names, path, texts)
        case Edit(path, old, new):
            texts = {
                ("old_string", "oldString", "old_str", "old_text"): old,
                ("new_string", "newString", "new_str", "new_text"): new,
            }
            return _file(offered, ("Edit", "replace", "edit", "editor"), path, texts)
        case Tool(name, arguments):
            tool = find_tool(offered, name)
            return Call(tool.name if tool else name, dict(arguments))
    raise TypeError(f"not a call: {step}")


def _shell(command: str, offered: Mapping[str, Offered]) -> Call:
    tool = find_tool(offered, *SHELLS)
    if tool is None:
        return Call("Bash", {"command": command})
    if tool.free_text:
        return Call(tool.name, _code_mode("exec_command", {"cmd": command}))
    if "cmd" in tool.properties:
        return Call(tool.name, {"cmd": command})
    kind = tool.properties.get("command", {}).get("type")
    words = ["bash", "-lc", command] if kind == "array" else command
    arguments: dict[str, Any] = {"command": words}
    if "commands" in tool.properties:
        arguments = {"commands": [command]}
    for key in tool.schema.get("required", ()):
        choices = tool.properties.get(key, {}).get("enum", ["a step of the script"])
        arguments.setdefault(key, choices[0])
    return Call(tool.name, arguments)


def _patch(text: str, offered: Mapping[str, Offered]) -> Call:
    tool = find_tool(offered, "apply_patch", "patch")
    code = find_tool(offered, "exec")
    if tool is None and code is not None and code.free_text:
        return Call(code.name, _code_mode("apply_patch", text))
    if tool is None or tool.free_text:
        return Call(tool.name if tool else "apply_patch", text)
    key = "patchText" if "patchText" in tool.properties else "input"
    return Call(tool.name, {key: text})


def _code_mode(tool: str, argument: object) -> str:
    """Write the JavaScript that newer Codex models run their tools with."""
    return (
        f"const answer = await tools.{tool}({json.dumps(argument)});\n"
        "text(answer.output ?? JSON.stringify(answer));\n"
    )


def _file(
    offered: Mapping[str, Offered],
    names: tuple[str, ...],
    path: str,
    texts: Mapping[tuple[str, ...], str] | None = None,
) -> Call:
    tool = find_tool(offered, *names) or Offered(names[0], {})
    arguments = {_spelling(tool, _PATHS): path}
    for keys, text in (texts or {}).items():
        arguments[_spelling(tool, keys)] = text
    if "instruction" in tool.properties:
        arguments["instruction"] = "a step of the script"
    return Call(tool.name, arguments)


def _spelling(tool: Offered, keys: tuple[str, ...]) -> str:
    return next((key for key in keys if key in tool.properties), keys[0])
