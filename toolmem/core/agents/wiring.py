"""Locations of an agent's settings, and what toolmem puts there."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

SECONDS = 10
"""A hook's time limit; toolmem itself gives up after two seconds."""


class TextFile(NamedTuple):
    """A file below the project and one below the home folder; "" is none.

    ``moved`` is an environment variable that names another folder for the user's file,
    and the prefix of ``user`` that it replaces.
    """

    project: str
    user: str
    moved: tuple[str, str] = ("", "")


class McpEntry(NamedTuple):
    """Our entry among an agent's MCP servers: a table at ``keys`` of a settings file.

    ``project``, ``user`` and ``moved`` are as in ``TextFile``. ``item`` is all of the
    entry but the command; ``in_list``: the command and its words are one list.
    """

    project: str
    user: str
    keys: tuple[str, ...] = ("mcpServers",)
    item: Mapping[str, Any] = {}
    in_list: bool = False
    moved: tuple[str, str] = ("", "")

    def value(self, program: str, options: Sequence[str] = ()) -> Mapping[str, Any]:
        """Return the entry that starts a program of toolmem with options."""
        words = ["mcp", *options]
        if self.in_list:
            return {**self.item, "command": [program, *words]}
        return {**self.item, "command": program, "args": words}


class Wiring(NamedTuple):
    """Installation of hooks for an agent: files and their content.

    ``project``, ``user`` and ``moved`` are as in ``TextFile``. ``events`` have handlers
    in a shared JSON file, of a ``shape`` (``nested``, ``flat`` or ``shells``) with
    further keys in ``handler``; ``matchers`` are those of events, ``base`` the keys
    that such a file needs when it is new. With the shape ``scripts`` the paths are
    folders with a program for each event; ``plugin`` is a file that is ours alone, and
    ``section`` a marked section with the prompt block. ``block`` is a further file with
    such a section, where hooks cannot give it. ``note`` is what the user still has to
    do. ``twice``: hooks in both files are both run. ``programs`` show that the agent is
    installed, as its folder of settings does.
    """

    agent: str
    project: str
    user: str
    events: tuple[str, ...] = ()
    shape: str = "nested"
    handler: Mapping[str, Any] = {"timeout": SECONDS}
    matchers: Mapping[str, str] = {}
    base: Mapping[str, Any] = {}
    note: str = ""
    moved: tuple[str, str] = ("", "")
    twice: bool = True
    mcp: McpEntry | None = None
    block: TextFile | None = None
    programs: tuple[str, ...] = ()


def user_path(place: Wiring | McpEntry | TextFile, variables: Mapping[str, str]) -> str:
    """Return the user's file: below the home folder, or absolute if moved."""
    variable, beginning = place.moved
    moved = variables.get(variable) if variable else None
    if not moved or not place.user:
        return place.user
    return f"{moved.rstrip('/')}/{place.user.removeprefix(beginning)}"
