"""Classify errors, and choose the line of an error to store."""

from toolmem.core import limits
from toolmem.core.secrets.detect import redact
from toolmem.core.transcript.events import ToolResult
from toolmem.core.transcript.outcome import leading_exit_code
from toolmem.core.turns.targets import one_line

_CLASSES = (
    ("timeout", ("timeout", "timed out")),
    ("not_found", ("not found", "no such file")),
    ("permission_denied", ("permission", "denied")),
    ("connection_error", ("connection", "network")),
    ("parse_error", ("parse", "invalid", "syntax")),
    ("unknown_tool", ("unknown tool",)),
)
_CODES = {124: "timeout", 126: "permission_denied", 127: "not_found"}
_LOOKED_AT = 2_000


def error_class(output: str, exit_code: int | None = None) -> str:
    """Return the class of a failure: by a specific exit code, else by the first
    keyword.

    The classes and their order are those of OpenHuman.
    """
    if exit_code in _CODES:
        return _CODES[exit_code]
    text = output[:_LOOKED_AT].lower()
    for name, words in _CLASSES:
        if any(word in text for word in words):
            return name
    return "error"


def error_line(result: ToolResult) -> str:
    """Return the first meaningful line of an error, redacted, at most 80 characters."""
    lines = iter(result.output[:_LOOKED_AT].splitlines())
    first = next((line for line in lines if not _is_code_alone(line)), "")
    shown = one_line(redact(first))
    limit = limits.ERROR_CHARS
    return shown if len(shown) <= limit else shown[: limit - 1].rstrip() + "…"


def _is_code_alone(line: str) -> bool:
    bare = line.strip()
    return not bare or (leading_exit_code(bare) is not None and len(bare) < 20)
