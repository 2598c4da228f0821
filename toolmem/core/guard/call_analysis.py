"""A call as guards see it; each part is computed once and only if needed."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

from toolmem.core.guard import contacts, reach, targets
from toolmem.core.guard.calls import (
    SHELL_KEYS,
    ArgumentValue,
    FileUse,
    ShellSource,
    ToolCall,
    is_prose,
    shell_sources,
    values_of,
)
from toolmem.core.guard.conditions import NOTHING, GuardMatch, excerpt, seen_files
from toolmem.core.guard.contents import additions
from toolmem.core.guard.may_run import cannot_run, may_run_script
from toolmem.core.patterns import paths
from toolmem.core.patterns.match import fit_glob
from toolmem.core.rules.guard_table import Guard
from toolmem.core.shell.operations import DELETE, READ
from toolmem.core.shell.words import Fit
from toolmem.core.text import patches

_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_CHANGING = frozenset(
    ("edit", "multiedit", "write", "create", "update", "append", "replace", "patch",
     "insert", "modify", "save", "move", "rename", "delete", "remove", "trash", "put",
     "notebookedit", "applypatch", "undo", "unlink", "overwrite", "upload", "editor")
)  # fmt: skip
_DELETING = frozenset(("delete", "remove", "trash", "unlink", "move", "rename"))
_READING = frozenset(
    ("read", "view", "open", "cat", "get", "load", "grep", "show", "fetch", "download",
     "head", "tail", "copy", "list")
)  # fmt: skip


_SENDING = tuple(
    f"*{word}*" for word in "send reply forward mail_to post share invite".split()
)
_FINDING = tuple(
    f"*{word}*"
    for word in "read search list find get fetch query grep view edit write".split()
)
"""Words of tools that send nothing to the addresses in their arguments."""
_ANY_USE = READ | DELETE
_VIEWS = ("view", "read", "open")
_PATH_KEYS = re.compile(r".*(?:path|file|filename|uri|notebook|document)s?")


def is_tool(globs: Sequence[str], tool: str) -> bool:
    """Return True if a tool's name, as words joined by ``_``, fits a glob."""
    name = "_".join(word.lower() for word in _WORDS.findall(tool))
    return any(fit_glob((name,), glob) for glob in globs)


def tool_operations(tool: str, action: str = "") -> frozenset[str]:
    """Return the ways in which a tool uses its files, by the words of its name.

    ``action`` is what an editor with several actions is to do.
    """
    if action in _VIEWS:
        return frozenset({"read"})
    words = {word.lower() for word in _WORDS.findall(tool)}
    operations = {"read"} if words & _READING else set()
    if words & _CHANGING or action:
        operations.add("change")
    if words & _DELETING:
        operations.add("delete")
    return frozenset(operations)


class ShellText(Protocol):
    """A parsed shell text of a call (``commands.ShellReading``)."""

    def fit_command(self, guard: Guard) -> GuardMatch:
        """Match a guard's command and conditions with the commands."""

    def files(self) -> Iterator[FileUse]:
        """Yield texts that may name a file, with the folder they are relative to."""

    def reaches(self) -> "Iterable[reach.Reach]":
        """Return the files that it may change without naming them."""

    def hosts(self) -> "Iterator[contacts.Contact]":
        """Yield texts that may name a host."""

    def recipients(self) -> Iterator[tuple[ArgumentValue, bool]]:
        """Yield the words that may be addresses, and whether something is sent."""

    def programs(self) -> tuple[str, ...]:
        """Return the names of the programs that it runs, without duplicates."""

    def may_run(self, name: str) -> bool:
        """Return True if it may run another program of this name."""

    def words(self) -> frozenset[str] | None:
        """Return the options and operands of its commands; None if any is unknown."""


ReadShell = Callable[[ShellSource, ToolCall], ShellText]


class CallAnalysis:
    """A call, and ``read_shell`` for its shell texts.

    The shell parser is slow to load, so the caller passes it in
    (``commands.read_shell``) when it is needed.
    """

    __slots__ = (
        "_additions", "_files", "_hosts", "_shells", "_values", "call", "read_shell",
    )  # fmt: skip

    def __init__(self, call: ToolCall, read_shell: ReadShell | None = None) -> None:
        self.call = call
        self.read_shell = read_shell
        self._values: dict[tuple[str, ...], tuple[ArgumentValue, ...]] = {}
        self._shells: dict[tuple[str, ...], tuple[ShellText, ...]] = {}
        self._files: dict[tuple[str, ...], tuple[paths.SeenPath, ...]] = {}
        self._hosts: dict[tuple[str, ...], tuple[contacts.Contact, ...]] = {}
        self._additions: tuple[additions.Addition, ...] | None = None

    def values(self, names: tuple[str, ...] = ()) -> tuple[ArgumentValue, ...]:
        """Return the texts under these arguments (``plain_key``), or all of them."""
        if names not in self._values:
            self._values[names] = values_of(self.call, names)
        return self._values[names]

    def has_shell(self, names: tuple[str, ...] = ()) -> bool:
        """Return True if there is a shell text under these arguments, or the usual
        ones."""
        return bool(shell_sources(self.call, names))

    def cannot_run(
        self, names: tuple[str, ...], commands: tuple[tuple[str, ...], ...]
    ) -> bool:
        """Return True if these shell texts certainly run none of some command lines;
        decided without parsing."""
        sources = shell_sources(self.call, names)
        if self.call.script and any(map(may_run_script, sources)):
            return False
        return all(cannot_run(source, commands) for source in sources)

    def shells(self, names: tuple[str, ...] = ()) -> tuple[ShellText, ...]:
        """Return the parsed shell texts, except those that cannot be read."""
        if names not in self._shells:
            sources = shell_sources(self.call, names) if self.read_shell else ()
            read = self.read_shell
            self._shells[names] = tuple(read(s, self.call) for s in sources if read)
        return self._shells[names]

    def files(self, names: tuple[str, ...] = ()) -> tuple["paths.SeenPath", ...]:
        """Return the files named in arguments, patches and shell commands."""
        if names not in self._files:
            self._files[names] = seen_files(self._file_texts(names), self.call)
        return self._files[names]

    def recipients(
        self, names: tuple[str, ...] = ()
    ) -> tuple[tuple[ArgumentValue, bool], ...]:
        """Return the values to which something is sent, each with certainty."""
        own = [value for value in self.values(names) if value.key not in SHELL_KEYS]
        if is_tool(_FINDING, self.call.tool) and not is_tool(_SENDING, self.call.tool):
            own = []
        found = [(value, True) for value in contacts.argument_recipients(own)]
        return (
            *found,
            *(recipient for s in self.shells(names) for recipient in s.recipients()),
        )

    def reaches(self) -> bool:
        """Return True if it may change files that it does not name."""
        return any(True for shell in self.shells() for _ in shell.reaches())

    def reached(self, guard: Guard, names: tuple[str, ...] = ()) -> GuardMatch:
        """Match the files that shell texts may change without naming them."""
        for shell in self.shells(names):
            for place in shell.reaches():
                path = targets.reached_file(guard, place, self.call)
                if path:
                    why = f"it may change the file {excerpt(path)}"
                    return GuardMatch(Fit.MAYBE, why)
        return NOTHING

    def hosts(self, names: tuple[str, ...] = ()) -> "tuple[contacts.Contact, ...]":
        """Return the hosts that they connect to."""
        if names not in self._hosts:
            texts = list(contacts.argument_hosts(self.values(names)))
            for shell in self.shells(names):
                texts += shell.hosts()
            self._hosts[names] = contacts.seen_hosts(texts)
        return self._hosts[names]

    def programs(self) -> tuple[str, ...]:
        """Return the programs that the call's shell texts run, without duplicates."""
        names = [name for shell in self.shells() for name in shell.programs()]
        return tuple(dict.fromkeys(names))

    def may_run(self, name: str) -> bool:
        """Return True if a shell text may run another program of this name."""
        return any(shell.may_run(name) for shell in self.shells())

    def additions(self) -> "tuple[additions.Addition, ...]":
        """Return what the call adds to files and messages."""
        if self._additions is None:
            self._additions = additions.additions_of(self.call)
        return self._additions

    def command_words(self) -> frozenset[str] | None:
        """Return the options and operands of their commands; None if any is unknown."""
        every: set[str] = set()
        for shell in self.shells():
            words = shell.words()
            if words is None:
                return None
            every |= words
        return frozenset(every) if self.read_shell else None

    def _file_texts(self, names: tuple[str, ...]) -> Iterator[FileUse]:
        call, cwd = self.call, self.call.folder
        action = "" if self.has_shell() else str(call.arguments.get("command", ""))
        operations = tool_operations(call.tool, action)
        for value in self.values(names):
            for path, change in patches.patch_paths(value.text).operations:
                yield FileUse(path, cwd, change)
            if value.key not in SHELL_KEYS and (names or not is_prose(value.key)):
                unknown = not operations and _PATH_KEYS.fullmatch(value.key)
                uses = _ANY_USE if unknown else operations
                yield FileUse(value.text, cwd, uses, unsure=bool(unknown))
                if unknown:
                    yield FileUse(value.text, cwd)
        for shell in self.shells(names):
            yield from shell.files()
