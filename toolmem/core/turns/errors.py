"""Classify errors: a class and an exit code are stored, never the output."""

from toolmem.core.transcript import events, outcome

NO_CAUSE = "error"
"""Class of the errors without a known cause."""
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
_WORDS = {
    "timeout": "timed out",
    "not_found": "not found",
    "permission_denied": "permission denied",
    "connection_error": "connection failed",
    "parse_error": "parse error",
    "unknown_tool": "unknown tool",
    NO_CAUSE: "",
}
"""Words of each class, by which it is recognised."""
_REFUSED = {
    events.CallStatus.DENIED_BY_HOOK: "Tool execution blocked",
    events.CallStatus.REJECTED: "Tool use rejected",
    events.CallStatus.CANCELLED: "[Request interrupted by user]",
}
"""Words of each refusal, by which it is recognised."""


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
    return NO_CAUSE


def shown_error(name: str, detail: str) -> str:
    """Return the class of an error and its exit code in words."""
    cause = "" if name == NO_CAUSE else name.replace("_", " ")
    if cause and detail:
        return f"{cause} ({detail})"
    return cause or detail or "failed without a known cause"


def cause_of(name: str, detail: str) -> str:
    """Return what an error has in common with others; empty if nothing is known."""
    return detail if name == NO_CAUSE else name.replace("_", " ")


def stored_error(output: str) -> str:
    """Return fixed words with the status, exit code and class of an error's output.

    The output itself is never stored.
    """
    refused = outcome.refusal(output)
    if refused is not None:
        return _REFUSED[refused]
    code = outcome.leading_exit_code(output)
    words = _WORDS[error_class(output)]
    return words if code is None else f"Exit code {code}\n{words}"
