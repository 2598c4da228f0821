"""Command lines that agents run for an event, and those in their settings."""

import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from toolmem.core.agents.event import AFTER_TOOL, BEFORE_TOOL, TOOL_FAILED
from toolmem.core.agents.registry import agent_of, dialect_of
from toolmem.core.shell import parse

NOT_INSTALLED = (
    "this project has toolmem rules; toolmem is not installed: calls are not checked"
)
YOURS = "your toolmem rules are not checked: toolmem is not installed"
"""Where the project has none and the user's default vault is still there."""
REMEMBERED = ".local/state/toolmem/toolmem"
"""Link to the program that installed hooks, below the user's home folder."""
ASK, PYTHON = ".local/state/toolmem/ask", ".local/state/toolmem/python"
"""Links to the program that asks a helper, and to its interpreter."""
_WARM = "--warm"
_CALLS = (BEFORE_TOOL, AFTER_TOOL, TOOL_FAILED)
_HAS_RULES = (
    'd=$PWD; while [ "$d" ]; do '
    'if [ -e "$d/.toolmem.toml" ] || [ -e "$d/toolmem.toml" ]; '
    'then echo "$0"; exit; fi; d=${d%/*}; done; '
    'c=${XDG_CONFIG_HOME:-$HOME/.config}/toolmem/config.toml; [ -r "$c" ] || exit 0; '
    'while read -r key is v || [ "$key" ]; do v=${v#?}; v=${v%?}; '
    'if [ "$key" = vault ] && [ -d "$v" ]; then echo "$1"; exit; fi; done <"$c"'
)
"""A script that prints its first word where the project has rules, its second where
only the user's default vault has, and else nothing."""
_HAS_RULES_WINDOWS = (
    "$d = (Get-Location).Path; while ($d) {{ if ((Test-Path $d/.toolmem.toml) -or "
    "(Test-Path $d/toolmem.toml)) {{ Write-Output '{}'; break }}; "
    "$d = Split-Path $d }}"
)
_VALUE = r"(?:\"[^\"]*\"|'[^']*'|[^\s;&|\"'])+"
_VAULT = rf"--vault(?:=|\s+){_VALUE}"
_CALL = (
    rf"(?:\bTOOLMEM_VAULT=(?P<variable>{_VALUE})\s+)?[^\s;&|]*\btoolmem(?:\.exe)?[\"']?"
    rf"(?:\s+(?P<before>{_VAULT}))?\s+hook\s+{{agent}}\b(?:\s+--event(?:=|\s+)\w+)?"
    rf"(?:\s+(?P<after>{_VAULT}))?"
)


class HookCommand(NamedTuple):
    """Command lines of an agent's hooks.

    ``options`` are options of each event, as they are written. With ``warm``, a helper
    of the session is asked about each tool call first.
    """

    agent: str
    platform: str = ""
    options: Mapping[str, str] = {}
    warm: bool = False

    def line(self, event: str) -> str:
        """Return the command line of an event, for the shell that the agent runs."""
        if self.platform == "win32" and agent_of(self.agent).powershell:
            return self.powershell(event)
        return self.sh(event)

    def sh(self, event: str) -> str:
        """Return the command line for ``sh``, ``bash``, ``zsh`` and ``fish``.

        Project settings are shared with people who do not have toolmem, and some
        agents stop when a hook is not found: then it ends well, and the first event of
        a session says so where there are rules. The program that installed the hooks
        is tried where PATH has none.
        """
        words = self.words(event)
        remembered, python, program = (
            f'"$HOME/{link}"' for link in (REMEMBERED, PYTHON, ASK)
        )
        ask = ""
        if self.warm and _is_call_event(self.agent, event):
            there = f"[ -x {python} ] && [ -f {program} ]"
            ask = f"{there} && exec {python} -IS {program} {words}; "
        return (
            f"{ask}command -v toolmem >/dev/null && exec toolmem {words}; "
            f"[ -x {remembered} ] && exec {remembered} {words}; "
            f"{self._without(event)}"
        )

    def powershell(self, event: str) -> str:
        """Return the command line for PowerShell."""
        there = "Get-Command toolmem -ErrorAction SilentlyContinue"
        call = f"toolmem {self.words(event)}; exit $LASTEXITCODE"
        warning = self._warning(event, NOT_INSTALLED)
        search = _HAS_RULES_WINDOWS.format(warning)
        otherwise = f" else {{ {search} }}" if warning else ""
        return f"if ({there}) {{ {call} }}{otherwise}"

    def words(self, event: str) -> str:
        """Return the words after ``toolmem``."""
        name = f"--event {event}" if agent_of(self.agent).names_event else ""
        options = self.options.get(event, "")
        warm = _WARM if self.warm else ""
        return " ".join(filter(None, ("hook", self.agent, name, options, warm)))

    def _without(self, event: str) -> str:
        """Return the command that prints the answer without toolmem, if any."""
        texts = [self._warning(event, text) for text in (NOT_INSTALLED, YOURS)]
        if not all(texts):
            return "exit 0"
        if self.options.get(event):  # they name a vault
            return f"echo '{texts[1]}'"
        return f"/bin/sh -c '{_HAS_RULES}' '{texts[0]}' '{texts[1]}'"

    def _warning(self, event: str, text: str) -> str:
        """Return the lines of a hook without toolmem, "" if the event has none."""
        absent = agent_of(self.agent).absent
        if absent is None or event.casefold() != "sessionstart":
            return ""
        return "\n".join(map(json.dumps, absent(text)))


def is_warm(settings: str) -> bool:
    """Return whether hooks in a settings file ask a helper."""
    return ASK in settings or f"{_WARM};" in settings


def calls_us(handler: Any, agent: str) -> bool:
    """Return True if a handler in a hooks array calls ``toolmem hook AGENT``."""
    return any(_is_call(words, agent) for words in _calls(handler))


def options_of(handler: Any, agent: str) -> str:
    """Return the options of such a handler that are not ours: ``--vault``.

    They are as they are written there, so that variables stay variables.
    """
    if not calls_us(handler, agent):
        return ""
    if handler.get("args"):
        words = [str(word) for word in handler["args"]]
        text = shlex.join(("toolmem", *words))
    else:
        text = str(handler.get("command", handler.get("bash")))
    match = re.search(_CALL.format(agent=agent), text)
    if match is None:
        return ""
    named = f"--vault {match['variable']}" if match["variable"] else ""
    return match["after"] or match["before"] or named


def _calls(handler: Any) -> Iterator[Sequence[Any]]:
    """Yield the words of each command that a handler runs."""
    command = None
    if isinstance(handler, Mapping):
        command = handler.get("command", handler.get("bash"))
    if not isinstance(command, str):
        return
    arguments = handler.get("args", [])
    if isinstance(arguments, list) and arguments:
        yield [command, *arguments]
        return
    yield from _commands(command)


@lru_cache(maxsize=64)
def _commands(text: str) -> Sequence[Sequence[str]]:
    """Return the words of each command; most handlers of a file run the same text."""
    commands = parse.parse_command(text.replace("\\", "/")).commands
    return [[word.text for word in command.argv] for command in commands]


def _is_call(words: Sequence[Any], agent: str) -> bool:
    program = str(words[0]).replace("\\", "/").rpartition("/")[2] if words else ""
    rest = list(words[1:])
    while rest and str(rest[0]).partition("=")[0] == "--vault":
        rest = rest[1 if "=" in str(rest[0]) else 2 :]
    return program in ("toolmem", "toolmem.exe") and rest[:2] == ["hook", agent]


def _is_call_event(agent: str, name: str) -> bool:
    dialect = dialect_of(agent)
    return dialect.read(dialect.base(name, ""), name).kind in _CALLS
