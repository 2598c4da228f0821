"""Facts about an agent, as its own module gives them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from toolmem.core.agents.event import Answer, Event, Reply
from toolmem.core.agents.wiring import TextFile, Wiring

Table = Mapping[str, Any]
Samples = Mapping[str, tuple[str, Table]]


class UserFiles(Protocol):
    """Files in the agent's own folder of the user."""

    @property
    def hooks(self) -> str:
        """Path of the file with hooks."""

    def read(self, name: str) -> Table:
        """Return a JSON or TOML file; an empty table if it cannot be read."""

    def covers(self, folders: Iterable[object]) -> bool:
        """Return whether one of the folders is above the hooks."""


class Switch(NamedTuple):
    """A setting that switches hooks off: with this value, or this item of its list.

    Of several ``files`` the first that has the setting counts; ``fix`` is what to do in
    it.
    """

    keys: tuple[str, ...]
    value: bool | str
    fix: str
    files: Sequence[TextFile]


class Dialect(NamedTuple):
    """Reader of an agent's events and writer of its answers.

    ``read`` takes a payload and the name that it is configured under. ``samples`` are
    the events of a short session by their common kind: the agent's name and payload of
    each; ``base`` returns what every payload has, from the name and the folder.
    """

    read: Callable[[Table, str], Event]
    write: Callable[[Event, Answer], Reply]
    samples: Samples
    base: Callable[[str, str], Table]


class Agent(NamedTuple):
    """An agent: its settings, its events, and what it can do.

    ``title`` is its name in sentences, ``tools`` are its built-in tools, as its
    transcripts name them. ``dialect`` is None without hooks. ``lost_after`` are events,
    with their source, after which the model lacks what it read. ``asks``: it can ask
    its user before a call. ``absent`` returns the lines of a hook that does not find
    toolmem, from what they say. ``powershell``: it runs the entry of its settings with
    PowerShell on Windows; ``windows_key`` is that of a command for Windows alone.
    ``names_event``: the command line names the event. ``late_outcomes``: only its
    transcript says how a command ended. ``switches`` turn its hooks off, and
    ``missing_step`` returns what the user must do before hooks in "project" or for the
    "user" run, from that place.
    """

    title: str
    wiring: Wiring
    dialect: Dialect | None = None
    tools: Sequence[str] = ()
    lost_after: Sequence[str] = ()
    asks: bool = True
    absent: Callable[[str], Sequence[Table]] | None = None
    powershell: bool = False
    windows_key: str = ""
    names_event: bool = False
    late_outcomes: bool = False
    switches: Sequence[Switch] = ()
    missing_step: Callable[[str, UserFiles], str] | None = None
