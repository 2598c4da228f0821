"""Read tool manifests in the specification's format and convert them to TOML."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from toolmem.core.access.faults import DocumentPart, FaultError
from toolmem.core.access.kinds import MEMORY_TYPES
from toolmem.core.access.permit import ACCESS, read_access
from toolmem.core.formats.toml_edit import toml_value
from toolmem.core.text.safetext import find_unsafe, one_line
from toolmem.errors import InvalidFileError, UsageError

_DESCRIPTION_CHARS = 200
_VERSION_CHARS = 100
_ORDER = ("enabled", "query_types", "tags", "max_queries", "max_budget_tokens")


class Declaration(NamedTuple):
    """A tool and its access table, as written."""

    name: str
    description: str
    version: str
    access: Mapping[str, Mapping[str, Any]]


def is_declaration(document: Any) -> bool:
    """Return True if a document has the keys of a manifest."""
    return isinstance(document, Mapping) and ("tool" in document or ACCESS in document)


def read_declaration(document: Any) -> Declaration:
    """Read a manifest: ``tool: {id, version, description, …}``.

    Raises ``UsageError`` with the JSON path of the first fault.
    """
    root = DocumentPart(document)
    part = root.at("tool") if "tool" in root.table() else root
    name = part.at("id").stated().strip()
    description = one_line(part.at("description").text(most=10_000))
    if find_unsafe(description):
        raise part.at("description").fault("contains unsafe characters")
    version = _version(part.at("version"))
    stated = part.at(ACCESS)
    try:
        read_access({ACCESS: stated.value}, stated.path)
    except InvalidFileError as error:
        raise FaultError(error.reason) from error
    access = {
        key: {name: table[name] for name in _ORDER if table.get(name) is not None}
        for key, table in stated.table().items()
        if isinstance(table, Mapping)
    }
    return Declaration(name, description[:_DESCRIPTION_CHARS], version, access)


def _version(part: DocumentPart) -> str:
    """The version as text; YAML reads 1.0 as a number."""
    if isinstance(part.value, int | float) and not isinstance(part.value, bool):
        return str(part.value)
    version = one_line(part.text(most=_VERSION_CHARS))
    if find_unsafe(version):
        raise part.fault("contains unsafe characters")
    return version


def access_text(access: Mapping[str, Mapping[str, Any]]) -> str:
    """Return this access as TOML tables of a manifest.

    Raises ``UsageError`` for a value that TOML cannot represent.
    """
    pieces = []
    for key in (name for name in MEMORY_TYPES if name in access):
        try:
            lines = [f"{name} = {toml_value(v)}\n" for name, v in access[key].items()]
        except TypeError as error:
            raise UsageError(f"{ACCESS}.{key}: {error}") from error
        pieces.append(f"\n[{ACCESS}.{key}]\n{''.join(lines)}")
    return "".join(pieces)
