"""Add the commands of scripts that a shell text runs, if their text is available."""

from collections.abc import Iterator

from toolmem.core.guard.calls import ToolCall
from toolmem.core.guard.files import moved
from toolmem.core.guard.patterns.paths import resolve
from toolmem.core.shell.parse import parse_command
from toolmem.core.shell.program import program_name
from toolmem.core.shell.programs import SHELLS
from toolmem.core.shell.words import ShellCommand, SimpleCommand, has_gap

_MOST = 4
_SHEBANGS = ("#!/bin/sh", "#!/bin/bash", "#!/usr/bin/env bash", "#!/usr/bin/env sh")


def with_scripts(command: ShellCommand, call: ToolCall) -> ShellCommand:
    """Return the command with the possible commands of the scripts that it runs."""
    further: list[SimpleCommand] = []
    for path in list(_scripts(command, call))[:_MOST]:
        text = call.script(path) if call.script else ""
        if text and (path.endswith((".sh", ".bash")) or text.startswith(_SHEBANGS)):
            found = parse_command(text).commands
            further += [one._replace(unsure=True) for one in found]
    if not further:
        return command
    return command._replace(commands=(*command.commands, *further))


def _scripts(command: ShellCommand, call: ToolCall) -> Iterator[str]:
    folder = call.cwd
    for one in command.commands:
        texts = [word.text for word in one.argv]
        name = program_name(texts[0]) if texts else ""
        if name in SHELLS or name in ("source", "."):
            texts = [text for text in texts[1:] if not text.startswith("-")]
        elif texts and "/" not in texts[0]:
            texts = []
        if texts and not has_gap(texts[0]) and " " not in texts[0]:
            yield resolve(texts[0], cwd=folder, home=call.home)
        folder = moved(one, folder, call.home)
