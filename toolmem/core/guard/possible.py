"""Find tests of a guard that no call can match, to refuse them at once."""

from collections.abc import Iterator, Mapping
from typing import Any


def impossible(table: Mapping[str, Any]) -> Iterator[str]:
    """Yield the defects of tests that can match nothing."""
    for name in _texts(table.get("argument")):
        last = name.rpartition(".")[2]
        if last != name:
            found = f"name the last part, {last!r}, which is found at any depth"
            yield f"argument: {name!r} has a dot: {found}"
    for host in _texts(table.get("host")):
        if not _is_host(host):
            yield (
                f"host: {host!r} is not a host name: write it without scheme, "
                "user, port and path"
            )
    path = table.get("path")
    places = path.values() if isinstance(path, Mapping) else (path,)
    for text in (text for place in places for text in _texts(place)):
        parts = text.replace("\\", "/").split("/")
        if ".." in parts or "." in parts[1:]:
            yield f"path: {text!r} has `..` or `.`: write the path from / or ~"
        elif text.startswith(("$", "%")):
            yield f"path: {text!r}: variables are not read here: write ~ or a path"


def _texts(value: object) -> list[str]:
    found = value if isinstance(value, list | tuple) else [value]
    return [text for text in found if isinstance(text, str)]


def _is_host(text: str) -> bool:
    # An IPv6 address has several colons, and may be in brackets.
    bare = text.removeprefix("[").removesuffix("]")
    letters = bare.replace(":", "") if bare.count(":") > 1 else text
    plain = all(c.isalnum() or c in "-_.*?" for c in letters)
    return plain and any(c.isalnum() or c == "*" for c in letters)
