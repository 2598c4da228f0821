"""Normalise names of tools, projects, agent types and agents, and encode them as file
names.

A name is NFC and stripped. A file name keeps every character that Linux, macOS and
Windows all allow; the others are percent-encoded (UTF-8, upper case hex), so that two
names never share a folder and every folder name can be decoded.
"""

import re
from functools import lru_cache

from toolmem.core import limits
from toolmem.core.model import ANY_TOOL
from toolmem.core.text import normal_form, safetext
from toolmem.errors import UsageError

_FORBIDDEN = re.compile(r'[\x00-\x1f\x7f%<>:"/\\|?*]')
_PERCENT = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
# Names that Windows reserves for devices, whatever follows a first dot, and its short
# name of git's own folder.
_DEVICE = re.compile(
    r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|git~1)(?=\.|$)", re.IGNORECASE
)
_ANY_NAMES = ("*", ANY_TOOL)


def clean_name(name: str) -> str:
    """Return the normal form of a name: NFC, stripped.

    Raises ``UsageError`` for a blank or overlong name and for one with an invisible or
    control character.
    """
    cleaned = normal_form.normal_form("NFC", name.strip())
    if not cleaned:
        raise UsageError("the name is blank")
    unsafe = safetext.find_unsafe(cleaned)
    if unsafe:
        raise UsageError(f"the name {name!r} contains {unsafe[1]}")
    if len(encode_name(cleaned).encode()) > limits.NAME_BYTES:
        raise UsageError(
            f"the name {cleaned[:40]!r}… is longer than {limits.NAME_BYTES} bytes"
        )
    return cleaned


def tool_key(name: str) -> str:
    """Return the key of a tool, equal for ``Send_Email`` and `` send_email ``.

    Raises ``UsageError`` as ``clean_name`` does.
    """
    cleaned = clean_name(name)
    return ANY_TOOL if cleaned in _ANY_NAMES else fold(cleaned)


@lru_cache(maxsize=1024)
def is_tool_name(name: str) -> bool:
    """Return True for a valid name of a tool."""
    try:
        clean_name(name)
    except UsageError:
        return False
    return True


def folder_key(folder: str) -> str:
    """Return the key of the tool that a folder under ``rules/`` is for.

    A folder that is no valid tool name counts for every tool, so that its rules are not
    lost.
    """
    name = decode_name(folder)
    return fold(name) if is_tool_name(name) else ANY_TOOL


def fold(text: str) -> str:
    """Fold case, in NFC: equal for names that differ by case."""
    if text.isascii():
        return text.lower()
    # Folding can undo NFC and vice versa: the second pass is stable.
    once = normal_form.normal_form("NFC", text.casefold())
    return normal_form.normal_form("NFC", once.casefold())


def plain_key(name: str) -> str:
    """Normalise an argument's name: without case, ``_`` and ``-``."""
    return name.casefold().replace("_", "").replace("-", "")


def encode_name(name: str) -> str:
    """Encode a name as a file name for every system; see ``decode_name``."""
    encoded = _FORBIDDEN.sub(lambda m: _percent(m.group()), name)
    if encoded[:1] == "." or _DEVICE.match(encoded):
        encoded = _percent(encoded[0]) + encoded[1:]
    if encoded[-1:] in (".", " "):
        encoded = encoded[:-1] + _percent(encoded[-1])
    return encoded


def decode_name(encoded: str) -> str:
    """Decode a file name; invalid encodings stay as they are."""
    return _PERCENT.sub(_unpercent, encoded) if "%" in encoded else encoded


def _percent(char: str) -> str:
    return "".join(f"%{byte:02X}" for byte in char.encode("utf-8", "surrogatepass"))


def _unpercent(match: re.Match[str]) -> str:
    try:
        return bytes.fromhex(match.group().replace("%", "")).decode()
    except UnicodeDecodeError:
        return match.group()
