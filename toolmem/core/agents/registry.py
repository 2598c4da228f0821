"""Agents that toolmem supports, by name."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from toolmem.core.agents.event import Answer, Event, Reply
from toolmem.core.agents.wiring import GOOSE, Wiring
from toolmem.core.model import ANY_TOOL
from toolmem.core.text.suggest import did_you_mean
from toolmem.errors import UsageError

HOOKED = ("claude", "codex", "gemini", "cursor", "copilot", "opencode", "qwen")
"""Agents that run toolmem as a hook."""
AGENTS = (*HOOKED, "goose")
"""Agents that toolmem can be installed for."""
_HERE = "toolmem.core.agents"


class Dialect(NamedTuple):
    """Reader of an agent's events and writer of its answers."""

    read: Callable[[Mapping[str, Any], str], Event]
    write: Callable[[Event, Answer], Reply]


@cache
def wirings() -> Mapping[str, Wiring]:
    """Return the wiring of each agent."""
    hooked = {name: import_module(f"{_HERE}.{name}").WIRING for name in HOOKED}
    return {**hooked, GOOSE.agent: GOOSE}


def dialect_of(agent: str) -> Dialect:
    """Return the dialect of an agent; only that agent's module is loaded.

    Raises ``UsageError`` for an unknown agent.
    """
    if agent not in HOOKED:
        raise UsageError(f"no agent {agent!r}{did_you_mean(agent, HOOKED)}")
    module = import_module(f"{_HERE}.{agent}")
    read = _read_hook_of_claude if agent == "claude" else module.read_event
    return Dialect(read, module.write_answer)


def _read_hook_of_claude(payload: Mapping[str, Any], name: str = "") -> Event:
    """Read an event sent to a hook in the settings of Claude Code.

    Copilot runs those hooks, too; Claude Code's events name a transcript and no time.
    """
    timed = "timestamp" in payload
    copilots = timed and ("transcript_path" not in payload or "stop_reason" in payload)
    sender = "copilot" if copilots else "claude"
    event: Event = import_module(f"{_HERE}.{sender}").read_event(payload, name)
    return event


_FAMILIES = (
    # Claude Code, Codex, Gemini CLI, Cursor, Copilot, OpenCode, goose; the MCP servers
    # filesystem and serena
    "shell bash terminal powershell run_shell_command shell_command exec_command "
    "local_shell local_shell_call execute run_in_terminal developer__shell monitor "
    "write_stdin write_bash run_terminal_cmd execute_shell_command",
    "edit multiedit notebookedit replace str_replace str_replace_editor "
    "str_replace_based_edit_tool apply_patch patch edit_file search_replace "
    "insert_edit_into_file replace_string_in_file multi_replace_string_in_file "
    "developer__text_editor text_editor strreplace applypatch editnotebook delete "
    "delete_file move_file replace_regex replace_symbol_body insert_after_symbol "
    "insert_before_symbol edit_notebook_file",
    "write write_file create create_file create_text_file",
    "read read_file view view_file read_text_file read_multiple_files read_media_file",
    "fetch webfetch web_fetch fetch_url",
    "websearch web_search google_web_search",
)
_WRITES, _EDITS = "write", "edit"
_SEPARATOR = re.compile(r"(?<=[^_-])[_-](?=[^_-])")
_BY_NAME = {
    name: frozenset(family.split()) for family in _FAMILIES for name in family.split()
}


def same_tools(key: str) -> frozenset[str]:
    """Return every key under which a tool may have rules, its own included.

    For an MCP name such as ``mcp__mail__send_email`` this includes the tool's own name.
    """
    names = {key, *_without_server(key)}
    for name in tuple(names):
        names |= _BY_NAME.get(name, frozenset())
    return frozenset(names - {ANY_TOOL})


def ruled_as(key: str) -> frozenset[str]:
    """Return every key whose rules apply to a call of a tool.

    Writing a file also counts as editing it: "never edit gen/" applies to both.
    """
    names = same_tools(key)
    return names | _BY_NAME[_EDITS] if _WRITES in names else names


def _without_server(key: str) -> Iterator[str]:
    """Yield an MCP tool's own name, of every way in which agents write it.

    ``mcp__server__tool`` and ``mcp:tool`` are plain. In ``mcp_server_tool`` (Gemini
    CLI), ``server-tool`` (Copilot) and ``server_tool`` (OpenCode) the server's name
    may end at any separator: every rest of two or more words counts, and of one word
    after ``mcp_server_`` and a hyphen.
    """
    if key.startswith("mcp__"):
        yield key.rpartition("__")[2] or key
        return
    if key.startswith("mcp:"):
        yield key.removeprefix("mcp:") or key
        return
    marked = key.startswith("mcp_")
    rest = key.removeprefix("mcp_")
    for found in _SEPARATOR.finditer(rest):
        name = rest[found.end() :]
        if marked or found[0] == "-" or _SEPARATOR.search(name):
            yield name
