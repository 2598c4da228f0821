"""Parse tool manifests: the names of tools, and their aliases."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from toolmem.core.agents.registry import ruled_as
from toolmem.core.formats import json_schema
from toolmem.core.formats.toml_text import parse_toml
from toolmem.core.model import ANY_TOOL
from toolmem.core.names import tool_key
from toolmem.errors import InvalidFileError, ToolmemError

WORLD = "world"
"""Reach of a tool that acts outside of every project."""


_TEXTS = json_schema.list_of(json_schema.ANY_TEXT)
SCHEMA = {
    "name": json_schema.ANY_TEXT,
    "aliases": _TEXTS,
    "verbs": _TEXTS,
    "arguments": _TEXTS,
    "description": json_schema.ANY_TEXT,
    "version": {"type": ["string", "number"]},
    "reach": {"enum": ["", WORLD]},
}
"""JSON Schemas of the keys that are read here."""


class Manifest(NamedTuple):
    """One ``tools/<tool>.toml``: names, and words by which people mean the tool.

    ``verbs`` are actions with it (``email``, ``send``), ``arguments`` the names of its
    parameters; ``stated`` is the whole table, in order. ``reach`` is ``world`` for a
    tool that acts outside of every project (mail, payments).
    """

    name: str
    aliases: tuple[str, ...]
    path: str
    stated: Mapping[str, Any]
    verbs: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    description: str = ""
    version: str = ""
    reach: str = ""


def parse_manifest(text: str, *, path: str, name: str) -> Manifest:
    """Parse a manifest; ``name`` (from the file name) is the default name.

    Raises ``InvalidFileError`` for text that is not TOML and for a known key of the
    wrong type.
    """
    table = parse_toml(text, path)
    stated = _text(table, "name", path) or name
    aliases = _texts(table, "aliases", path)
    try:
        for one in (stated, *aliases):
            tool_key(one)
    except ToolmemError as error:
        raise InvalidFileError(path, 0, str(error)) from error
    return Manifest(
        stated.strip(),
        aliases,
        path,
        table,
        _texts(table, "verbs", path),
        _texts(table, "arguments", path),
        _text(table, "description", path),
        _version(table, path),
        _reach(table, path),
    )


def _reach(table: Mapping[str, Any], path: str) -> str:
    reach = _text(table, "reach", path)
    if reach not in ("", WORLD):
        raise InvalidFileError(
            path, 0, f'reach: expected "{WORLD}", found {reach!r:.40}'
        )
    return reach


def _text(table: Mapping[str, Any], key: str, path: str) -> str:
    value = table.get(key, "")
    if not isinstance(value, str):
        raise InvalidFileError(path, 0, f"{key}: expected a quoted string")
    return value


def _version(table: Mapping[str, Any], path: str) -> str:
    """Return the version as text; it may be a number such as 1.0."""
    value = table.get("version", "")
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise InvalidFileError(path, 0, "version: expected a quoted string")
    return str(value)


def _texts(table: Mapping[str, Any], key: str, path: str) -> tuple[str, ...]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise InvalidFileError(path, 0, f"{key}: expected a list of strings")
    return tuple(value)


class ToolNames:
    """Tools by key, with their aliases and the spelling of their names."""

    def __init__(self, manifests: Iterable[Manifest] = ()) -> None:
        self._spelling: dict[str, str] = {}
        self._canonical: dict[str, str] = {}
        self._keys: dict[str, str] = {}
        for manifest in manifests:
            key = tool_key(manifest.name)
            self._spelling[key] = manifest.name
            for alias in manifest.aliases:
                self._canonical.setdefault(tool_key(alias), key)

    def key(self, name: str) -> str:
        """Return the key of the tool that a name or an alias means."""
        known = self._keys.get(name)
        if known is None:
            key = tool_key(name)
            is_tool = key in self._spelling or key == ANY_TOOL
            known = key if is_tool else self._canonical.get(key, key)
            self._keys[name] = known
        return known

    def ruling(self, name: str) -> frozenset[str]:
        """Return the keys whose rules apply to calls of a tool.

        The key of every tool is not included, unless it is given.
        """
        key = self.key(name)
        return frozenset({key, *map(self.key, ruled_as(key))})

    def meaning(self, keys: Iterable[str]) -> set[str]:
        """Return the keys, and the aliases that mean one of them."""
        meant = set(keys)
        return meant | {name for name, key in self._canonical.items() if key in meant}

    def spelling(self, key: str) -> str | None:
        """Return the manifest's spelling of a tool's name, if there is a manifest."""
        return self._spelling.get(key)
