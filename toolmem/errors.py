"""Every failure that toolmem can explain, with its exit code.

The message is one line: what, where (``path:line`` first if there is a file),
and what to do next. The codes are printed as a table in ``man/toolmem.1``.
"""


class ToolmemError(Exception):
    """A failure with a message for the user; ``exit_code`` ends the program."""

    exit_code = 1
    code = "error"

    def __init__(self, message: str = "") -> None:
        super().__init__(_one_line(message))


def _one_line(message: str) -> str:
    r"""The message with line feeds and control characters spelled out, as ``\u{a}``.

    A file's name may hold them, and must not forge a line of its own.
    """
    if message.isprintable():
        return message
    return "".join(c if c.isprintable() else f"\\u{{{ord(c):x}}}" for c in message)


class UsageError(ToolmemError):
    """The command line, a request or a text handed in was wrong."""

    exit_code = 2
    code = "usage"


class SecretError(UsageError):
    """A text that was to be kept holds a credential."""

    code = "secret"


class NotAllowedError(UsageError):
    """The server, or whoever opened the vault, was not given leave to do this."""

    code = "not_allowed"


class MissingExtraError(UsageError):
    """It was asked for something that an extra brings, which is not installed."""

    code = "missing_extra"


class NoVaultError(ToolmemError):
    """There is no vault where one was looked for, or it has gone away."""

    exit_code = 10
    code = "no_vault"


class LostVaultError(NoVaultError):
    """A vault was named, and is not where it should be."""


class InvalidFileError(ToolmemError):
    """A file is not a valid memory, rule, manifest or settings file.

    ``path`` is relative to the vault where it lies in one; ``line`` counts
    from 1, 0 where no line is known.
    """

    exit_code = 11
    code = "invalid_file"

    def __init__(self, path: str, line: int, message: str) -> None:
        super().__init__(f"{path}:{line}: {message}" if line else f"{path}: {message}")
        self.path = path
        self.line = line
        self.reason = message


class NewerVaultError(ToolmemError):
    """The vault was written by a newer toolmem: it can be read, not changed."""

    exit_code = 11
    code = "newer_vault"


class NotFoundError(ToolmemError):
    """No rule, fact or memory has this id."""

    exit_code = 12
    code = "not_found"


class ExistsError(ToolmemError):
    """It already exists, or it changed since it was read."""

    exit_code = 13
    code = "exists"


class LockedError(ToolmemError):
    """Another toolmem is writing."""

    exit_code = 14
    code = "locked"


class StorageError(ToolmemError):
    """The disk, the file system or git refused; nothing was changed."""

    exit_code = 15
    code = "storage"


class ScratchFullError(ToolmemError):
    """An agent's scratch page holds as many entries as it can."""

    exit_code = 16
    code = "scratch_full"


class OverLimitError(ToolmemError):
    """The critical rules alone are over the limit that was asked for."""

    exit_code = 21
    code = "over_limit"
