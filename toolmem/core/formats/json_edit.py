"""Edit settings files of other programs: JSON with comments, otherwise unchanged.

Comments, order, indentation, line ends and a final newline stay; only the entries that
are added or removed change. Comments and trailing commas are allowed, as agents allow
them in their settings.
"""

import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from toolmem.errors import InvalidFileError

_BLANK = re.compile(r"(?:[ \t\r\n]|//[^\n]*|/\*[\s\S]*?\*/)*")
_COMMENT = re.compile(r"//[^\n]*|/\*[\s\S]*?\*/")
_NEW_LINE = re.compile(r"[ \t]*\r?\n")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*"')
_SCALAR = re.compile(
    r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null"
)
_INDENT = re.compile(r"\n([ \t]+)\S")
_WHITE = " \t\r\n"
_MOST_DEPTH = 64
_BOM = "\ufeff"


class Node(NamedTuple):
    """A value and its span; ``keys`` are those of an object."""

    kind: str
    start: int
    end: int
    keys: tuple[str, ...] = ()
    children: tuple["Node", ...] = ()
    starts: tuple[int, ...] = ()

    def member(self, key: str) -> "Node | None":
        """Return the value of a key; of a duplicate key the last."""
        for name, child in reversed(list(zip(self.keys, self.children, strict=True))):
            if name == key:
                return child
        return None


class _Reader:
    def __init__(self, text: str, path: str) -> None:
        self._text = text
        self._path = path

    def fail(self, at: int, message: str) -> InvalidFileError:
        line = self._text.count("\n", 0, at) + 1
        return InvalidFileError(self._path, line, message)

    def skip(self, at: int) -> int:
        match = _BLANK.match(self._text, at)
        return match.end() if match else at

    def value(self, at: int, depth: int = 0) -> Node:
        text = self._text
        if depth > _MOST_DEPTH:
            raise self.fail(at, "is nested too deeply")
        if text.startswith("{", at):
            return self._object(at, depth)
        if text.startswith("[", at):
            return self._array(at, depth)
        match = _STRING.match(text, at) or _SCALAR.match(text, at)
        if match is None:
            raise self.fail(at, "is not JSON: a value is missing")
        return Node("scalar", at, match.end())

    def _object(self, at: int, depth: int) -> Node:
        keys: list[str] = []
        children: list[Node] = []
        starts: list[int] = []
        cursor = self.skip(at + 1)
        while not self._text.startswith("}", cursor):
            name = _STRING.match(self._text, cursor)
            if name is None:
                raise self.fail(cursor, "is not JSON: a key in quotes is missing")
            starts.append(cursor)
            keys.append(json.loads(name.group()))
            cursor = self.skip(name.end())
            if not self._text.startswith(":", cursor):
                raise self.fail(cursor, "is not JSON: a colon is missing")
            child = self.value(self.skip(cursor + 1), depth + 1)
            children.append(child)
            cursor = self._after(child.end, "}")
        return Node(
            "object", at, cursor + 1, tuple(keys), tuple(children), tuple(starts)
        )

    def _array(self, at: int, depth: int) -> Node:
        children: list[Node] = []
        cursor = self.skip(at + 1)
        while not self._text.startswith("]", cursor):
            child = self.value(cursor, depth + 1)
            children.append(child)
            cursor = self._after(child.end, "]")
        starts = tuple(child.start for child in children)
        return Node("array", at, cursor + 1, (), tuple(children), starts)

    def _after(self, at: int, close: str) -> int:
        cursor = self.skip(at)
        if self._text.startswith(",", cursor):
            return self.skip(cursor + 1)
        if not self._text.startswith(close, cursor):
            raise self.fail(cursor, f"is not JSON: a comma or {close} is missing")
        return cursor


def read_json(text: str, path: str) -> Node:
    """Parse a document; a BOM, comments and trailing commas are allowed.

    Raises ``InvalidFileError`` with the line for anything but a JSON object.
    """
    reader = _Reader(text, path)
    start = reader.skip(len(_BOM) if text.startswith(_BOM) else 0)
    if not text.startswith("{", start):
        raise reader.fail(start, "is not a JSON object")
    node = reader.value(start)
    end = reader.skip(node.end)
    if end != len(text):
        raise reader.fail(end, "is not JSON: something follows its end")
    return node


def value_of(text: str, node: Node) -> Any:
    """Return the value of a node as plain data."""
    if node.kind == "object":
        pairs = zip(node.keys, node.children, strict=True)
        return {key: value_of(text, child) for key, child in pairs}
    if node.kind == "array":
        return [value_of(text, child) for child in node.children]
    # A float can be read from a number of any length; our entries contain none.
    return json.loads(text[node.start : node.end], parse_int=float)


def append_item(text: str, keys: tuple[str, ...], item: Any, path: str) -> str:
    """Return the text with an item appended to the array at ``keys``.

    Missing objects and the array are created. Raises ``InvalidFileError`` if a value of
    another type is in their place.
    """
    node, depth = _deepest(text, keys, path)
    if depth < len(keys):
        value = _nested(keys[depth + 1 :], [item])
        return _add(text, node, value, depth + 1, keys[depth])
    if node.kind != "array":
        raise _in_the_way(text, node, path, keys, "a list")
    return _add(text, node, item, len(keys) + 1, None)


def set_value(text: str, keys: tuple[str, ...], value: Any, path: str) -> str:
    """Return the text with the member at ``keys`` added if it is missing.

    Missing objects are created. Raises as ``append_item`` does.
    """
    node, depth = _deepest(text, keys, path)
    if depth == len(keys):
        return text
    return _add(text, node, _nested(keys[depth + 1 :], value), depth + 1, keys[depth])


def _deepest(text: str, keys: tuple[str, ...], path: str) -> tuple[Node, int]:
    """Return the last node that is there on the way, and how many keys lead to it."""
    node = read_json(text, path)
    for depth, key in enumerate(keys):
        if node.kind != "object":
            raise _in_the_way(text, node, path, keys[:depth], "an object")
        child = node.member(key)
        if child is None:
            return node, depth
        node = child
    return node, len(keys)


def _nested(keys: tuple[str, ...], value: Any) -> Any:
    for key in reversed(keys):
        value = {key: value}
    return value


def _in_the_way(
    text: str, node: Node, path: str, keys: tuple[str, ...], wanted: str
) -> InvalidFileError:
    line = text.count("\n", 0, node.start) + 1
    return InvalidFileError(path, line, f"{'.'.join(keys) or 'it'} is not {wanted}")


def _add(text: str, node: Node, value: Any, depth: int, key: str | None) -> str:
    """Put a member or an item after the last one of a container.

    Comments at its end stay before it, so that removal restores the text.
    """
    newline = _newline(text)
    unit = _unit(text)
    dumped = json.dumps(value, indent=unit, ensure_ascii=False)
    if key is not None:
        dumped = f"{json.dumps(key, ensure_ascii=False)}: {dumped}"
    pad = newline + unit * depth
    body = dumped.replace("\n", pad)
    last = node.children[-1].end if node.children else node.start + 1
    rest = text[last : node.end - 1]
    before = rest.rstrip(_WHITE)
    end = rest[len(before) :]
    comma = ","
    if not node.children:
        comma, end = "", end if "\n" in end else newline + unit * (depth - 1)
    elif _comma(rest, 0) is not None:
        # The container has a trailing comma: the new item gets one, too.
        comma, body = "", body + ","
    return text[:last] + comma + before + pad + body + end + text[node.end - 1 :]


def _comma(text: str, at: int) -> int | None:
    """Return the place of the comma after a value, past comments, or None."""
    match = _BLANK.match(text, at)
    at = match.end() if match else at
    return at if text.startswith(",", at) else None


def _unit(text: str) -> str:
    """The file's own indentation, two blanks if it has none."""
    match = _INDENT.search(text)
    return match.group(1) if match else "  "


def remove_items(
    text: str,
    keys: tuple[str, ...],
    is_ours: Callable[[Any], bool],
    path: str,
    inner: str = "",
) -> str:
    """Return the text without the items of the array at ``keys`` that are ours.

    An item with an array under ``inner`` loses only our items of that array.
    """
    while True:
        node = _at(text, keys, path)
        if node is None or node.kind != "array":
            return text
        place = _find(text, node, is_ours, inner)
        if place is None:
            return text
        text = _cut(text, *place)


def _at(text: str, keys: tuple[str, ...], path: str) -> Node | None:
    node: Node | None = read_json(text, path)
    for key in keys:
        node = node.member(key) if node and node.kind == "object" else None
    return node


def _find(
    text: str, node: Node, is_ours: Callable[[Any], bool], inner: str
) -> tuple[Node, int] | None:
    for at, child in enumerate(node.children):
        if is_ours(value_of(text, child)):
            return node, at
        member = child.member(inner) if child.kind == "object" else None
        ours = (
            [is_ours(value_of(text, value)) for value in member.children]
            if member
            else []
        )
        if member and any(ours):
            return (node, at) if all(ours) else (member, ours.index(True))
    return None


def remove_key(text: str, keys: tuple[str, ...], path: str) -> str:
    """Return the text without the member at ``keys``, if it is there."""
    node = _at(text, keys[:-1], path)
    if node is None or node.kind != "object" or keys[-1] not in node.keys:
        return text
    at = max(n for n, key in enumerate(node.keys) if key == keys[-1])
    return _cut(text, node, at)


def _cut(text: str, node: Node, at: int) -> str:
    """Remove one child of a container, with the comma that becomes superfluous."""
    start, end = node.starts[at], node.children[at].end
    comma = _comma(text, end)
    if comma is not None:
        end = comma + 1
        line = len(text[:start].rstrip(" \t"))
        if text[line - 1 : line] == "\n":
            # The child has its own lines: remove them whole.
            start = line - (2 if text[line - 2 : line] == "\r\n" else 1)
    else:
        start = len(text[:start].rstrip(_WHITE))
        comma = _comma(text, node.children[at - 1].end) if at else None
        if comma is not None:
            # The one before it is now the last.
            text = text[:comma] + text[comma + 1 :]
            start, end = start - (comma < start), end - 1
    after = text[end:].lstrip(_WHITE)
    if text[start - 1] in "{[" and after[:1] in ("}", "]"):
        end = len(text) - len(after)
    before = node.children[at - 1].end if at else node.start + 1
    if _ends_in_comment(text[before:start]) and not _NEW_LINE.match(text, end):
        # The rest of the line must not become part of the comment.
        return text[:start] + _newline(text) + text[end:]
    return text[:start] + text[end:]


def _ends_in_comment(between: str) -> bool:
    """Return True if a line comment reaches the end of the text between two values."""
    comments = list(_COMMENT.finditer(between))
    last = comments[-1] if comments else None
    return last is not None and last[0][:2] == "//" and last.end() == len(between)


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
