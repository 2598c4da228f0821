"""A call as guards see it: each part is worked out once, and only if asked for."""

from collections.abc import Callable, Iterator

from toolmem.core.guard.calls import (
    SHELL_KEYS,
    ArgumentValue,
    FileUse,
    ShellSource,
    ToolCall,
    shell_sources,
    values_of,
)
from toolmem.core.guard.conditions import GuardMatch, seen_files, seen_hosts
from toolmem.core.guard.may_run import cannot_run, may_run_script
from toolmem.core.guard.patterns import paths
from toolmem.core.guard.tables import Guard
from toolmem.core.lazy_pattern import lazy_pattern
from toolmem.core.text.patches import patch_paths
from toolmem.hints import Protocol

_PROSE = frozenset(
    ("content", "contents", "newstring", "oldstring", "newstr", "oldstr", "filetext",
     "inserttext", "body", "message", "description", "prompt", "text", "subject",
     "query", "pattern", "summary", "title")
)  # fmt: skip
"""Arguments that are never a file's name, although a path may stand in them."""


_WORDS = lazy_pattern(r"[A-Z]?[a-z]+|[A-Z]+")
_CHANGING = frozenset(
    ("edit", "multiedit", "write", "create", "update", "append", "replace", "patch",
     "insert", "modify", "save", "move", "rename", "delete", "remove", "trash", "put",
     "notebookedit", "applypatch", "undo", "unlink", "overwrite", "upload")
)  # fmt: skip
_DELETING = frozenset(("delete", "remove", "trash", "unlink", "move", "rename"))
_READING = frozenset(
    ("read", "view", "open", "cat", "get", "load", "grep", "show", "fetch", "download",
     "head", "tail", "copy")
)  # fmt: skip


def tool_operations(tool: str) -> frozenset[str]:
    """How a tool uses the files that it is called with, by the words of its name."""
    words = {word.lower() for word in _WORDS.findall(tool)}
    found = {"read"} if words & _READING else set()
    if words & _CHANGING:
        found.add("change")
    if words & _DELETING:
        found.add("delete")
    return frozenset(found)


class ShellText(Protocol):
    """A shell text of a call that was read (``commands.ShellReading``)."""

    def fit_command(self, guard: Guard) -> GuardMatch:
        """How surely one of its commands is the guard's and meets its conditions."""

    def files(self) -> Iterator[FileUse]:
        """Texts that may name a file, with the folder they are seen from."""

    def hosts(self) -> Iterator[str]:
        """Texts that may name a host."""

    def programs(self) -> tuple[str, ...]:
        """The names of the programs that it runs, each once."""

    def may_run(self, name: str) -> bool:
        """Whether it may run a program besides those, of this name."""

    def words(self) -> frozenset[str] | None:
        """Every option and operand of its commands; None if not all are known."""


ReadShell = Callable[[ShellSource, ToolCall], ShellText]


class CallAnalysis:
    """A call, and ``read_shell`` for the shell texts in it.

    CallAnalysis a shell text takes a parser that is slow to load, so it is handed in
    (``commands.read_shell``) by who knows that it is needed.
    """

    __slots__ = ("_files", "_hosts", "_shells", "_values", "call", "read_shell")

    def __init__(self, call: ToolCall, read_shell: ReadShell | None = None) -> None:
        self.call = call
        self.read_shell = read_shell
        self._values: dict[tuple[str, ...], tuple[ArgumentValue, ...]] = {}
        self._shells: dict[tuple[str, ...], tuple[ShellText, ...]] = {}
        self._files: dict[tuple[str, ...], tuple[paths.SeenPath, ...]] = {}
        self._hosts: dict[tuple[str, ...], tuple[str, ...]] = {}

    def values(self, names: tuple[str, ...] = ()) -> tuple[ArgumentValue, ...]:
        """The texts under these arguments (``plain_key``), or all of them."""
        if names not in self._values:
            self._values[names] = values_of(self.call, names)
        return self._values[names]

    def has_shell(self, names: tuple[str, ...] = ()) -> bool:
        """Whether there is a shell text under these arguments, or the usual ones."""
        return bool(shell_sources(self.call, names))

    def cannot_run(
        self, names: tuple[str, ...], commands: tuple[tuple[str, ...], ...]
    ) -> bool:
        """Whether these shell texts, before they are read, are seen not to run any
        of some command lines; false where that is not certain."""
        sources = shell_sources(self.call, names)
        if self.call.script and any(map(may_run_script, sources)):
            return False
        return all(cannot_run(source, commands) for source in sources)

    def shells(self, names: tuple[str, ...] = ()) -> tuple[ShellText, ...]:
        """Those shell texts, read; none where they cannot be read."""
        if names not in self._shells:
            sources = shell_sources(self.call, names) if self.read_shell else ()
            read = self.read_shell
            self._shells[names] = tuple(read(s, self.call) for s in sources if read)
        return self._shells[names]

    def files(self, names: tuple[str, ...] = ()) -> tuple["paths.SeenPath", ...]:
        """The files that they name, in arguments, patches and shell commands."""
        if names not in self._files:
            self._files[names] = seen_files(self._file_texts(names), self.call)
        return self._files[names]

    def hosts(self, names: tuple[str, ...] = ()) -> tuple[str, ...]:
        """The hosts that they name."""
        if names not in self._hosts:
            texts = [value.text for value in self.values(names)]
            for shell in self.shells(names):
                texts += shell.hosts()
            self._hosts[names] = seen_hosts(texts)
        return self._hosts[names]

    def programs(self) -> tuple[str, ...]:
        """The programs that the call's shell texts run, each once."""
        names = [name for shell in self.shells() for name in shell.programs()]
        return tuple(dict.fromkeys(names))

    def may_run(self, name: str) -> bool:
        """Whether they may run a program besides those, of this name."""
        return any(shell.may_run(name) for shell in self.shells())

    def command_words(self) -> frozenset[str] | None:
        """Every option and operand of their commands; None if not all are known."""
        found: set[str] = set()
        for shell in self.shells():
            words = shell.words()
            if words is None:
                return None
            found |= words
        return frozenset(found) if self.read_shell else None

    def _file_texts(self, names: tuple[str, ...]) -> Iterator[FileUse]:
        cwd, operations = self.call.cwd, tool_operations(self.call.tool)
        for value in self.values(names):
            for path, change in patch_paths(value.text).operations:
                yield FileUse(path, cwd, change)
            if value.key not in SHELL_KEYS and (names or value.key not in _PROSE):
                yield FileUse(value.text, cwd, operations)
        for shell in self.shells(names):
            yield from shell.files()
