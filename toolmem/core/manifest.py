"""How a tool manifest reads: what a tool is called, and by which other names."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from toolmem.core.model import ANY_TOOL
from toolmem.core.names import tool_key
from toolmem.core.toml_text import parse_toml
from toolmem.errors import InvalidFileError, ToolmemError


class Manifest(NamedTuple):
    """One ``tools/<tool>.toml``; ``stated`` is the whole table, in order."""

    name: str
    aliases: tuple[str, ...]
    path: str
    stated: Mapping[str, Any]


def parse_manifest(text: str, *, path: str, name: str) -> Manifest:
    """Read a manifest; ``name`` (from the file name) stands where it has none.

    Raises ``InvalidFileError`` for text that is no TOML and for a name or
    aliases of the wrong type.
    """
    table = parse_toml(text, path)
    stated = table.get("name", name)
    aliases = table.get("aliases", [])
    if not isinstance(stated, str) or not isinstance(aliases, list):
        raise InvalidFileError(path, 0, "want name = text and aliases = [texts]")
    if not all(isinstance(alias, str) for alias in aliases):
        raise InvalidFileError(path, 0, "aliases: want a list of texts")
    try:
        for one in (stated, *aliases):
            tool_key(one)
    except ToolmemError as error:
        raise InvalidFileError(path, 0, str(error)) from error
    return Manifest(stated.strip(), tuple(aliases), path, table)


class ToolNames:
    """The tools by key: which tool an alias means, and how its name is spelt."""

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
        """The key of the tool that a name or an alias means."""
        known = self._keys.get(name)
        if known is None:
            key = tool_key(name)
            is_tool = key in self._spelling or key == ANY_TOOL
            known = key if is_tool else self._canonical.get(key, key)
            self._keys[name] = known
        return known

    def spelling(self, key: str) -> str | None:
        """The manifest's spelling of a tool's name, if there is a manifest."""
        return self._spelling.get(key)
