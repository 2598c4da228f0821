"""Format a path or a command in one line: relative, short, without secrets."""

import json
import re

from toolmem.core import limits
from toolmem.core.secrets import detect
from toolmem.core.secrets.detect import redact

_URL = re.compile(r"(?<![\w+.-])([A-Za-z][A-Za-z0-9+.-]{0,20})://([^\s'\"<>`|\\]+)")
_CREDENTIAL_ARGUMENT = re.compile(
    r"(?i)((?:authorization|proxy-authorization|cookie|x-api-key)\s{0,3}[:=]\s{0,3}"
    r"|--?(?:password|passwd|token|secret|api[_-]?key|credentials?)(?:=|\s{1,3})"
    r"|\b\w{0,40}(?:password|passwd|token|secret|api_?key)=)"
    r"((?:(?:bearer|basic|token|digest)\s{1,3})?+)"
    r"(?![$\s\"']*[$\[<{])(?:'[^']*'|\"[^\"]*\"|[^\s'\"]+)"
)
_CREDENTIAL_WORDS = "author cook passw token secret key credent".split()
"""One of these is in each text that the pattern finds."""
_WINDOWS = re.compile(r"[A-Za-z]:[\\/]|\\\\")
_NEEDS_QUOTES = re.compile(r"[,\"]|^\s|\s$|^…")
_ABOVE = re.compile(r"\A(?:\.\./|\.\.\Z)+")
_QUOTED_SIZES = (limits.TARGET_BYTES - 2, 120, 40)
"""Bytes of a quoted path to try: escapes make it up to six times longer."""


def one_line(text: str) -> str:
    """Return the text on one line: blanks collapsed, unprintable characters escaped."""
    collapsed = " ".join(text.split())
    if collapsed.isprintable():
        return collapsed
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode()
        for char in collapsed
    )


def cut(text: str, size: int = limits.TARGET_BYTES) -> str:
    """Cut the text to ``size`` UTF-8 bytes between characters, ending in ``…``."""
    data = text.encode("utf-8", "replace")
    if len(data) <= size:
        return text
    bytes_left = size - len("…".encode())
    return data[:bytes_left].decode("utf-8", "ignore").rstrip() + "…"


def command_target(command: str) -> str:
    """Format a command: redacted, one line, at most 256 bytes.

    In addition to ``redact``, the text after a sensitive option, variable or header is
    removed: here a superfluous redaction does no harm.
    """
    hidden = redact(command)
    folded = hidden.casefold()
    if any(word in folded for word in _CREDENTIAL_WORDS):
        hidden = _CREDENTIAL_ARGUMENT.sub(_without_value, hidden)
    return cut(one_line(_without_credentials(hidden)))


def _without_value(match: re.Match[str]) -> str:
    return f"{match[1]}{match[2]}{detect.REDACTED}"


def path_target(path: str) -> str:
    """Format a path; in quotes where a comma would be ambiguous."""
    shown = redact(path)
    if "://" in shown:
        shown = _without_credentials(shown)
    if not _NEEDS_QUOTES.search(shown) and shown.isprintable():
        return cut(shown)
    hidden = not shown.isprintable()
    tries = (json.dumps(cut(shown, n), ensure_ascii=hidden) for n in _QUOTED_SIZES)
    return next(text for text in tries if len(text.encode()) <= limits.TARGET_BYTES)


def relative_path(path: str, cwd: str, base: str = "") -> str:
    """Return a path relative to ``cwd``; ``base`` is the folder of the call.

    Outside of ``cwd`` it is absolute, never with ``..``; separators are ``/``.
    """
    root = _slashes(cwd)
    whole = joined(joined(root, _slashes(base)), _slashes(path))
    normal, start = _normal(whole), _normal(root) if root else ""
    if start and _same_start(normal, start):
        normal = normal[len(start) :].lstrip("/") or "."
    return "…/" + _ABOVE.sub("", normal) if _ABOVE.match(normal) else normal


def joined(folder: str, path: str) -> str:
    """Join a path to a folder; an absolute path stays as it is."""
    if not path or _is_absolute(path):
        return path or folder
    return f"{folder.rstrip('/')}/{path}" if folder else path


def _without_credentials(text: str) -> str:
    """Remove user, query and fragment from URLs."""
    return _URL.sub(_bare_url, text) if "://" in text else text


def _bare_url(match: re.Match[str]) -> str:
    rest = re.split(r"[?#]", match[2], maxsplit=1)[0]
    host, slash, path = rest.partition("/")
    return f"{match[1]}://{host.rpartition('@')[2]}{slash}{path}"


def _slashes(path: str) -> str:
    plain = path.strip().removeprefix("file://")
    return plain.replace("\\", "/") if _WINDOWS.match(plain) else plain


def _is_absolute(path: str) -> bool:
    return path.startswith(("/", "~")) or bool(_WINDOWS.match(path))


def _normal(path: str) -> str:
    """Remove ``.``, ``..`` and doubled slashes, as far as possible."""
    head = "/" if path.startswith("/") else ""
    parts: list[str] = []
    for part in path.split("/"):
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part == ".." and head:
            continue
        elif part not in ("", "."):
            parts.append(part)
    return head + "/".join(parts) or "."


def _same_start(path: str, start: str) -> bool:
    if _WINDOWS.match(start + "/"):
        path, start = path.lower(), start.lower()
    return path == start or path.startswith(start.rstrip("/") + "/")
