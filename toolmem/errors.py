"""Errors with a message for the user and an exit code.

The message is one line: the place (``path:line``) if there is a file, the problem,
and the next step. The codes are printed as a table in ``man/toolmem.1``.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple


class Arg(NamedTuple):
    """An argument of an operation in a message, such as ``dry_run``."""

    name: str


class NextStep(NamedTuple):
    """An operation that a message suggests, such as ``rule.list``, and words for it."""

    operation: str
    words: str = ""


class Notice(str):
    """A text that names arguments and operations.

    The text itself names them as programs do; ``worded`` in the form of a surface.
    """

    __slots__ = ("parts",)
    parts: tuple[str | Arg | NextStep, ...]

    def __new__(cls, *parts: str | Arg | NextStep) -> "Notice":
        """Join texts, arguments and operations."""
        message = super().__new__(cls, "".join(map(_plain, parts)))
        message.parts = parts
        return message

    def worded(self, form: Callable[[Arg | NextStep], str]) -> str:
        """Return the text with arguments and operations in another form."""
        return "".join(one if isinstance(one, str) else form(one) for one in self.parts)


def _plain(part: str | Arg | NextStep) -> str:
    if isinstance(part, Arg):
        return part.name
    return f"`{part.operation}`" if isinstance(part, NextStep) else part


def parts_of(text: str) -> tuple[str | Arg | NextStep, ...]:
    """Return the parts of a text, to put it into another one."""
    return text.parts if isinstance(text, Notice) else (text,)


def worded(text: str, form: Callable[[Arg | NextStep], str]) -> str:
    """Return a text in the form of a surface; a plain one as it is."""
    return text.worded(form) if isinstance(text, Notice) else text


class ToolmemError(Exception):
    """A failure with a message for the user; ``exit_code`` ends the program."""

    exit_code = 1
    code = "error"

    def __init__(
        self, *message: str | Arg | NextStep, suggestions: Sequence[str] = ()
    ) -> None:
        self.message = Notice(*map(_one_line, message))
        self.suggestions = tuple(suggestions)
        super().__init__(str(self.message))

    def data(self) -> dict[str, object]:
        """Return the kind of the failure, its place and suggestions, for JSON."""
        more = {"suggestions": list(self.suggestions)} if self.suggestions else {}
        return {"code": self.code, **more}


def _one_line(part: str | Arg | NextStep) -> str | Arg | NextStep:
    r"""Escape line feeds and control characters, as ``\u{a}``.

    A file name may contain them, and must not forge a line of output.
    """
    if not isinstance(part, str) or part.isprintable():
        return part
    return "".join(c if c.isprintable() else f"\\u{{{ord(c):x}}}" for c in part)


class UsageError(ToolmemError):
    """The command line, a request or its input was not valid."""

    exit_code = 2
    code = "usage"


class UnknownNameError(UsageError):
    """A new project, agent type or tool is probably a typo of a known one."""

    code = "unknown_name"


class SecretError(UsageError):
    """A text to be stored contains a credential."""

    code = "secret"


class NotAllowedError(UsageError):
    """The server or agent is not allowed to do this."""

    code = "not_allowed"


class MissingExtraError(UsageError):
    """An optional dependency is not installed."""

    code = "missing_extra"


class NoVaultError(ToolmemError):
    """No vault was found, or it no longer exists."""

    exit_code = 10
    code = "no_vault"


class LostVaultError(NoVaultError):
    """A setting or option names a vault that does not exist."""


class InvalidFileError(ToolmemError):
    """A file is not a valid memory, rule, manifest or settings file.

    ``path`` is relative to the vault if it is in one; ``line`` counts from 1, and is 0
    if no line is known.
    """

    exit_code = 11
    code = "invalid_file"

    def __init__(self, path: str, line: int, message: str) -> None:
        super().__init__(f"{path}:{line}: {message}" if line else f"{path}: {message}")
        self.path = path
        self.line = line
        self.reason = message

    def data(self) -> dict[str, object]:
        """Return the kind of the failure, and the file and line."""
        return {"code": self.code, "path": self.path, "line": self.line}


class UnreadSettingsError(InvalidFileError):
    """The settings of a vault cannot be read; hooks go on with the default ones."""


class NewerVaultError(ToolmemError):
    """The vault was written by a newer toolmem: it can be read but not changed."""

    exit_code = 11
    code = "newer_vault"


class NotFoundError(ToolmemError):
    """The rule, fact, memory or file was not found."""

    exit_code = 12
    code = "not_found"

    def data(self) -> dict[str, object]:
        """Return the kind of the failure; ``found`` is as in an answer."""
        similar = list(self.suggestions)
        return {"code": self.code, "found": False, "suggestions": similar}


class ExistsError(ToolmemError):
    """It already exists, or it changed after it was read."""

    exit_code = 13
    code = "exists"


class LockedError(ToolmemError):
    """Another process is writing to the vault."""

    exit_code = 14
    code = "locked"


class StorageError(ToolmemError):
    """The disk, the file system or git failed."""

    exit_code = 15
    code = "storage"


class ScratchFullError(ToolmemError):
    """The scratch page of an agent is full."""

    exit_code = 16
    code = "scratch_full"


class OverLimitError(ToolmemError):
    """The critical rules alone are over the requested limit."""

    exit_code = 21
    code = "over_limit"


def exclusive(*names: str) -> UsageError:
    """Return the failure of arguments of which one at most may be given."""
    parts: list[str | Arg] = [Arg(names[0])]
    for name in names[1:]:
        parts += [" and " if name == names[-1] else ", ", Arg(name)]
    return UsageError(*parts, " exclude each other")


def unopened(name: object, error: OSError) -> ToolmemError:
    """Return the failure to open a file that a user named."""
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return NotFoundError(f"{name}: no such file")
    return StorageError(f"{name}: cannot be read: {error.strerror or error}")
