"""Text of an agent's settings with toolmem in it, and without.

Each function takes the text of a file and returns it changed; None is a file that is
not there. Raises ``InvalidFileError`` for a text that cannot be read.
"""

import json
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from toolmem.core.agents.hook_command import (
    HookCommand,
    calls_us,
    is_warm,
    options_of,
)
from toolmem.core.agents.opencode import plugin
from toolmem.core.agents.registry import agent_of
from toolmem.core.agents.wiring import McpEntry, Wiring
from toolmem.core.formats import json_edit, toml_edit
from toolmem.core.formats.toml_text import parse_toml
from toolmem.core.text.marked import SCRIPT, has_section, put_section, take_section
from toolmem.errors import ExistsError, InvalidFileError

NAME = "toolmem"
"""Name of our entry among MCP servers."""
_MOST_CHARS = 1_000_000
_OURS_ALONE = ("plugin", "scripts")
"""Shapes of files that toolmem writes whole."""
_SCRIPT = """\
#!/bin/sh
# Written by `toolmem agent install {agent}`.
"""


class WiringEntry(NamedTuple):
    """Our item in the array at ``keys`` of a JSON file."""

    keys: tuple[str, ...]
    item: Mapping[str, Any]


class HookState(NamedTuple):
    """``installed``, ``partly`` or ``no``; ``warm`` hooks ask a helper about calls."""

    state: str
    warm: bool = False


class Install(NamedTuple):
    """What to put into a file: hooks, or the block of an agent that takes a text.

    ``options`` are words of each hook's command, instead of those that it has;
    ``event`` is that of a file with the hook of one event.
    """

    platform: str
    block: Callable[[], str]
    warm: bool = True
    options: tuple[str, ...] = ()
    event: str = ""


def entries_of(wiring: Wiring, command: HookCommand) -> tuple[WiringEntry, ...]:
    """Return the entries of a settings file that is shared with others."""
    return tuple(
        WiringEntry(("hooks", event), _item(wiring, command, event))
        for event in wiring.events
        if wiring.shape not in _OURS_ALONE
    )


def _item(wiring: Wiring, command: HookCommand, event: str) -> Mapping[str, Any]:
    if wiring.shape == "flat":
        return {"command": command.line(event), **wiring.handler}
    if wiring.shape == "shells":
        shells = {"bash": command.sh(event), "powershell": command.powershell(event)}
        return {"type": "command", **shells, **wiring.handler}
    handler = {"type": "command", "command": command.line(event), **wiring.handler}
    windows_key = agent_of(command.agent).windows_key
    if windows_key:
        # cmd.exe runs it; a missing program is ignored there.
        handler[windows_key] = f"toolmem {command.words(event)}"
    matcher = wiring.matchers.get(event)
    return {**({"matcher": matcher} if matcher else {}), "hooks": [handler]}


def installed(wiring: Wiring, before: str | None, path: str, new: Install) -> str:
    """Return the settings with our hooks; options of those that are there stay.

    Raises ``ExistsError`` for a file of another program.
    """
    if wiring.shape == "section":
        return put_section(before or "", new.block(), path)
    command = _command(wiring, before, path, new.platform)._replace(warm=new.warm)
    if new.options:
        command = command._replace(options=_options(wiring, new.options))
    if wiring.shape in _OURS_ALONE:
        whole = _whole(wiring, command, new.event)
        if before is not None and "toolmem" not in before:
            raise ExistsError(f"{path} exists and was not written by toolmem")
        return whole
    text = before if before and before.strip() else "{}\n"
    for key, value in wiring.base.items():
        text = json_edit.set_value(text, (key,), value, path)
    for entry in entries_of(wiring, command):
        if dict(entry.item) not in _items_at(_document(text, path), entry.keys):
            text = _without(text, wiring, entry, path)
            text = json_edit.append_item(text, entry.keys, dict(entry.item), path)
    return text


def _options(wiring: Wiring, words: Sequence[str]) -> Mapping[str, str]:
    """Return words for each event, as an agent's settings have them."""
    if wiring.shape == "plugin":
        return {plugin.EVERY_EVENT: "".join(f", {json.dumps(word)}" for word in words)}
    return dict.fromkeys(wiring.events, shlex.join(words))


def removed(
    wiring: Wiring,
    before: str,
    was: str | None,
    path: str,
    platform: str,
    event: str = "",
) -> str | None:
    """Return the settings without our hooks, and without what they alone needed.

    ``was`` is the text before the installation, as far as it is known; ``event`` as in
    ``Install``.
    """
    if wiring.shape == "section":
        return take_section(before, path) or None
    if wiring.shape in _OURS_ALONE:
        command = _command(wiring, before, path, platform)
        return None if before == _whole(wiring, command, event) else before
    text = before
    entries = entries_of(wiring, HookCommand(wiring.agent))
    for entry in entries:
        text = _without(text, wiring, entry, path)
    if text == before:
        return before  # nothing of ours is there
    for entry in entries:
        text = _without_empty(text, entry.keys, before, was, path)
    if was is None and _is_ours_alone(text, wiring.base, path):
        return None
    return text


def _whole(wiring: Wiring, command: HookCommand, event: str) -> str:
    """Return a file that is ours alone: a plugin, or the program of an event."""
    if wiring.shape == "plugin":
        return plugin.opencode_plugin(command)
    return f"{_SCRIPT.format(agent=wiring.agent)}{command.sh(event)}\n"


def is_ours(text: str) -> bool:
    """Return whether toolmem wrote this file, of whatever version."""
    return plugin.is_our_plugin(text) or text.startswith(_SCRIPT.partition("{")[0])


def state(wiring: Wiring, text: str, path: str, event: str = "") -> HookState:
    """Return whether our hooks are in the settings."""
    if wiring.shape == "section":
        return HookState("installed" if has_section(text) else "no")
    if wiring.shape in _OURS_ALONE:
        whole = _whole(wiring, _command(wiring, text, path), event)
        return HookState("installed" if text == whole else "partly", is_warm(text))
    document = _document(text, path)
    command = _command(wiring, text, path)
    there = [
        [
            dict(entry.item) in _items_at(document, entry.keys)
            for entry in entries_of(wiring, command._replace(platform=platform))
        ]
        for platform in ("", "win32")
    ]
    if any(map(all, there)):
        return HookState("installed", is_warm(text))
    ours = (calls_us(handler, wiring.agent) for _, handler in _handlers(document))
    partly = any(map(any, there)) or any(ours)
    return HookState("partly" if partly else "no", is_warm(text))


def with_server(
    entry: McpEntry,
    before: str | None,
    path: str,
    program: str,
    options: Sequence[str] = (),
) -> str:
    """Return the settings with our MCP server, unless they have one of its name.

    With ``options`` one of ours is replaced.
    """
    there = server_in(entry, before, path)
    if there is not None and not (options and _is_our_server(there)):
        return before or ""
    value = dict(entry.value(program, options))
    if path.endswith(".toml"):
        header = ".".join((*entry.keys, NAME))
        body = f"[{header}]\n{toml_edit.toml_document(value)}"
        return put_section(before or "", body, path, SCRIPT)
    text = before if before and before.strip() else "{}\n"
    if there is not None:
        text = json_edit.remove_key(text, (*entry.keys, NAME), path)
    return json_edit.set_value(text, (*entry.keys, NAME), value, path)


def without_server(
    entry: McpEntry, before: str, was: str | None, path: str
) -> str | None:
    """Return the settings without the MCP server that we put there."""
    value = server_in(entry, before, path)
    if path.endswith(".toml"):
        return take_section(before, path, SCRIPT) or None
    if not _is_our_server(value):
        return before
    text = json_edit.remove_key(before, (*entry.keys, NAME), path)
    text = _without_empty(text, entry.keys, before, was, path)
    return None if was is None and _is_ours_alone(text, {}, path) else text


def server_in(entry: McpEntry, text: str | None, path: str) -> Any:
    """Return the entry of our name among the MCP servers, or None."""
    if not text or not text.strip():
        return None
    is_toml = path.endswith(".toml")
    read = partial(parse_toml, most=_MOST_CHARS) if is_toml else _document
    return _at(read(text, path), (*entry.keys, NAME))


def _is_our_server(value: Any) -> bool:
    if not isinstance(value, Mapping):
        return False
    words = value.get("command")
    words = words if isinstance(words, list) else [words, *value.get("args", ())]
    program = str(words[0]).replace("\\", "/").rpartition("/")[2]
    return words[1:2] == ["mcp"] and program in ("toolmem", "toolmem.exe")


def _command(
    wiring: Wiring, text: str | None, path: str, platform: str = ""
) -> HookCommand:
    """Return the hooks' command, with options that the installed ones have."""
    plain = HookCommand(wiring.agent, platform)
    if not text or not text.strip():
        return plain
    plain = plain._replace(warm=is_warm(text))
    if wiring.shape == "plugin":
        return plain._replace(options=plugin.plugin_options(text))
    if wiring.shape == "scripts":
        words = options_of({"command": text}, wiring.agent)
        return plain._replace(options=dict.fromkeys(wiring.events, words))
    with suppress(InvalidFileError):
        handlers = _handlers(_document(text, path))
        named = (
            (event, options_of(handler, wiring.agent)) for event, handler in handlers
        )
        options: dict[str, str] = {}
        for event, words in named:
            if words:
                options.setdefault(event, words)
        return plain._replace(options=options)
    return plain


def _handlers(document: Any) -> Iterator[tuple[str, Any]]:
    """Yield the handlers of each event, those in groups as well."""
    hooks = document.get("hooks") if isinstance(document, Mapping) else None
    for event, items in hooks.items() if isinstance(hooks, Mapping) else ():
        for item in items if isinstance(items, list) else ():
            inner = item.get("hooks") if isinstance(item, Mapping) else None
            for handler in inner if isinstance(inner, list) else [item]:
                yield str(event), handler


def _document(text: str, path: str) -> Any:
    return json_edit.value_of(text, json_edit.read_json(text, path))


def _at(value: Any, keys: tuple[str, ...]) -> Any:
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _items_at(document: Any, keys: tuple[str, ...]) -> list[Any]:
    value = _at(document, keys)
    return value if isinstance(value, list) else []


def _without(text: str, wiring: Wiring, entry: WiringEntry, path: str) -> str:
    """Return the text without the handlers of ours in the array of an entry."""
    ours = partial(calls_us, agent=wiring.agent)
    return json_edit.remove_items(text, entry.keys, ours, path, "hooks")


def _without_empty(
    text: str, keys: tuple[str, ...], before: str, was: str | None, path: str
) -> str:
    """Return the text without containers that are empty now and were not before."""
    for depth in range(len(keys), 0, -1):
        some = keys[:depth]
        old = _document(was, path) if was and was.strip() else None
        theirs = _at(old, some) is not None or _is_empty(before, some, path)
        if _is_empty(text, some, path) and not theirs:
            text = json_edit.remove_key(text, some, path)
    return text


def _is_empty(text: str, keys: tuple[str, ...], path: str) -> bool:
    return _at(_document(text, path), keys) in ({}, [])


def _is_ours_alone(text: str, base: Mapping[str, Any], path: str) -> bool:
    """Return whether nothing but what we put into an empty file is left."""
    own = "{}"
    for key, value in base.items():
        own = json_edit.set_value(own, (key,), value, path)
    return "".join(text.split()) in ("{}", "".join(own.split()))
