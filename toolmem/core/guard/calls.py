"""Tool calls: their values, and the shell texts among their arguments."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from toolmem.core.names import plain_key
from toolmem.core.patterns.match import readings
from toolmem.core.patterns.paths import resolve
from toolmem.core.shell.words import fill_gaps

SHELL_KEYS = frozenset(("command", "cmd", "script", "commandline", "shellcommand"))
"""Arguments (in the form of ``plain_key``) that contain a shell text."""
_RECIPIENTS = (
    r"(?:mail|email|send|rcpt|envelope)?(?:to|cc|bcc)|rcpt"
    r"|.*(?:recipient|receiver|attendee|invitee|guest|participant)s?"
    r"(?:emails?|address(?:es)?)?|(?:to|cc|bcc)?(?:emails?|(?:email)?address(?:es)?)"
)
"""Arguments (in the form of ``plain_key``) that name who gets a message."""
SQL_KEYS = frozenset(("sql", "query", "statement", "queries", "statements"))
"""Arguments (``plain_key``) with a query of a database."""
_TYPED = {"writestdin": ("chars", "input"), "writebash": ("input",)}
"""Tools (``plain_key``) that type into a running shell, and their text's key."""
_TYPED_KEY = r"\{\w+\}"
"""A key such as ``{enter}`` in such a text."""
_EDITORS = r".*(?:applypatch|patch|texteditor|strreplace\w*|replaceeditor)"
"""Tools whose ``command`` is the name of an action."""
_FOLDER_KEYS = ("workdir", "cwd", "dirpath", "directory", "workingdirectory")
"""Arguments that name the folder of a shell text."""
_PROSE = frozenset(
    ("content", "contents", "newstring", "oldstring", "newstr", "oldstr", "filetext",
     "inserttext", "body", "message", "description", "prompt", "text", "subject",
     "query", "pattern", "summary", "title")
)  # fmt: skip
"""Arguments that are never a file's name, although they may contain a path."""
_KEY_CHARS = 40

ShellSource = str | tuple[str, ...]
"""A shell text, or the words of a call that passes a list."""


class ToolCall(NamedTuple):
    """One concrete call.

    ``cwd`` is the folder of the project. It and ``home`` make paths absolute; if one
    is empty, relative or ``~`` paths stay as they are. ``real`` resolves the links of
    an absolute path. ``branch`` returns the git branch checked out in a folder, an
    empty text for none and None if it is unknown; ``script`` the text of a file that
    was written recently and ``read`` that of any small file, empty if it is unknown.
    ``remotes`` are the addresses of git's remotes in a folder, ``names`` what is in a
    folder, ``members`` what is in an archive; None if they are unknown.
    """

    tool: str
    arguments: Mapping[str, Any]
    cwd: str = ""
    home: str = ""
    real: Callable[[str], str] | None = None
    branch: Callable[[str], str | None] | None = None
    script: Callable[[str], str] | None = None
    read: Callable[[str], str] | None = None
    remotes: Callable[[str], Mapping[str, str] | None] | None = None
    names: Callable[[str], Sequence[str] | None] | None = None
    members: Callable[[str], Sequence[str] | None] | None = None

    @property
    def folder(self) -> str:
        """The folder that a shell text starts in; the call may name another one."""
        keys = {plain_key(str(name)): value for name, value in self.arguments.items()}
        if keys.keys().isdisjoint(SHELL_KEYS):
            return self.cwd
        named = (keys[key] for key in _FOLDER_KEYS if isinstance(keys.get(key), str))
        return resolve(next(named, "") or ".", cwd=self.cwd, home=self.home)


class FileUse(NamedTuple):
    """A text that may name a file, and the use of that file.

    ``folder`` is the one that the text is relative to. ``operations``: ``read``,
    ``change``, ``delete``; empty if the file is only named. ``tree``: with everything
    below it. ``unsure``: it is only possibly used so.
    """

    text: str
    folder: str
    operations: frozenset[str] = frozenset()
    tree: bool = False
    unsure: bool = False


class ArgumentValue(NamedTuple):
    """A text in the arguments, its key (``plain_key``), and the ways to read it."""

    key: str
    text: str
    readings: tuple[str, ...]


def values_of(call: ToolCall, names: tuple[str, ...] = ()) -> tuple[ArgumentValue, ...]:
    """Return the texts under these arguments (``plain_key``) at any depth, or all
    texts."""
    return tuple(
        ArgumentValue(key, text, readings(text, shell=key in SHELL_KEYS))
        for key, text in _leaves(call.arguments, names)
    )


def is_recipient(key: str) -> bool:
    """Return True for an argument that names who gets a message."""
    return len(key) <= _KEY_CHARS and re.fullmatch(_RECIPIENTS, key) is not None


def is_prose(key: str) -> bool:
    """Return True for an argument that is never a file or an address itself, although
    it may mention one, or that is a shell text."""
    return key in _PROSE or key in SHELL_KEYS


def shell_sources(
    call: ToolCall, names: tuple[str, ...] = ()
) -> tuple[ShellSource, ...]:
    """Return the shell texts under these arguments of a call, or the usual ones."""
    tool = plain_key(call.tool)
    if not names and re.fullmatch(_EDITORS, tool):
        return ()
    typed = next((keys for suffix, keys in _TYPED.items() if tool.endswith(suffix)), ())
    sources: list[ShellSource] = []
    for name, value in call.arguments.items():
        key = plain_key(str(name))
        if key not in (names or SHELL_KEYS) and key not in typed:
            continue
        if isinstance(value, str):
            sources.append(re.sub(_TYPED_KEY, "\n", value) if key in typed else value)
        elif isinstance(value, Sequence) and all(isinstance(w, str) for w in value):
            sources.append(tuple(value))
    return tuple(source for source in sources if source)


def queries(call: ToolCall) -> bool:
    """Return True if a call has an argument for a query of a database."""
    return any(plain_key(str(name)) in SQL_KEYS for name in call.arguments)


def _leaves(arguments: object, names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    waiting = [("", arguments, not names)]
    while waiting:
        key, value, wanted = waiting.pop()
        if isinstance(value, Mapping):
            for name, inner in reversed(list(value.items())):
                plain = plain_key(str(name))
                waiting.append((plain, inner, wanted or plain in names))
        elif isinstance(value, list | tuple):
            waiting.extend((key, inner, wanted) for inner in reversed(value))
        elif wanted and value is not None:
            yield key, _text(value)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return fill_gaps(str(value), "\ufffd")
