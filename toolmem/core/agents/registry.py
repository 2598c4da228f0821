"""Agents that toolmem supports, by name."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module

from toolmem import errors
from toolmem.core.agents import agent as agents
from toolmem.core.agents import event as events
from toolmem.core.agents import samples as sample_events
from toolmem.core.agents import wiring
from toolmem.core.model import ANY_TOOL
from toolmem.core.text import suggest

_HERE = __name__.rpartition(".")[0]
AGENTS = (
    *("claude", "cline", "codex", "continue", "copilot", "cursor", "droid", "gemini"),
    *("goose", "opencode", "qwen"),
)
"""Agents that toolmem can be installed for: each has a folder next to this module."""


def agent_of(name: str) -> "agents.Agent":
    """Return an agent; only its own module is loaded.

    Raises ``UsageError`` for an unknown name.
    """
    if name not in AGENTS:
        known = ", ".join(AGENTS)
        hint = suggest.did_you_mean(name, AGENTS)
        raise errors.UsageError(f"no agent {name!r}{hint} (there are {known})")
    agent: agents.Agent = import_module(f"{_HERE}.{name}").AGENT
    return agent


@cache
def hooked() -> tuple[str, ...]:
    """Return the agents that run toolmem as a hook."""
    return tuple(name for name in AGENTS if agent_of(name).dialect)


@cache
def wirings() -> "Mapping[str, wiring.Wiring]":
    """Return the wiring of each agent."""
    return {name: agent_of(name).wiring for name in AGENTS}


def dialect_of(name: str) -> "agents.Dialect":
    """Return the dialect of an agent; one that cannot ask its user denies instead.

    Raises ``UsageError`` for an unknown agent, and for one without hooks.
    """
    agent = agent_of(name)
    dialect = agent.dialect
    if dialect is None:
        raise errors.UsageError(f"{name} has no hooks")
    if agent.asks:
        return dialect
    write = dialect.write
    return dialect._replace(
        write=lambda event, answer: write(
            event, events.deny_instead_of_ask(answer, agent.title)
        )
    )


def tools_of(transcript: str) -> Sequence[str]:
    """Return the built-in tools of an agent, by the format of its transcripts.

    A decree may name a tool before its first call, and agents do not list their tools.
    """
    return agent_of(transcript).tools if transcript in AGENTS else ()


def loses_text(event: "events.Event") -> bool:
    """Return whether the model lacks after this event what it read before."""
    name = f"{event.name} {event.source}".strip()
    return name in agent_of(event.agent).lost_after


def samples(name: str, folder: str) -> "tuple[sample_events.Sample, ...]":
    """Return the events of a short session of an agent in a folder, in order."""
    dialect = dialect_of(name)
    return tuple(
        sample_events.Sample(kind, event, {**dialect.base(event, folder), **own})
        for kind, (event, own) in dialect.samples.items()
    )


_FAMILIES = (
    # Claude Code, Codex, Gemini CLI, Cursor, Copilot, OpenCode, goose, droid, Cline;
    # the MCP servers filesystem and serena
    "shell bash terminal powershell run_shell_command shell_command exec_command "
    "local_shell local_shell_call execute run_in_terminal developer__shell monitor "
    "run_commands execute_command write_stdin write_bash run_terminal_cmd "
    "execute_shell_command",
    "edit multiedit notebookedit replace str_replace str_replace_editor "
    "str_replace_based_edit_tool apply_patch patch edit_file search_replace "
    "insert_edit_into_file replace_string_in_file multi_replace_string_in_file "
    "developer__text_editor text_editor editor strreplace applypatch editnotebook "
    "delete delete_file move_file replace_regex replace_symbol_body "
    "insert_after_symbol insert_before_symbol edit_notebook_file",
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
    for match in _SEPARATOR.finditer(rest):
        name = rest[match.end() :]
        if marked or match[0] == "-" or _SEPARATOR.search(name):
            yield name
